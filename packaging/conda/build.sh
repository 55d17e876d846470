#!/usr/bin/env bash
# What `conda build` calls for meta.yaml.
set -euo pipefail
cmake -S . -B build-conda -G Ninja ${CMAKE_ARGS:-} -D CMAKE_BUILD_TYPE=Release -D REDNOVA_NATIVE=OFF \
  -D REDNOVA_TESTS=OFF -D REDNOVA_BENCH=OFF -D REDNOVA_WERROR=OFF -D REDNOVA_MPI="openmpi=$PREFIX/bin/mpicxx"
cmake --build build-conda --parallel "${CPU_COUNT:-1}"
cmake --install build-conda --prefix "$PREFIX"
