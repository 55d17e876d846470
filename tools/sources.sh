#!/usr/bin/env bash
# Lists the C++ sources of the repository, one a line: what clang-format looks at.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
git ls-files --cached --others --exclude-standard -- {src,tests,bench}/'*'.{cpp,hpp,cu} | while read -r file; do
  if [ -e "$file" ]; then echo "$file"; fi
done
