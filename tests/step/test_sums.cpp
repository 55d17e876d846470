// What leaves contribute to the sums over the grid, against plain loops over their cells.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "collapse.hpp"
#include "step/cores.hpp"
#include "step/sums.hpp"

namespace rednova::step {
namespace {

/// A component of totals of a leaf by its definition, and the sum of magnitudes.
struct component {
  long double value = 0, magnitude = 0;
  void add(double term) {
    value += term;
    magnitude += std::fabs(term);
  }
};
std::vector<component> by_definition(const simulation& s, int leaf) {
  const mesh::fields& f = s.fields();
  const int species = f.species();
  std::vector<component> sum(static_cast<std::size_t>(species + vector_and_energy));
  const auto at = [&](int n) -> component& { return sum[static_cast<std::size_t>(n)]; };
  const double volume = std::pow(s.tree().cell_width(leaf), 3);
  for (int c = 0; c < mesh::cells; ++c) {
    const core::vec3d x = s.tree().centre(leaf, c % mesh::N, c / mesh::N % mesh::N, c / mesh::N / mesh::N);
    const auto u = [&](int field) { return s.u().at(leaf, field)[c]; };
    for (int k = 0; k < species; ++k) at(k).add(volume * u(f.species(k)));
    for (int d = 0; d < 3; ++d) {
      const int a = (d + 1) % 3, b = (d + 2) % 3;
      at(species + d).add(volume * u(f.momentum(d)));
      at(species + 3 + d).add(volume * x[a] * u(f.momentum(b)));
      at(species + 3 + d).add(-volume * x[b] * u(f.momentum(a)));
      at(species + 3 + d).add(volume * u(f.spin(d)));
      at(species + 7 + d).add(volume * u(f.spin(d)));
    }
    at(species + 6).add(volume * u(f.energy()));
    if (s.par().gravity.enabled) at(species + 6).add(0.5 * volume * s.density(leaf, c) * s.gravity().at(leaf, 0)[c]);
  }
  return sum;
}

TEST(sums, of_a_leaf_are_those_of_its_cells) {
  for (const bool gravity : {false, true}) {
    exec::context context;
    config::parameters p = collapse_parameters({.rotation = 1.7, .gravity = gravity});
    p.hydro.species = {"accretor", "donor"};
    simulation s(p, context);
    start_collapse(s);
    for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
      for (int d = 0; d < 3; ++d) std::fill_n(s.u().at(leaf, s.fields().spin(d)), mesh::cells, 1e-3 * (d + leaf));
    }
    s.stepper().sum();
    for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
      const std::vector<component> expected = by_definition(s, leaf);
      const core::compensated* found = s.stepper().sums(leaf);
      for (std::size_t n = 0; n < expected.size(); ++n) {
        // Rows are added up without compensation, 8 terms each: 1e-15 of the magnitude.
        const auto magnitude = static_cast<double>(expected[n].magnitude), rounding = 2e-15 * magnitude;
        EXPECT_NEAR(found[n].value(), static_cast<double>(expected[n].value), rounding) << "component " << n;
        EXPECT_NEAR(found[expected.size() + n].value(), magnitude, rounding) << "magnitude " << n;
      }
      double stars[numbers_of_stars] = {};
      const summed_block block{s.u().at(leaf), nullptr, s.tree().corner(leaf), s.tree().cell_width(leaf)};
      sum_stars(block, s.fields().species(), s.star_gas(), stars);
      for (std::size_t n = 0; n < numbers_of_stars; ++n) EXPECT_EQ(found[2 * expected.size() + n].value(), stars[n]);
    }
  }
}

// Gas takes it up as spin: were it the flow's, the flow would seem to drift.
TEST(sums, the_spin_of_light_is_not_the_flow_s) {
  exec::context context;
  simulation s(collapse_parameters({.rotation = 1.7, .lit = true}), context);
  start_collapse(s);
  advance(s, 1e-3);
  const totals before = sum_grid(s).value;
  const double volume = std::pow(s.tree().cell_width(0), 3), added = 1e3;
  for (int c = 0; c < mesh::cells; ++c) s.light().at(0, radiation::field::spin(2))[c] += added;
  const totals after = sum_grid(s).value;
  const double all = mesh::cells * volume * added;
  EXPECT_NEAR(after.angular_momentum.z - before.angular_momentum.z, all, 1e-12 * all);
  EXPECT_NEAR(after.flow().z, before.flow().z, 1e-12 * all);
}

}  // namespace
}  // namespace rednova::step
