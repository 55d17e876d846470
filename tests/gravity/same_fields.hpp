// Fields of a whole solve from kernels that add the same products in different orders.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "system.hpp"

namespace rednova::gravity::test {

/// Largest differences, relative to the largest number of a kind.
struct closeness {
  double field, torque;
};

/// Of a device's M2L, M2P and P2P, with the bound of same_numbers.hpp, and of fields computed from them; torques are
/// what is left of larger numbers. Measured with thread blocks of the processor's threads, order 3: 1.7e-15
/// and 2.6e-15; on an H200, which fuses products with sums, below 5e-14 and 1.8e-13.
inline constexpr closeness device_rounding{5e-14, 5e-13};

/// values: [leaf][result_fields][cell]; own: the solver's.
inline void expect_same_fields(const system& s, const double* values, const mesh::block_data& own,
                               const closeness& within) {
  for (int f = 0; f < result_fields; ++f) {
    double most = 0, off = 0;
    for (int c = 0; c < s.cells(); ++c) {
      const double expected = s.of(own, f, c);
      const double value = values[(c / mesh::cells * result_fields + f) * mesh::cells + c % mesh::cells];
      ASSERT_TRUE(std::isfinite(value)) << "field " << f << " of cell " << c;
      most = std::max(most, std::abs(expected));
      off = std::max(off, std::abs(value - expected));
    }
    EXPECT_LE(off, (f < torque ? within.field : within.torque) * most) << "field " << f;
  }
}

}  // namespace rednova::gravity::test
