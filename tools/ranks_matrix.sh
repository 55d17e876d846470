#!/usr/bin/env bash
# Every combination in which a run must give the same bits: problems × ranks × threads × transports × MPIs, with
# regridding and migration; then KILLS runs of which a rank is killed at a random time. An hour on two cores.
# Usage: tools/ranks_matrix.sh BUILD [KILLS]
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$(realpath "${1:?usage: tools/ranks_matrix.sh BUILD [KILLS]}") kills=${2:-20}
runs=$build/ranks_matrix
mkdir -p "$runs"
failed=0 made=0

declare -A options=(
  [sedov]="problems/sedov.toml --set run.max_steps=${STEPS:-40} --set mesh.regrid_interval=2"
  [rotating_star]="problems/rotating_star.toml --set run.max_steps=${STEPS:-12} --set mesh.regrid_interval=3"
  [contact_binary_quick]="problems/contact_binary_quick.toml --set run.max_steps=${STEPS:-4} --set mesh.regrid_interval=2
    --set mesh.max_level=3 --set problem.tolerance=1e-3"
  # Opaque blocks take one substep of light where others take eight.
  [shining_star]="problems/shining_star.toml --set run.max_steps=${STEPS:-4} --set mesh.regrid_interval=2
    --set refine.density=0 --set mesh.max_level=3 --set refine.photosphere_level=3
    --set radiation.absorption=1e5 --set radiation.extinction=1e5"
)
common="--set mesh.rebalance_threshold=0 --set output.snapshot_time=0 --set output.snapshot_orbits=0"

launch() {  # MPI RANKS
  if [ "$1" = openmpi ]; then echo mpirun.openmpi --allow-run-as-root --oversubscribe --bind-to none -n "$2"
  else echo mpirun.mpich -n "$2"; fi
}

report() {  # NAME STATUS
  made=$((made + 1))
  if [ "$2" -eq 0 ]; then echo "same bits  $1"; else failed=$((failed + 1)); echo "FAILED     $1: $runs/$1.log"; fi
}

# Lists of options are split at blanks on purpose.
# shellcheck disable=SC2086
for problem in ${PROBLEMS:-sedov rotating_star contact_binary_quick shining_star}; do
  what="${options[$problem]} $common"
  tests/ranks/same_bits.sh "$build/rednova" none "$runs/$problem" $what --threads 1 >"$runs/$problem.log" 2>&1
  report "$problem" $?
  for threads in ${THREADS:-1 2}; do
    for mpi in ${MPIS:-openmpi mpich}; do
      for transport in ${TRANSPORTS:-mpi libfabric}; do
        for ranks in ${RANKS:-1 2 3 4}; do
          name=$problem.$mpi.$transport.$ranks.$threads
          tests/ranks/same_bits.sh "$build/rednova" "$runs/$problem" "$runs/$name" $what --threads "$threads" \
            --transport $transport -- $(launch $mpi $ranks) >"$runs/$name.log" 2>&1
          report "$name" $?
          rm -rf "${runs:?}/$name"
        done
      done
    done
  done
done
for ((i = 0; i < kills; ++i)); do
  DELAY=$((RANDOM % 4)).$((RANDOM % 10)) tests/ranks/killed.sh "$build/rednova" "$runs/killed.$i" \
    problems/rotating_star.toml $(launch openmpi 3) >"$runs/killed.$i.log" 2>&1
  report "killed.$i" $?
done
echo "$made runs, $failed failed"
[ $failed -eq 0 ]
