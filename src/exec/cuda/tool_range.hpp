// Names for what the host launches, on the time lines of tools such as Nsight Systems.
#pragma once

#include <nvtx3/nvToolsExt.h>

namespace rednova::exec::cuda {

/// At most one NVTX range of a thread at a time. It costs nothing where no tool listens.
class tool_range {
 public:
  tool_range() = default;
  tool_range(const tool_range&) = delete;
  tool_range& operator=(const tool_range&) = delete;
  ~tool_range() { leave(); }

  /// What follows has this name, until the next call; null: none.
  void enter(const char* name) {
    leave();
    if (name != nullptr) nvtxRangePushA(name);
    inside_ = name != nullptr;
  }

 private:
  void leave() {
    if (inside_) nvtxRangePop();
    inside_ = false;
  }
  bool inside_ = false;
};

}  // namespace rednova::exec::cuda
