#!/usr/bin/env bash
# Speed and tests of kernels and whole steps on NVIDIA GPUs: builds them here, gathers the programs with the libraries that they
# need in FOLDER and, where this machine has a device, runs them there. Elsewhere: copy FOLDER and run FOLDER/run.sh,
# which needs nothing but the driver.
# Usage: tools/device_bench.sh [FOLDER [BUILD]]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=${1:-build-device/carry} build=${2:-build-device}
tests=(exec exchange gravity hydro regrid step)
programs=(bench/device_bench)
for name in "${tests[@]}"; do programs+=("tests/test_${name}_cuda"); done
programs+=(rednova)

# The machine with the device may have another processor.
cmake --preset cuda -B "$build" -DREDNOVA_NATIVE=OFF >/dev/null
ninja -C "$build" device_programs

mkdir -p "$folder/lib"
for program in "${programs[@]}"; do
  cp "$build/$program" "$folder/"
  # Every library, the C library and its loader too: that machine's may be older.
  ldd "$build/$program" | grep -o '/[^ ]*' | xargs -I{} cp -Lu {} "$folder/lib/"
done
cp bench/rotating_star.toml problems/contact_binary_quick.toml "$folder/"
commit=$(git describe --always --dirty)
cat >"$folder/run.sh" <<RUN
#!/bin/sh
# Runs the device's tests, then its benchmarks and whole steps, built from commit $commit; exit code of the first that fails.
cd "\$(dirname "\$0")" || exit
carried() { program=\$1; shift; lib/ld-linux-x86-64.so.2 --library-path "lib:/usr/local/nvidia/lib64" "./\$program" "\$@"; }
for name in ${tests[*]}; do carried "test_\${name}_cuda" --gtest_brief=1 || exit; done
echo "commit $commit" && carried device_bench || exit
# Whole steps: half a million cells, six million, and a binary; each beside the cores.
for device in gpu cpu; do
  for input in "rotating_star.toml --set mesh.max_level=4" "rotating_star.toml --set mesh.max_level=6" contact_binary_quick.toml; do
    echo && carried rednova check \$input --device \$device || exit
  done
done
RUN
chmod +x "$folder/run.sh"

if nvidia-smi -L >/dev/null 2>&1; then
  exec "$folder/run.sh"
fi
echo "This machine has no NVIDIA device. On one that has: copy $folder there and run run.sh in it."
