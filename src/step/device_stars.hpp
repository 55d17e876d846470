// Where the two stars of a binary are, of fields in an execution space's memory (exec/space.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "step/stars.hpp"

namespace rednova::step {

/// As sum_stars for each block, to the bit. Holds no memory where there are no two stars.
template <class Space>
class device_stars {
 public:
  device_stars(int blocks, int species, const star_species& of)
      : blocks_(of.two() ? blocks : 0),
        species_(species),
        of_(of),
        rows_(numbers(blocks_ * mesh::N * mesh::N)),
        sums_(numbers(blocks_)),
        found_(numbers(blocks_)) {}

  /// in: [block], the execution space's as all that they point to.
  void sum(const Space& space, const summed_block* in) {
    if (blocks_ == 0) return;
    space.for_each(blocks_ * mesh::N * mesh::N, star_rows{in, species_, of_, rows_.data()});
    space.for_each(blocks_ * numbers_of_stars, add_star_rows{rows_.data(), sums_.data()});
    space.download(sums_.data(), std::span<double>(found_));
  }
  /// What the last sum found for a block, to[numbers_of_stars].
  void give(int block, double* to) const {
    std::copy_n(found_.begin() + static_cast<std::ptrdiff_t>(block) * numbers_of_stars, numbers_of_stars, to);
  }
  double bytes() const { return static_cast<double>((rows_.size() + sums_.size()) * sizeof(double)); }

 private:
  static std::size_t numbers(int rows) { return static_cast<std::size_t>(rows) * numbers_of_stars; }

  int blocks_, species_;
  star_species of_;
  typename Space::template array<double> rows_, sums_;
  std::vector<double> found_;
};

}  // namespace rednova::step
