// Tests that are written once for several places (exec/space.hpp): typed tests, whose type opens a place.
//
// Bodies stand in a header. A .cpp instantiates them with host_spaces, a .cu in cuda/ with on_device
// (device_space.hpp), under the name of the suite, by which CTest calls them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "checking_device.hpp"
#include "exec/space.hpp"

namespace rednova::exec::test {

/// Opens a place of the host. cuda/device_space.hpp opens a device.
struct on_processor {
  using place = host_space;
  /// Why a test cannot have the place; empty if it can.
  static std::string missing() { return {}; }
  /// By how much a power may differ from the host's, relative to it.
  static constexpr double of_powers = 0;
  place at;
};
struct on_checking_device {
  using place = checking_space;
  static std::string missing() { return {}; }
  static constexpr double of_powers = 0;
  place at;
};
using host_spaces = testing::Types<on_processor, on_checking_device>;

/// The fixture: tests are skipped, with the reason, where their place is missing.
template <class Opened>
class space_test : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = Opened::missing(); !why.empty()) GTEST_SKIP() << why;
    opened_.emplace();
  }
  const typename Opened::place& here() const { return opened_->at; }

 private:
  std::optional<Opened> opened_;
};

/// An array's values on the host.
template <class Space, class Array>
auto to_host(const Space& from, const Array& values) {
  std::vector<std::remove_cvref_t<decltype(*values.data())>> copy(values.size());
  from.download(values.data(), std::span(copy));
  return copy;
}

/// How many numbers differ by more than this, relative to themselves. If it is nothing, so must be the difference in
/// bits: 0 is not -0 then.
inline int different(std::span<const double> a, std::span<const double> b, double relative = 0) {
  EXPECT_EQ(a.size(), b.size());
  const auto same = [&](double x, double y) {
    if (std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y)) return true;
    // What is no number has other bits on a device.
    return relative > 0 && ((std::isnan(x) && std::isnan(y)) || std::fabs(x - y) <= relative * std::fabs(y));
  };
  int count = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) count += same(a[i], b[i]) ? 0 : 1;
  return count;
}

}  // namespace rednova::exec::test
