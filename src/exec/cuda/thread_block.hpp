// The launcher of thread blocks (exec/thread_block.hpp) for a CUDA device. Only sources that nvcc compiles include
// this.
#pragma once

#include "exec/cuda/device.hpp"
#include "exec/thread_block.hpp"

namespace rednova::exec::cuda {

template <class Kernel>
__global__ void __launch_bounds__(Kernel::threads, Kernel::thread_blocks_at_once) run_thread_block(Kernel kernel) {
  extern __shared__ double memory[];
  kernel(thread_block{memory}, static_cast<int>(blockIdx.x));
}

/// Calls kernel(thread block, i) for i = 0 … count-1 on the device with thread blocks of Kernel::threads, of which a
/// multiprocessor's registers hold Kernel::thread_blocks_at_once at least; returns once it is launched. Kernels are
/// copied to the device as for for_each; their call operator is a REDNOVA_THREAD_BLOCK_FN. memory: doubles that a
/// thread block shares; a user_error where the device's thread blocks cannot share so many, for count 0 too.
template <class Kernel>
void for_each_thread_block(const context& context, int count, int memory, const Kernel& kernel) {
  EXPECT(count >= 0 && memory >= 0);
  const int bytes = memory * static_cast<int>(sizeof(double));
  if (bytes > context.shared_memory()) {
    core::fail("a kernel's thread blocks share {} KiB of memory, of which this device's have {}",
               (bytes - 1) / 1024 + 1, context.shared_memory() / 1024);
  }
  if (count == 0) return;
  check(cudaFuncSetAttribute(run_thread_block<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        "shared memory of a kernel");
  run_thread_block<<<static_cast<unsigned>(count), Kernel::threads, static_cast<unsigned>(bytes), context.stream()>>>(
      kernel);
  check(cudaGetLastError(), "kernel launch");
}

}  // namespace rednova::exec::cuda
