// The kernel launcher of exec/for_each.hpp for a CUDA device. Only sources that nvcc compiles include this.
#pragma once

#include <algorithm>
#include <utility>

#include "exec/cuda/array.hpp"
#include "exec/macros.hpp"

namespace rednova::exec::cuda {

/// Threads of a CUDA block: enough to hide latency at the register use of a Riemann solver.
inline constexpr int threads_per_block = 256;

template <class Kernel>
__global__ void run_kernel(int count, Kernel kernel) {
  const int stride = static_cast<int>(gridDim.x * blockDim.x);
  // i + stride could pass the largest int, so the loop asks how much is left.
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < count;) {
    kernel(i);
    if (count - i <= stride) break;
    i += stride;
  }
}

/// Calls kernel(i) for i = 0 … count-1 on the device, a thread for each i, and returns once it is launched.
/// The functor is copied to the device: it holds plain values and device pointers, and marks its call
/// operator REDNOVA_FN. Kernels write only to what belongs to i, so that results do not depend on the order.
template <class Kernel>
void for_each(const context& context, int count, const Kernel& kernel) {
  EXPECT(count >= 0);
  if (count == 0) return;
  constexpr int most_blocks = 1 << 20;
  const int blocks = std::min(most_blocks, (count - 1) / threads_per_block + 1);
  run_kernel<<<static_cast<unsigned>(blocks), threads_per_block, 0, context.stream()>>>(count, kernel);
  check(cudaGetLastError(), "kernel launch");
}

template <class Result, class Kernel>
struct store_result {
  Kernel kernel;
  Result* parts;
  REDNOVA_FN void operator()(int i) const { parts[i] = kernel(i); }
};

/// Calls kernel(i) on the device and folds its results on the host in the order of i: the order of
/// exec::reduce, so that where kernel(i) gives the same bits on both, the result does too. One i is a block of
/// cells, not a cell: the results that travel are few.
template <class Result, class Kernel, class Fold>
Result reduce(const context& context, int count, Result start, const Kernel& kernel, const Fold& fold) {
  array<Result> parts(static_cast<std::size_t>(count));
  for_each(context, count, store_result<Result, Kernel>{kernel, parts.data()});
  for (const Result& part : parts.to_host(context)) start = fold(std::move(start), part);
  return start;
}

}  // namespace rednova::exec::cuda
