#!/usr/bin/env bash
# What all ranks find wrong is said by one of them, once, and the run ends with 2.
# Usage: said_once.sh WORDS OUT LAUNCHER… PROGRAM run INPUT OPTION…
set -uo pipefail
words=$1 out=$2
shift 2
rm -rf "$out"
mkdir -p "$(dirname "$out")"
"$@" --out "$out" >"$out.log" 2>&1
status=$?
cat "$out.log"
[ $status -eq 2 ] || { echo "said_once.sh: exit code $status"; exit 1; }
[ "$(grep -cF -- "$words" "$out.log")" -eq 1 ] || { echo "said_once.sh: '$words' is not said once"; exit 1; }
