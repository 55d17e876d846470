// Thread blocks, whose threads share memory: for kernels in which many cells read the same numbers.
//
// On a device a thread block is a block of threads (exec/cuda/thread_block.hpp launches it). On the processor its
// threads are threads: slow, and meant for testing a kernel where there is no device.
#pragma once

#ifdef __CUDACC__
/// Marks what a thread block's threads run.
#define REDNOVA_THREAD_BLOCK_FN __device__ __forceinline__
#else
#define REDNOVA_THREAD_BLOCK_FN inline

#include <barrier>
#include <limits>
#include <memory>
#include <thread>
#include <vector>
#endif

namespace rednova::exec {

inline constexpr int warp = 32;  ///< threads of a thread block that share an instruction

#ifdef __CUDACC__

/// A thread's view of its thread block.
struct thread_block {
  double* memory;  ///< shared by the thread block, as many doubles as the launch asked for

  REDNOVA_THREAD_BLOCK_FN int thread() const { return static_cast<int>(threadIdx.x); }
  /// Waits for all threads of the thread block, and makes what they wrote to the memory visible.
  REDNOVA_THREAD_BLOCK_FN void sync() const { __syncthreads(); }
  /// The same for the threads of a warp.
  REDNOVA_THREAD_BLOCK_FN void sync_warp() const { __syncwarp(); }
};

#else

struct thread_block {
  double* memory;
  int number;
  std::barrier<>*all, *of_warp;

  int thread() const { return number; }
  void sync() const { all->arrive_and_wait(); }
  void sync_warp() const { of_warp->arrive_and_wait(); }
};

/// Calls kernel(thread block, i) for i = 0 … count-1 with a thread block of Kernel::threads of the processor.
/// memory: doubles that a thread block shares.
template <class Kernel>
void for_each_thread_block(int count, int memory, const Kernel& kernel) {
  static_assert(Kernel::threads % warp == 0);
  for (int i = 0; i < count; ++i) {
    // A device's holds anything: what is read before it is written shows.
    std::vector<double> shared(static_cast<std::size_t>(memory), std::numeric_limits<double>::quiet_NaN());
    std::barrier<> all(Kernel::threads);
    std::vector<std::unique_ptr<std::barrier<>>> warps;
    for (int w = 0; w < Kernel::threads / warp; ++w) warps.push_back(std::make_unique<std::barrier<>>(warp));
    std::vector<std::jthread> threads;
    for (int t = 0; t < Kernel::threads; ++t) {
      threads.emplace_back([&, t] {
        kernel(thread_block{shared.data(), t, &all, warps[static_cast<std::size_t>(t / warp)].get()}, i);
      });
    }
  }
}

#endif

}  // namespace rednova::exec
