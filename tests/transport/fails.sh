#!/usr/bin/env bash
# Passes if a command fails by itself within 20 s and says why.
# Usage: fails.sh [--any-status] REGEX COMMAND…
# --any-status: for launchers that are told to go on when ranks fail, and end well then.
set -uo pipefail
limit=20
any_status=no
if [ "$1" = --any-status ]; then any_status=yes; shift; fi
pattern=$1
shift
SECONDS=0
output=$(timeout --kill-after=5 "$limit" "$@" 2>&1)
status=$?
echo "$output"
# libfabric's shm leaves 16 MB in memory for each process that is killed.
for file in /dev/shm/[0-9]*:[0-9]*; do
  process=${file##*/}
  if [ -O "$file" ] && [ ! -d "/proc/${process%%:*}" ]; then rm -f "$file"; fi
done
if [ "$SECONDS" -ge "$limit" ]; then echo "fails.sh: the command did not end by itself"; exit 1; fi
if [ $status -eq 0 ] && [ $any_status = no ]; then echo "fails.sh: the command succeeded"; exit 1; fi
if ! grep -qE -- "$pattern" <<<"$output"; then echo "fails.sh: '$pattern' was not said"; exit 1; fi
