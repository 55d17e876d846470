#include "exec/cuda/message_memory.hpp"

namespace rednova::exec::cuda {

std::shared_ptr<std::byte[]> memory_of_device(std::size_t bytes) {
  void* memory = nullptr;
  // Not of the pool: MPI libraries share and register such memory alone.
  check(cudaMalloc(&memory, bytes), "cudaMalloc for messages");
  return {static_cast<std::byte*>(memory), [](std::byte* m) { cudaFree(m); }};
}

std::shared_ptr<std::byte[]> page_locked_memory(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t result = cudaHostAlloc(&memory, bytes, cudaHostAllocDefault);
  if (result == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // the runtime would report it again after the next launch
    core::fail("the system gives no more page-locked memory for messages of {:.3g} GB: fewer ranks on a host may do",
               1e-9 * static_cast<double>(bytes));
  }
  check(result, "cudaHostAlloc");
  return {static_cast<std::byte*>(memory), [](std::byte* m) { cudaFreeHost(m); }};
}

}  // namespace rednova::exec::cuda
