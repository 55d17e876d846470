#include "output/packed_records.hpp"

#include <algorithm>
#include <cstdint>

namespace rednova::output {

namespace {

using exec::trace_record;

constexpr unsigned kind_bits = 3, has_id = 4, has_cause = 8, depth_at = 4, deepest = 15;
constexpr unsigned seven_bits = 127, goes_on = 128;

std::uint64_t without_sign(std::int64_t d) {
  return static_cast<std::uint64_t>(d) << 1U ^ static_cast<std::uint64_t>(d >> 63);
}
std::int64_t with_sign(std::uint64_t n) {
  return static_cast<std::int64_t>(n >> 1U) ^ -static_cast<std::int64_t>(n & 1U);
}

unsigned head_of(const trace_record& r) {
  return static_cast<unsigned>(r.what) | (r.id != 0 ? has_id : 0) | (r.cause != 0 ? has_cause : 0) |
         std::min<unsigned>(r.depth, deepest) << depth_at;
}
std::int64_t time_of(const trace_record& r) { return r.message() ? r.start : r.end; }

class writer {
 public:
  void byte(unsigned b) { bytes.push_back(static_cast<std::byte>(b)); }
  void number(std::uint64_t n) {
    for (; n > seven_bits; n >>= 7U) byte(static_cast<unsigned>(n & seven_bits) | goes_on);
    byte(static_cast<unsigned>(n));
  }
  /// What a value is more than the one before of its column.
  void step(std::int64_t value, std::int64_t& before) {
    number(without_sign(value - before));
    before = value;
  }
  std::vector<std::byte> bytes;
};

class reader {
 public:
  explicit reader(std::span<const char> bytes) : left(bytes) {}
  unsigned byte() {
    whole = whole && !left.empty();
    if (!whole) return 0;
    const auto b = static_cast<unsigned char>(left.front());
    left = left.subspan(1);
    return b;
  }
  std::uint64_t number() {
    std::uint64_t n = 0;
    for (unsigned at = 0; at < 64; at += 7) {
      const unsigned b = byte();
      n |= static_cast<std::uint64_t>(b & seven_bits) << at;
      if (b < goes_on) return n;
    }
    whole = false;
    return n;
  }
  std::int64_t step(std::int64_t& before) {
    // Of a damaged file the sum may be any number.
    before =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(before) + static_cast<std::uint64_t>(with_sign(number())));
    return before;
  }
  std::span<const char> left;
  bool whole = true;  ///< all bytes that were asked for were there
};

}  // namespace

std::vector<std::byte> packed(std::span<const trace_record> records) {
  writer to;
  std::int64_t time = 0, id = 0, cause = 0, other = 0;
  for (const trace_record& r : records) to.byte(head_of(r));
  for (const trace_record& r : records) to.number(r.name);
  for (const trace_record& r : records) to.step(time_of(r), time);
  for (const trace_record& r : records)
    if (!r.message()) to.number(static_cast<std::uint64_t>(r.end - r.start));
  for (const trace_record& r : records)
    if (r.id != 0) to.step(r.id, id);
  for (const trace_record& r : records)
    if (r.cause != 0) to.step(r.cause, cause);
  for (const trace_record& r : records)
    if (r.id != 0) to.step(r.other, other);
  for (const trace_record& r : records)
    if (r.message()) to.number(r.number());
  for (const trace_record& r : records)
    if (r.message()) to.number(r.bytes());
  return std::move(to.bytes);
}

std::optional<std::vector<trace_record>> unpacked(std::span<const char> bytes, std::size_t count) {
  if (bytes.size() < count) return {};
  reader from(bytes);
  std::vector<unsigned> heads(count);
  std::vector<trace_record> records(count);
  for (std::size_t i = 0; i < count; ++i) {
    heads[i] = from.byte();
    records[i].what = static_cast<trace_record::kind>(heads[i] & kind_bits);
    records[i].depth = static_cast<std::uint8_t>(heads[i] >> depth_at);
    records[i].other = -1;
  }
  std::int64_t time = 0, id = 0, cause = 0, other = 0;
  for (trace_record& r : records) r.name = static_cast<std::uint16_t>(from.number());
  for (trace_record& r : records) r.start = r.end = from.step(time);
  for (trace_record& r : records)
    if (!r.message()) r.start -= static_cast<std::int64_t>(from.number() & INT64_MAX);
  for (std::size_t i = 0; i < count; ++i)
    if ((heads[i] & has_id) != 0) records[i].id = static_cast<std::uint32_t>(from.step(id));
  for (std::size_t i = 0; i < count; ++i)
    if ((heads[i] & has_cause) != 0) records[i].cause = static_cast<std::uint32_t>(from.step(cause));
  for (std::size_t i = 0; i < count; ++i)
    if ((heads[i] & has_id) != 0) records[i].other = static_cast<std::int32_t>(from.step(other));
  for (trace_record& r : records)
    if (r.message()) r.end = static_cast<std::int64_t>(from.number());
  for (trace_record& r : records)
    if (r.message()) r.end = trace_record::message_end(static_cast<std::uint32_t>(r.end), from.number());
  if (!from.whole || !from.left.empty()) return {};
  return records;
}

}  // namespace rednova::output
