// How a program of several ranks ends that tests one thing.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <functional>

namespace rednova::test {

/// Runs it, and says what it throws; the exit code.
inline int reported(const std::function<void()>& run) {
  try {
    run();
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
}

}  // namespace rednova::test
