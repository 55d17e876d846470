// The fixture of all device tests.
#pragma once

#include <gtest/gtest.h>

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

}  // namespace rednova::testing_on
