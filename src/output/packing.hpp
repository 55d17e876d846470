// How the numbers of fields lie in a file: in which precision, and compressed as HDF5's filters do it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "config/parameters.hpp"

namespace rednova::output {

struct packing {
  config::number_precision precision = config::number_precision::double_precision;
  int compression = 0;  ///< gzip's level; 0: none

  std::uint64_t number_bytes() const {
    return precision == config::number_precision::single_precision ? sizeof(float) : sizeof(double);
  }
};
inline packing packing_of(const config::parameters& p) { return {p.output.precision, p.output.compression}; }

/// The bytes of numbers in a precision, made in their own memory: the numbers are lost where it is single.
std::span<const std::byte> in_precision(std::span<double> values, config::number_precision precision);

/// What HDF5's filters shuffle and deflate make of a chunk.
std::vector<std::byte> compressed(std::span<const std::byte> chunk, const packing& how);

}  // namespace rednova::output
