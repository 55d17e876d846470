#!/usr/bin/env bash
# Sends a signal to one rank of a run. SIGKILL: the others end within 10 s, the rank is said to be lost and the last
# checkpoint is named. SIGINT, SIGTERM: all end after the same step with a checkpoint. In both cases a restart gives the
# bits of the run that nobody disturbed.
# Usage: killed.sh PROGRAM OUT INPUT LAUNCHER…
#        SIGNAL: KILL if not set; DELAY: seconds after the first checkpoint, 0.3 if not set
set -uo pipefail
program=$1 out=$2 input=$3
shift 3
signal=${SIGNAL:-KILL}
if [ "$signal" = KILL ]; then said="is lost|signal 9|KILLED"; else said="A checkpoint is written"; fi
rm -rf "$out" "$out.whole"
mkdir -p "$(dirname "$out")"
fail() { echo "killed.sh: $*"; exit 1; }

options=(--threads 1 --set mesh.max_level=2 --set mesh.regrid_interval=3 --set output.checkpoint_steps=2)
options+=(--set output.snapshot_time=0)
"$@" "$program" run "$input" "${options[@]}" --set run.max_steps=100000 --out "$out" >"$out.log" 2>&1 &
launcher=$!
for _ in $(seq 300); do
  compgen -G "$out/checkpoint_*.h5" >/dev/null && break
  sleep 0.1
done
sleep "${DELAY:-0.3}"
# The ranks of this run have its directory in their command lines.
kill "-$signal" "$(pgrep -f -- "^$program run .*--out $out( |\$)" | tail -n 1)"
SECONDS=0
wait "$launcher"
status=$?
took=$SECONDS
cat "$out.log"
[ $status -ne 0 ] || fail "the run ended as if nothing had happened"
[ "$took" -le 10 ] || fail "the others took $took s to end"
grep -qE "$said" "$out.log" || fail "'$said' was not said"
grep -q "rednova restart" "$out.log" || fail "nobody said how to go on"

step=$("$program" info "$out" | sed -n 's/.*step \([0-9]\+\).*/\1/p' | tail -n 1)
last=$((step + 2))
"$@" "$program" restart "$out" --threads 1 --set run.max_steps=$last >/dev/null || fail "no restart"
"$program" run "$input" "${options[@]}" --set run.max_steps=$last --out "$out.whole" >/dev/null || fail "no comparison"
[ "$("$program" info "$out" --digest)" = "$("$program" info "$out.whole" --digest)" ] || fail "other bits"
# libfabric's shm leaves 16 MB in memory for each process that is killed.
for file in /dev/shm/[0-9]*:[0-9]*; do
  process=${file##*/}
  if [ -O "$file" ] && [ ! -d "/proc/${process%%:*}" ]; then rm -f "$file"; fi
done
