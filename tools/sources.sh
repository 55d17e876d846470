#!/usr/bin/env bash
# Lists the C++ sources of the repository, one a line: what format and lint look at.
# Usage: tools/sources.sh [SUFFIX…]     (default: cpp hpp cu)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
patterns=()
for suffix in "${@:-cpp hpp cu}"; do
  for s in $suffix; do patterns+=("src/*.$s" "tests/*.$s" "bench/*.$s"); done
done
git ls-files --cached --others --exclude-standard -- "${patterns[@]}" | while read -r file; do
  if [ -e "$file" ]; then echo "$file"; fi
done
