// Memory that is zero at first.
#include "exec/array.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>

namespace rednova::exec {
namespace {

constexpr std::size_t large = zeroed_allocator<double>::large / sizeof(double);

TEST(zeroed_array, is_zero_and_aligned_whatever_its_memory_was_before) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{1000}, large - 1, large, 3 * large + 1}) {
    for (int again = 0; again < 2; ++again) {
      zeroed_array<double> a(size);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 64, 0U);
      EXPECT_TRUE(std::ranges::all_of(a, [](double x) { return x == 0; })) << size;
      std::ranges::fill(a, 1.0);
    }
  }
}

TEST(zeroed_array, keeps_its_values_where_it_is_copied_moved_or_made_larger) {
  zeroed_array<double> a(large);
  a.front() = 1;
  a.back() = 2;
  const zeroed_array<double> copy = a;
  EXPECT_EQ(copy, a);
  a.resize(2 * large);
  EXPECT_EQ(a[0], 1);
  EXPECT_EQ(a[large - 1], 2);
  EXPECT_EQ(a[large], 0);
  const zeroed_array<double> moved = std::move(a);
  EXPECT_EQ(moved[large - 1], 2);
  EXPECT_EQ(zeroed_array<double>(3, 7.0)[2], 7);
}

TEST(zeroed_array, says_where_there_is_no_memory) {
  EXPECT_THROW(zeroed_allocator<double>().allocate(std::numeric_limits<std::size_t>::max() / 16), std::bad_alloc);
}

}  // namespace
}  // namespace rednova::exec
