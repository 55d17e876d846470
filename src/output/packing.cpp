#include "output/packing.hpp"

#include <zlib.h>

#include <cstring>

#include "core/check.hpp"

namespace rednova::output {

std::span<const std::byte> in_precision(std::span<double> values, config::number_precision precision) {
  const std::span<std::byte> bytes = std::as_writable_bytes(values);
  if (precision == config::number_precision::double_precision) return bytes;
  // Ascending: a number is read before the smaller ones reach its place.
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto small = static_cast<float>(values[i]);
    std::memcpy(bytes.data() + i * sizeof(float), &small, sizeof(float));
  }
  return bytes.first(values.size() * sizeof(float));
}

std::vector<std::byte> compressed(std::span<const std::byte> chunk, const packing& how) {
  // Shuffle: all first bytes of the numbers, then all second ones …, which repeat more.
  const std::size_t bytes = how.number_bytes(), numbers = chunk.size() / bytes;
  std::vector<std::byte> shuffled(chunk.size());
  for (std::size_t b = 0; b < bytes; ++b) {
    for (std::size_t i = 0; i < numbers; ++i) shuffled[b * numbers + i] = chunk[i * bytes + b];
  }
  uLongf size = compressBound(static_cast<uLong>(shuffled.size()));
  std::vector<std::byte> out(size);
  const int result =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(shuffled.data()),
                static_cast<uLong>(shuffled.size()), how.compression);
  ENSURE(result == Z_OK);
  out.resize(size);
  return out;
}

}  // namespace rednova::output
