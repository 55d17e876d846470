// Records of a trace in a file: that all of them come back.
#include "output/packed_records.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace rednova::output {
namespace {

using exec::trace_record;
using kind = trace_record::kind;

std::span<const char> chars(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void expect_back(const std::vector<trace_record>& all) {
  const auto found = unpacked(chars(packed(all)), all.size());
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), all.size());
  if (!all.empty()) {
    EXPECT_EQ(std::memcmp(found->data(), all.data(), all.size() * sizeof(trace_record)), 0);
  }
}

TEST(packed_records, come_back) {
  expect_back({});
  constexpr std::uint32_t largest = std::numeric_limits<std::uint32_t>::max();
  constexpr std::int64_t late = std::numeric_limits<std::int64_t>::max();
  expect_back({{5, 9, 0, 0, -1, 0, kind::work, 0},
               {late - 1, late, largest, largest, std::numeric_limits<std::int32_t>::max(), 65535, kind::wait, 15},
               {-7, -7, 1, 0, -1, 255, kind::work, 3},
               {4, trace_record::message_end(largest, largest), 2, 1, 0, 7, kind::sent, 0},
               {late, trace_record::message_end(1, 0), largest - 1, 0, 4096, 127, kind::received, 0}});
  std::mt19937_64 random(1);
  std::vector<trace_record> all(5000);
  for (trace_record& r : all) {
    r = {static_cast<std::int64_t>(random() >> 20U),
         0,
         static_cast<std::uint32_t>(random() >> 40U),
         0,
         -1,
         static_cast<std::uint16_t>(random() % 300),
         static_cast<kind>(random() % 4),
         static_cast<std::uint8_t>(random() % 16)};
    if (random() % 2 == 0) r.cause = static_cast<std::uint32_t>(random());
    if (r.message() && r.id == 0) r.id = 1;
    if (r.id != 0) r.other = static_cast<std::int32_t>(random() % 1000);
    r.end = r.message() ? trace_record::message_end(static_cast<std::uint32_t>(random() >> 40U), random() >> 40U)
                        : r.start + static_cast<std::int64_t>(random() >> 30U);
  }
  expect_back(all);
}

TEST(packed_records, are_small_where_they_follow_each_other) {
  std::vector<trace_record> all;
  std::int64_t t = 1'000'000'000'000;
  for (std::uint32_t n = 1; n <= 1000; ++n, t += 300) {
    all.push_back({t + 100, t + 50'000, 0, 0, -1, 3, kind::work, 2});
    all.push_back({t, t + 50'200, n, n - 1, static_cast<std::int32_t>(n), 17, kind::work, 1});
    t += 50'200;
  }
  const double bytes = static_cast<double>(packed(all).size()) / static_cast<double>(all.size());
  EXPECT_LT(bytes, 9.5) << "of a scope 8, of a task around it 10.5";
}

TEST(packed_records, that_are_damaged_are_none) {
  const std::vector<trace_record> all(10, {1000, 2000, 3, 4, 5, 6, kind::work, 1});
  const std::vector<std::byte> whole = packed(all);
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes)
    EXPECT_FALSE(unpacked(chars(whole).first(bytes), all.size())) << bytes;
  EXPECT_FALSE(unpacked(chars(whole), all.size() - 1));
  EXPECT_FALSE(unpacked(chars(whole), std::size_t{1} << 31U)) << "nor is memory asked for so many";
  const std::vector<char> endless(100, '\xff');
  EXPECT_FALSE(unpacked(endless, 1));
}

}  // namespace
}  // namespace rednova::output
