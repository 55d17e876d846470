// A library that the program opens while it runs, where there is one.
#pragma once

#include <dlfcn.h>

#include <initializer_list>
#include <string>

namespace rednova::exec {

/// It stays open to the end of the program: threads of its own may outlive the run.
class shared_library {
 public:
  /// Opens the first of these that can be opened.
  shared_library(std::initializer_list<std::string> names, int flags = RTLD_NOW | RTLD_LOCAL) {
    for (const std::string& name : names) {
      handle_ = dlopen(name.c_str(), flags);
      if (handle_ != nullptr) {
        name_ = name;
        why_not_.clear();
        return;
      }
      const char* const why = dlerror();
      if (why_not_.empty()) why_not_ = why != nullptr ? why : name;
    }
  }

  bool open() const { return handle_ != nullptr; }
  const std::string& name() const { return name_; }
  /// Why the first of the names could not be opened, in the system's words; empty if one is open.
  const std::string& why_not() const { return why_not_; }

  /// Sets `to` to a function of the library, or to null where it has none of that name. Gives whether it has.
  template <class Function>
  bool find(const char* function, Function& to) const {
    to = handle_ == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(handle_, function));
    return to != nullptr;
  }

 private:
  void* handle_ = nullptr;
  std::string name_, why_not_;
};

}  // namespace rednova::exec
