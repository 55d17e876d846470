// What kernels and copies a device carries out and when, into the trace: by CUPTI, NVIDIA's interface for profilers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "exec/profile.hpp"

namespace rednova::exec::cuda {

/// Opens CUPTI's library, or the one that REDNOVA_CUPTI names, when it is made: programs without a trace need none.
/// CUPTI serves one of these at a time in a process. What a thread launches is the task's that it is at then
/// (profile::tell_running).
class activity_log {
 public:
  /// Has CUPTI report from here on into `to`, whose trace is on and which outlives this.
  explicit activity_log(profile& to);
  activity_log(const activity_log&) = delete;
  activity_log& operator=(const activity_log&) = delete;
  /// Takes what is left; the device has done its work.
  ~activity_log();

  /// Why the trace has no kernels; empty if it has.
  const std::string& why_not() const { return why_not_; }

 private:
  class cupti;
  std::unique_ptr<cupti> cupti_;
  std::string why_not_;
};

}  // namespace rednova::exec::cuda
