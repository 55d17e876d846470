#!/usr/bin/env bash
# Makes a run on several ranks and compares it with the same run on one: tree and fields by their digest, tracers by
# theirs, history and ledger byte by byte.
# Usage: same_bits.sh PROGRAM REFERENCE OUT INPUT [OPTION…] -- LAUNCHER…   (no LAUNCHER: makes the reference)
#        RESTART_AFTER=N: ends after N steps and restarts, on one rank more than it began with.
set -euo pipefail
program=$1 reference=$2 out=$3 input=$4
shift 4
options=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1"); shift; done
[ $# -gt 0 ] && shift
launcher=("$@")
rm -rf "$out"

if [ -n "${RESTART_AFTER:-}" ]; then
  steps=$(printf '%s\n' "${options[@]}" | sed -n 's/^run.max_steps=//p')
  "${launcher[@]}" "$program" run "$input" "${options[@]}" --set "run.max_steps=$RESTART_AFTER" --out "$out"
  ranks=$((${launcher[-1]} + 1))
  "${launcher[@]:0:$((${#launcher[@]} - 1))}" "$ranks" "$program" restart "$out" --threads 1 --set "run.max_steps=$steps"
else
  "${launcher[@]}" "$program" run "$input" "${options[@]}" --out "$out"
fi
[ ${#launcher[@]} -gt 0 ] || exit 0

rows() { grep -v '^#' "$1/history.csv"; }
here=$("$program" info "$out" --digest) there=$("$program" info "$reference" --digest)
echo "digest $here on ranks, $there on one"
[ "$here" = "$there" ]
tracers() { "$program" info "$1" | sed -n 's/^tracers //p' | tail -n 1; }
cmp <(tracers "$out") <(tracers "$reference")
cmp <(rows "$out") <(rows "$reference")
# The ledger holds the input too, which a restart changes.
books() { python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); d.pop("run"); print(d)' "$1/ledger.json"; }
cmp <(books "$out") <(books "$reference")
