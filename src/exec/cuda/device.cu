#include "exec/cuda/device.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "exec/patience.hpp"

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
  std::ranges::copy(properties.uuid.bytes, identity_.begin());
  description_ = fmt::format("{} (sm_{}{})", properties.name, properties.major, properties.minor);
  // The pool keeps all that was given back: what a step takes now and then costs no call to the system.
  check(cudaDeviceGetDefaultMemPool(&pool_, number), "cudaDeviceGetDefaultMemPool");
  std::uint64_t kept = std::numeric_limits<std::uint64_t>::max();
  check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &kept), "cudaMemPoolSetAttribute");
  // One that waits for the queue of memory, and that one for it.
  check(cudaStreamCreate(&stream_), "cudaStreamCreate");
}

context::~context() { cudaStreamDestroy(stream_); }

void context::trim_pool() const {
  wait();
  check(cudaStreamSynchronize(memory()), "cudaStreamSynchronize");
  check(cudaMemPoolTrimTo(pool_, 0), "cudaMemPoolTrimTo");
}

double context::free_memory() const {
  std::size_t free = 0, all = 0;
  check(cudaMemGetInfo(&free, &all), "cudaMemGetInfo");
  return static_cast<double>(free);
}

namespace {

/// Looks after messages until what is asked for is no longer cudaErrorNotReady.
template <class Query>
void poll(poller& messages, const Query& query, const char* call) {
  using clock = std::chrono::steady_clock;
  const auto since = clock::now();
  patience rest;
  cudaError_t state = query();
  for (; state == cudaErrorNotReady; state = query()) {
    if (!messages.progress()) rest.pause(std::chrono::duration<double>(clock::now() - since).count());
  }
  cudaGetLastError();  // that it was not ready is no failure of the next launch
  check(state, call);
}

}  // namespace

void context::wait() const {
  if (meanwhile_ == nullptr) {
    check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  } else {
    poll(
        *meanwhile_, [this] { return cudaStreamQuery(stream_); }, "cudaStreamQuery");
  }
}

void context::wait_for(cudaEvent_t event) const {
  if (meanwhile_ == nullptr) {
    check(cudaEventSynchronize(event), "cudaEventSynchronize");
  } else {
    poll(
        *meanwhile_, [event] { return cudaEventQuery(event); }, "cudaEventQuery");
  }
}

void context::copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind way) const {
  if (bytes == 0) return;
  // For memory of the host that is not page-locked CUDA itself waits for what was launched before, and for nothing
  // else.
  if (meanwhile_ != nullptr) wait();
  check(cudaMemcpyAsync(to, from, bytes, way, stream_), "cudaMemcpyAsync");
  if (way == cudaMemcpyHostToDevice) to_device_ += bytes;
  if (way == cudaMemcpyDeviceToHost) to_host_ += bytes;
  wait();
}

double context::copied(cudaMemcpyKind way) const {
  return static_cast<double>(way == cudaMemcpyHostToDevice ? to_device_.load() : to_host_.load());
}

namespace {

double of_pool(cudaMemPool_t pool, cudaMemPoolAttr what) {
  std::uint64_t bytes = 0;
  check(cudaMemPoolGetAttribute(pool, what, &bytes), "cudaMemPoolGetAttribute");
  return static_cast<double>(bytes);
}

}  // namespace

double context::memory_in_use() const { return of_pool(pool_, cudaMemPoolAttrUsedMemCurrent); }
double context::most_memory_in_use() const { return of_pool(pool_, cudaMemPoolAttrUsedMemHigh); }

}  // namespace rednova::exec::cuda
