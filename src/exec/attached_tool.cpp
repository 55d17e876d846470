#include "exec/attached_tool.hpp"

#include <cstdlib>

#include "core/check.hpp"
#include "exec/shared_library.hpp"

namespace rednova::exec {

namespace {

constexpr const char* variable = "KOKKOS_TOOLS_LIBS";
constexpr std::uint64_t interface_version = 20171029;

}  // namespace

attached_tool::attached_tool(const std::string& path) {
  const shared_library library({path}, RTLD_NOW | RTLD_GLOBAL);
  if (!library.open())
    core::fail("{}: {}; name one library of Kokkos Tools, or unset the variable", variable, library.why_not());
  if (!library.find("kokkosp_begin_parallel_for", begin_) || !library.find("kokkosp_end_parallel_for", end_))
    core::fail("{}: {} has no kokkosp_begin_parallel_for and kokkosp_end_parallel_for; name a library of Kokkos Tools",
               variable, path);
  library.find("kokkosp_init_library", initialize_);
  library.find("kokkosp_finalize_library", finalize_);
}

bool attached_tool::asked_for() {
  const char* const path = std::getenv(variable);
  return path != nullptr && *path != 0;
}

std::unique_ptr<attached_tool> attached_tool::from_environment() {
  if (!asked_for()) return nullptr;
  std::unique_ptr<attached_tool> tool(new attached_tool(std::getenv(variable)));
  if (tool->initialize_ != nullptr) tool->initialize_(0, interface_version, 0, nullptr);
  tool->started_ = true;
  return tool;
}

void attached_tool::expect_loadable() {
  if (asked_for()) const attached_tool tried(std::getenv(variable));
}

attached_tool::~attached_tool() {
  if (started_ && finalize_ != nullptr) finalize_();
}

}  // namespace rednova::exec
