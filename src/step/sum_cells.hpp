// What leaves contribute to the sums over the grid: the conserved quantities, and where two stars are (batch.hpp).
#pragma once

#include <cstddef>

#include "gravity/result_field.hpp"
#include "step/batch.hpp"
#include "step/block_sums.hpp"
#include "step/stars.hpp"
#include "step/view.hpp"

namespace rednova::step {

/// Numbers of a leaf: the components of totals, the sums of magnitudes, and where there are two stars numbers_of_stars.
constexpr int numbers_of_sums(int species, bool stars) {
  return 2 * (species + vector_and_energy) + (stars ? numbers_of_stars : 0);
}
/// What is kept of each row of its cells: the terms, their magnitudes, and the same numbers of the stars.
constexpr int numbers_of_row(int species, bool stars) {
  return 2 * terms_of_row(species) + (stars ? numbers_of_stars : 0);
}

/// For each row of a leaf.
struct sum_rows {
  state_view s;
  star_species stars;
  double* rows;  ///< [position][numbers_of_row][row of cells]

  REDNOVA_FN void operator()(const batch_item& at) const {
    const int species = s.fields.species(), terms = terms_of_row(species);
    const double* phi = s.has_gravity() ? s.gravity.at(at.leaf, gravity::potential) : nullptr;
    const summed_block block{s.u.at(at.leaf), phi, s.tree.corner(at.leaf), s.tree.cell_width(at.leaf)};
    double* const first =
        rows + static_cast<std::ptrdiff_t>(at.position) * numbers_of_row(species, stars.two()) * rows_of_leaf +
        at.number;
    double *value = first, *magnitude = first + terms * rows_of_leaf;
    for_terms(block, s.fields, at.number, [&](const auto& term) {
      const row_sum sum(term);
      *value = sum.value;
      *magnitude = sum.magnitude;
      value += rows_of_leaf;
      magnitude += rows_of_leaf;
    });
    if (!stars.two()) return;
    double of_stars[numbers_of_stars];
    sum_row_of_stars(block, species, stars, at.number, of_stars);
    for (int i = 0; i < numbers_of_stars; ++i) first[(2 * terms + i) * rows_of_leaf] = of_stars[i];
  }
};

/// For each of a leaf's numbers_of_sums: adds its rows, in their order, with compensation but for the stars.
struct add_row_sums {
  state_view s;
  bool stars;
  const double* rows;       ///< of sum_rows
  core::compensated* sums;  ///< [own leaf][numbers_of_sums]

  REDNOVA_FN void operator()(const batch_item& at) const {
    const int species = s.fields.species(), terms = terms_of_row(species), width = species + vector_and_energy;
    const double* const first =
        rows + static_cast<std::ptrdiff_t>(at.position) * numbers_of_row(species, stars) * rows_of_leaf;
    core::compensated& to =
        sums[static_cast<std::ptrdiff_t>(at.leaf - s.first_leaf) * numbers_of_sums(species, stars) + at.number];
    if (at.number >= 2 * width) {
      const double* numbers = first + (2 * terms + at.number - 2 * width) * rows_of_leaf;
      double sum = 0;
      for (int row = 0; row < rows_of_leaf; ++row) sum += numbers[row];
      to = core::compensated(sum);
      return;
    }
    const term_range range = terms_of(at.number % width, species, s.has_gravity());
    const double* numbers = first + (at.number / width * terms + range.first) * rows_of_leaf;
    core::compensated sum;
    for (int row = 0; row < rows_of_leaf; ++row)
      for (int t = 0; t < range.count; ++t) sum += numbers[t * rows_of_leaf + row];
    to = sum;
  }
};

}  // namespace rednova::step
