#include "exec/cuda/device.hpp"

#include <cstdint>
#include <limits>
#include <stdexcept>

namespace rednova::exec::cuda {

availability find_devices() {
  availability found;
  const cudaError_t result = cudaGetDeviceCount(&found.devices);
  if (result != cudaSuccess) {
    found = {0, cudaGetErrorString(result)};
    cudaGetLastError();  // the runtime would report it again after the next call
  } else if (found.devices == 0) {
    found.reason = "the driver knows no device";
  }
  return found;
}

void check(cudaError_t result, const char* call) {
  if (result == cudaSuccess) return;
  cudaGetLastError();  // the runtime would report it again after the next launch
  if (result == cudaErrorMemoryAllocation)
    core::fail("the device's memory is used up ({}): a coarser mesh, more devices or the processor's cores may do",
               call);
  throw std::runtime_error(fmt::format("{}: {}", call, cudaGetErrorString(result)));
}

context::context(int number) {
  const availability found = find_devices();
  if (found.devices == 0) core::fail("no CUDA device: {}; run on the processor instead", found.reason);
  if (number < 0 || number >= found.devices) {
    core::fail("there is no CUDA device {}: this machine has 0 to {}", number, found.devices - 1);
  }
  check(cudaSetDevice(number), "cudaSetDevice");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, number), "cudaGetDeviceProperties");
  shared_memory_ = static_cast<int>(properties.sharedMemPerBlockOptin);
  description_ = fmt::format("{} (sm_{}{})", properties.name, properties.major, properties.minor);
  // The pool keeps all that was given back: what a step takes now and then costs no call to the system.
  check(cudaDeviceGetDefaultMemPool(&pool_, number), "cudaDeviceGetDefaultMemPool");
  std::uint64_t kept = std::numeric_limits<std::uint64_t>::max();
  check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &kept), "cudaMemPoolSetAttribute");
  // One that waits for the queue of memory, and that one for it.
  check(cudaStreamCreate(&stream_), "cudaStreamCreate");
}

context::~context() { cudaStreamDestroy(stream_); }

double context::free_memory() const {
  check(cudaStreamSynchronize(memory()), "cudaStreamSynchronize");
  check(cudaMemPoolTrimTo(pool_, 0), "cudaMemPoolTrimTo");
  std::size_t free = 0, all = 0;
  check(cudaMemGetInfo(&free, &all), "cudaMemGetInfo");
  return static_cast<double>(free);
}

void context::wait() const { check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

}  // namespace rednova::exec::cuda
