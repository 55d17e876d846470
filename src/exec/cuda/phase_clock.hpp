// Where a device's time goes, by its own clock: events in its queue between the phases of a step.
#pragma once

#include <nvtx3/nvToolsExt.h>

#include <memory>
#include <vector>

#include "exec/cuda/timer.hpp"
#include "exec/profile.hpp"

namespace rednova::exec::cuda {

/// Phases that follow each other in a context's queue, on the device's clock and, for tools such as Nsight Systems, as
/// NVTX ranges of what the host launches: these cost nothing where no tool listens. The context outlives it.
class phase_clock {
 public:
  explicit phase_clock(const context& context) : context_(&context) {}
  phase_clock(const phase_clock&) = delete;
  phase_clock& operator=(const phase_clock&) = delete;
  ~phase_clock() { leave_range(); }

  /// What is launched from here on, up to the next call, counts under `phase`, which outlives this object.
  void enter(const char* phase) {
    if (used_ == starts_.size()) starts_.push_back({std::make_unique<event>(), nullptr});
    leave_range();
    if (phase != nullptr) nvtxRangePushA(phase);
    in_range_ = phase != nullptr;
    starts_[used_].at->record(*context_);
    starts_[used_++].phase = phase;
  }
  /// Adds the phases' times since the last call; waits for what has been launched. The time since the last start counts
  /// no more.
  void collect(profile& to) {
    enter(nullptr);
    context_->wait();
    for (std::size_t i = 0; i + 1 < used_; ++i) to.add(starts_[i].phase, starts_[i + 1].at->since(*starts_[i].at));
    used_ = 0;
  }

 private:
  void leave_range() {
    if (in_range_) nvtxRangePop();
    in_range_ = false;
  }
  struct phase_start {
    std::unique_ptr<event> at;
    const char* phase;
  };
  const context* context_;
  std::vector<phase_start> starts_;  // those made once are used again
  std::size_t used_ = 0;
  bool in_range_ = false;
};

}  // namespace rednova::exec::cuda
