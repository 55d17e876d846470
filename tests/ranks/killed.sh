#!/usr/bin/env bash
# Kills one rank of a run: the others end within 10 s, a rank is said to be lost, and a restart gives the bits of the
# run that nobody disturbed.
# Usage: killed.sh PROGRAM OUT INPUT LAUNCHER…   DELAY: seconds after the first checkpoint, 0.3 if not set
set -uo pipefail
program=$1 out=$2 input=$3
shift 3
rm -rf "$out" "$out.whole"
options=(--threads 1 --set mesh.max_level=2 --set mesh.regrid_interval=3 --set output.checkpoint_steps=2 --set output.snapshot_time=0)
"$@" "$program" run "$input" "${options[@]}" --set run.max_steps=100000 --out "$out" >"$out.log" 2>&1 &
launcher=$!
for _ in $(seq 300); do
  compgen -G "$out/checkpoint_*.h5" >/dev/null && break
  sleep 0.1
done
sleep "${DELAY:-0.3}"
# Of this run: the ranks' command line names its directory.
victim=$(pgrep -f -- "^$program run .*--out $out\$" | tail -n 1)
kill -KILL "$victim"
SECONDS=0
wait "$launcher"
status=$?
took=$SECONDS
cat "$out.log"
[ $status -ne 0 ] || { echo "killed.sh: the run ended as if nothing had happened"; exit 1; }
[ "$took" -le 10 ] || { echo "killed.sh: the others took $took s to end"; exit 1; }
grep -qiE "is lost|signal 9|KILLED" "$out.log" || { echo "killed.sh: nobody said that a rank is lost"; exit 1; }
grep -q "rednova restart" "$out.log" || { echo "killed.sh: the last checkpoint is not named"; exit 1; }
step=$("$program" info "$out" | sed -n 's/.*step *\([0-9]\+\).*/\1/p' | tail -n 1)
last=$((step + 2))
"$@" "$program" restart "$out" --threads 1 --set run.max_steps=$last >/dev/null || exit 1
"$program" run "$input" "${options[@]}" --set run.max_steps=$last --out "$out.whole" >/dev/null || exit 1
[ "$("$program" info "$out" --digest)" = "$("$program" info "$out.whole" --digest)" ] || { echo "killed.sh: other bits"; exit 1; }
