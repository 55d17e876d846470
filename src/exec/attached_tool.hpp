// A library of the user's that listens to the phases of a run, by the C interface of Kokkos Tools.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace rednova::exec {

/// APEX, Caliper, TAU, Nsight's connector and others are such libraries. Each phase on each thread is a parallel_for
/// for them, from whichever thread it runs on. Interface: https://github.com/kokkos/kokkos-tools/wiki.
class attached_tool {
 public:
  /// The library that KOKKOS_TOOLS_LIBS names; null if it names none.
  /// @throws core::user_error if it cannot be loaded, or is none of Kokkos Tools.
  static std::unique_ptr<attached_tool> from_environment();

  /// Whether the variable names one.
  static bool asked_for();
  /// The same check without its start.
  static void expect_loadable();

  attached_tool(const attached_tool&) = delete;
  attached_tool& operator=(const attached_tool&) = delete;
  /// Tells it that the run has ended.
  ~attached_tool();

  /// A phase begins on the calling thread. Gives what its end is called with.
  std::uint64_t begin(const char* phase) const {
    std::uint64_t number = 0;
    begin_(phase, 0, &number);
    return number;
  }
  void end(std::uint64_t number) const { end_(number); }

 private:
  explicit attached_tool(const std::string& path);

  void (*begin_)(const char*, std::uint32_t, std::uint64_t*) = nullptr;
  void (*end_)(std::uint64_t) = nullptr;
  void (*initialize_)(int, std::uint64_t, std::uint32_t, void*) = nullptr;
  void (*finalize_)() = nullptr;
  bool started_ = false;
};

}  // namespace rednova::exec
