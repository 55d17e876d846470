// Where a device's time goes, by its own clock: marks in its queue between the phases of a step.
#pragma once

#include <memory>
#include <vector>

#include "exec/cuda/timer.hpp"
#include "exec/profile.hpp"

namespace rednova::exec::cuda {

/// Phases that follow each other in a context's queue. The context outlives it.
class phase_clock {
 public:
  explicit phase_clock(const context& where) : where_(&where) {}

  /// What is launched from here on, up to the next call, counts under `phase`, which outlives this object.
  void enter(const char* phase) {
    if (used_ == marks_.size()) marks_.push_back({std::make_unique<event>(), nullptr});
    marks_[used_].begin->record(*where_);
    marks_[used_++].phase = phase;
  }
  /// Adds the phases' times since the last call; waits for what has been launched. The time since the last mark counts
  /// no more.
  void collect(profile& to) {
    enter(nullptr);
    where_->wait();
    for (std::size_t i = 0; i + 1 < used_; ++i) to.add(marks_[i].phase, marks_[i + 1].begin->since(*marks_[i].begin));
    used_ = 0;
  }

 private:
  struct mark {
    std::unique_ptr<event> begin;
    const char* phase;
  };
  const context* where_;
  std::vector<mark> marks_;  // those made once are used again
  std::size_t used_ = 0;
};

}  // namespace rednova::exec::cuda
