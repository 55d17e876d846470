// That the checking device is strict: each mistake that it is meant to find is made here.
#include "checking_device.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "exec/macros.hpp"

namespace rednova::exec::test {
namespace {

using doubles = checking_space::array<double>;

struct add_one {
  double* values;
  REDNOVA_FN void operator()(int i) const { values[i] += 1; }
};
/// Each number to be one more than the last: what a kernel must not do.
struct count_on {
  double* values;
  REDNOVA_FN void operator()(int i) const { values[i] = i == 0 ? 0 : values[i - 1] + 1; }
};

std::vector<double> host(const checking_space& here, const doubles& values) {
  std::vector<double> copy(values.size());
  here.download(values.data(), std::span<double>(copy));
  return copy;
}

TEST(checking_space, runs_what_is_launched) {
  const checking_space here;
  doubles values = here.copy_of(std::vector<double>(1000, 3.0)), none;
  for (int n = 0; n < 2; ++n) here.for_each(1000, add_one{values.data()});
  here.for_each(0, add_one{none.data()});
  EXPECT_EQ(host(here, values), std::vector<double>(1000, 5.0));
  doubles moved = std::move(values);
  here.for_each(1000, add_one{moved.data()});
  EXPECT_EQ(host(here, moved), std::vector<double>(1000, 6.0));
}

TEST(checking_space, runs_nothing_before_the_host_waits) {
  const checking_space here;
  int number = 0;
  here.later([&] { ++number; });
  here.for_each(3, [&number](int) { ++number; });
  EXPECT_EQ(number, 0);
  here.wait();
  EXPECT_EQ(number, 4);
  here.later([&] { ++number; });
  std::optional<doubles> values(3);
  EXPECT_EQ(number, 4);
  values.reset();
  EXPECT_EQ(number, 4);
  here.wait();
  EXPECT_EQ(number, 5);
}

TEST(checking_space, hands_out_memory_without_numbers) {
  const checking_space here;
  for (const double x : host(here, doubles(700))) EXPECT_TRUE(std::isnan(x));
}

TEST(checking_space, takes_indices_in_no_order) {
  std::vector<std::vector<int>> seen;
  for (const unsigned seed : {1, 1, 2}) {
    std::vector<int>& all = seen.emplace_back();
    const checking_space here{seed};
    here.for_each(100, [&all](int i) { all.push_back(i); });
    here.wait();
  }
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_NE(seen[0], seen[2]);
  EXPECT_FALSE(std::ranges::is_sorted(seen[0]));
  std::ranges::sort(seen[0]);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(seen[0][static_cast<std::size_t>(i)], i);
}

TEST(checking_space, shows_kernels_that_read_what_others_write) {
  const checking_space here;
  doubles values = here.copy_of(std::vector<double>(100, 0.0));
  here.for_each(100, count_on{values.data()});
  std::vector<double> in_order(100);
  for (int i = 0; i < 100; ++i) count_on{in_order.data()}(i);
  EXPECT_NE(host(here, values), in_order);
}

double read(const double* values) { return *static_cast<const volatile double*>(values); }

TEST(checking_device_death, of_a_host_that_reads_or_writes_an_array) {
  const checking_space here;
  doubles values = here.copy_of(std::vector<double>(10, 3.0));
  EXPECT_DEATH(read(values.data()), "");
  EXPECT_DEATH(std::memset(values.data(), 0, sizeof(double)), "");
  here.for_each(10, add_one{values.data()});
  here.wait();
  EXPECT_DEATH(read(values.data()), "");
}

TEST(checking_device_death, of_a_kernel_whose_array_is_gone) {
  const checking_space here;
  double* gone = nullptr;
  {
    doubles values(10);
    gone = values.data();
  }
  EXPECT_DEATH((here.for_each(10, add_one{gone}), here.wait()), "");
}

}  // namespace
}  // namespace rednova::exec::test
