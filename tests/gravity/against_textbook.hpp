// Numbers of cells from the solver and from the textbook's operators (operators_textbook.hpp).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "gravity/layout.hpp"
#include "gravity/operators_textbook.hpp"

namespace rednova::gravity::test {

using core::vec3d;
using core::vec3i;
using textbook::field;
using textbook::tensors;

/// Numbers of cells from the solver and from the textbook: the largest differences, relative to the largest of a kind.
class comparison {
 public:
  explicit comparison(int kinds) : most_(index(kinds)), off_(index(kinds)) {}
  void add(int kind, double found, double expected) {
    ASSERT_TRUE(std::isfinite(found)) << "number " << kind;
    most_[index(kind)] = std::max(most_[index(kind)], std::abs(expected));
    off_[index(kind)] = std::max(off_[index(kind)], std::abs(found - expected));
  }
  /// The numbers of one cell in a block of layout.hpp.
  void add(const std::vector<double>& found, vec3i cell, const std::vector<double>& expected) {
    const int count = static_cast<int>(off_.size());
    for (int n = 0; n < count; ++n)
      add(n, found[index(sorted_cell(count, n, cell.x, cell.y, cell.z))], expected[index(n)]);
  }
  void expect_within(double rounding) const {
    EXPECT_GT(*std::ranges::max_element(most_), 0);
    for (std::size_t kind = 0; kind < most_.size(); ++kind) {
      // Some moments of a leaf cell, which is a point at (±1/4, ±1/4, ±1/4) of its parent, are zero: x² - y² is.
      EXPECT_LE(off_[kind], rounding * most_[kind]) << "number " << kind;
    }
  }

 private:
  std::vector<double> most_, off_;
};

/// Of a translation: each number is a sum of up to 8 * 56 products.
inline constexpr double few_terms = 1e-14;
/// Of the interactions on a level: sums of some 1e3 sources of up to 56 products each, that add up like a walk.
/// Measured: 1.2e-14.
inline constexpr double many_terms = 5e-14;

class generator {
 public:
  explicit generator(unsigned seed) : engine_(seed) {}
  double in(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  vec3d place(double half_width) {
    return {in(-half_width, half_width), in(-half_width, half_width), in(-half_width, half_width)};
  }
  /// Moments of two masses in a cell of width 1.
  tensors moments(int p) {
    tensors result(p);
    for (int i = 0; i < 2; ++i) p2m(in(0.5, 1.5), place(0.5), result);
    return result;
  }
  /// The expansion of a mass outside.
  tensors expansion(int p) {
    tensors result(p), source(p);
    p2m(in(0.5, 1.5), {}, source);
    m2l(source, place(1) + vec3d{2, 3, -1}, result);
    return result;
  }

 private:
  std::mt19937 engine_;
};

/// Writes the numbers of one cell of a block of layout.hpp.
inline void put(const std::vector<double>& numbers, vec3i cell, std::vector<double>& block) {
  const int count = static_cast<int>(numbers.size());
  for (int n = 0; n < count; ++n) block[index(sorted_cell(count, n, cell.x, cell.y, cell.z))] = numbers[index(n)];
}

template <class Visit>
void for_each_cell(int edge, int stride, const Visit& visit) {
  for (int c = 0; c < edge * edge * edge; c += stride) visit(vec3i{c % edge, c / edge % edge, c / (edge * edge)}, c);
}

/// Offset of a child's centre from its parent's, in cell widths of the child.
inline vec3d in_parent(vec3i child) { return {(child.x & 1) - 0.5, (child.y & 1) - 0.5, (child.z & 1) - 0.5}; }
/// The cell of its parent block that holds a cell of a child block.
inline vec3i parent_of(vec3i child, int octant) {
  return {(octant & 1) * H + child.x / 2, (octant >> 1 & 1) * H + child.y / 2, (octant >> 2) * H + child.z / 2};
}

/// In the order of basis.hpp: 1, d/dx, d/dy, d/dz.
inline std::vector<double> view_without_arrays(const field& f) {
  return {f.potential, f.gradient.x, f.gradient.y, f.gradient.z};
}

}  // namespace rednova::gravity::test
