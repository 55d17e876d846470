// Where a device's time goes, by its own clock: events in its queue between the phases of a step.
#pragma once

#include <memory>
#include <vector>

#include "exec/cuda/timer.hpp"
#include "exec/cuda/tool_range.hpp"
#include "exec/profile.hpp"

namespace rednova::exec::cuda {

/// Phases that follow each other in a context's queue, on the device's clock and as ranges for tools. The context
/// outlives it.
class phase_clock {
 public:
  explicit phase_clock(const context& context) : context_(&context) {}
  phase_clock(const phase_clock&) = delete;
  phase_clock& operator=(const phase_clock&) = delete;

  /// What is launched from here on, up to the next call, counts under `phase`, which outlives this object.
  void enter(const char* phase) {
    if (used_ == starts_.size()) starts_.push_back({std::make_unique<event>(), nullptr});
    range_.enter(phase);
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
  struct phase_start {
    std::unique_ptr<event> at;
    const char* phase;
  };
  const context* context_;
  std::vector<phase_start> starts_;  // those made once are used again
  std::size_t used_ = 0;
  tool_range range_;
};

}  // namespace rednova::exec::cuda
