// The first CUDA device for the tests of exec/on_space.hpp. Only sources that nvcc compiles include this.
#pragma once

#include <string>

#include "exec/cuda/space.hpp"
#include "exec/on_space.hpp"

namespace rednova::exec::test {

struct on_device {
  using place = cuda::space;
  static std::string missing() {
    const cuda::availability found = cuda::find_devices();
    return found.devices > 0 ? std::string() : "no CUDA device: " + found.reason;
  }
  /// Host and device round pow to 1 and 2 ulp (CUDA C++ Programming Guide, mathematical functions), of 2.2e-16. Not
  /// measured: no device was at hand.
  static constexpr double of_powers = 2e-15;
  cuda::context context;
  place at{&context};
};

}  // namespace rednova::exec::test
