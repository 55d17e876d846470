// The fixture of all device tests.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "exec/cuda/array.hpp"
#include "exec/cuda/device.hpp"

namespace rednova::testing_on {

/// Skips its tests, with the reason, on a machine without a device.
class device : public testing::Test {
 protected:
  void SetUp() override {
    const exec::cuda::availability found = exec::cuda::find_devices();
    if (found.devices == 0) GTEST_SKIP() << "no CUDA device: " << found.reason;
  }
};

/// As many numbers on the device, none of which a kernel should leave.
inline exec::cuda::array<double> wrong_numbers(const exec::cuda::context& context, std::size_t count) {
  return exec::cuda::on_device(context, std::vector<double>(count, 1e300));
}

}  // namespace rednova::testing_on
