// The launcher of teams (exec/team.hpp) for a CUDA device. Only sources that nvcc compiles include this.
#pragma once

#include "exec/cuda/device.hpp"
#include "exec/team.hpp"

namespace rednova::exec::cuda {

template <class Kernel>
__global__ void __launch_bounds__(Kernel::threads, Kernel::teams_at_once) run_team(Kernel kernel) {
  extern __shared__ double memory[];
  kernel(team{memory}, static_cast<int>(blockIdx.x));
}

/// Calls kernel(team, i) for i = 0 … count-1 on the device with teams of Kernel::threads, of which a multiprocessor's
/// registers hold Kernel::teams_at_once at least; returns once it is launched. Kernels are copied to the device as for
/// for_each; their call operator is marked REDNOVA_TEAM_FN. memory: doubles that a team shares; a user_error where the
/// device's teams cannot share so many, for count 0 too.
template <class Kernel>
void for_each_team(const context& where, int count, int memory, const Kernel& kernel) {
  EXPECT(count >= 0 && memory >= 0);
  const int bytes = memory * static_cast<int>(sizeof(double));
  if (bytes > where.shared_memory()) {
    core::fail("a kernel's teams share {} KiB of memory, of which this device's have {}", (bytes - 1) / 1024 + 1,
               where.shared_memory() / 1024);
  }
  if (count == 0) return;
  check(cudaFuncSetAttribute(run_team<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        "shared memory of a kernel");
  run_team<<<static_cast<unsigned>(count), Kernel::threads, static_cast<unsigned>(bytes), where.stream()>>>(kernel);
  check(cudaGetLastError(), "kernel launch");
}

}  // namespace rednova::exec::cuda
