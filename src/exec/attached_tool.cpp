#include "exec/attached_tool.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include "core/check.hpp"

namespace rednova::exec {

namespace {

constexpr const char* variable = "KOKKOS_TOOLS_LIBS";
constexpr std::uint64_t interface_version = 20171029;

template <class Function>
void find(void* library, const char* name, Function& to) {
  to = reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

// It stays loaded: threads of its own may outlive the run.
attached_tool::attached_tool(const std::string& path) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    const char* const why = dlerror();
    core::fail("{}: {}; name one library of Kokkos Tools, or unset the variable", variable,
               why != nullptr ? why : path);
  }
  find(library, "kokkosp_begin_parallel_for", begin_);
  find(library, "kokkosp_end_parallel_for", end_);
  if (begin_ == nullptr || end_ == nullptr)
    core::fail("{}: {} has no kokkosp_begin_parallel_for and kokkosp_end_parallel_for; name a library of Kokkos Tools",
               variable, path);
  find(library, "kokkosp_init_library", initialize_);
  find(library, "kokkosp_finalize_library", finalize_);
}

std::unique_ptr<attached_tool> attached_tool::from_environment() {
  const char* const path = std::getenv(variable);
  if (path == nullptr || *path == 0) return nullptr;
  std::unique_ptr<attached_tool> tool(new attached_tool(path));
  if (tool->initialize_ != nullptr) tool->initialize_(0, interface_version, 0, nullptr);
  tool->started_ = true;
  return tool;
}

void attached_tool::expect_loadable() {
  const char* const path = std::getenv(variable);
  if (path != nullptr && *path != 0) const attached_tool tried(path);
}

attached_tool::~attached_tool() {
  if (started_ && finalize_ != nullptr) finalize_();
}

}  // namespace rednova::exec
