// Floors and the ceiling that act while gas flows, turns and falls: the ledger must close all the same.
#include <gtest/gtest.h>

#include <cmath>

#include "step/cell_limits.hpp"
#include "step/collapse.hpp"

namespace rednova::step {
namespace {

// The thin medium lies at the density floor, which its outflow would undercut, and the hot layer above the ceiling.
config::parameters collapse_at_the_limits() {
  config::parameters p = collapse_parameters({.rotation = 1.7, .gravity = true, .max_level = 2});
  p.hydro.density_floor = 0.0098;
  p.hydro.specific_energy_ceiling = 20;
  p.hydro.thin_gas_density = 0.5;
  return p;
}

TEST(floors, that_act_are_in_the_books) {
  exec::context context;
  simulation s(collapse_at_the_limits(), context);
  start_collapse(s);
  for (int n = 0; n < 20; ++n) {
    if (n % 5 == 4) adapt(s);
    advance(s, 1e9);
  }
  const totals &floors = s.ledger().floors, r = s.ledger().remainder(), &m = s.ledger().magnitude;
  std::printf("floors added mass %.2e of %.2e, energy %.2e of %.2e\n", floors.mass(), m.species[0] + m.species[1],
              floors.energy, m.energy);
  EXPECT_GT(floors.mass(), 1e-8) << "the density floor is to act";
  EXPECT_LT(floors.energy, -1e-4) << "the ceiling is to act";
  for (int d = 0; d < 3; ++d) EXPECT_EQ(floors.momentum[d], 0) << "floors leave momentum alone";
  // As in conservation of_everything_while_the_mesh_adapts: rounding of a few 1e-16 a step.
  for (std::size_t k = 0; k < r.species.size(); ++k) EXPECT_LT(std::fabs(r.species[k]), 1e-13 * m.species[k]);
  for (int d = 0; d < 3; ++d) {
    EXPECT_LT(std::fabs(r.momentum[d]), 1e-13 * m.momentum[d]);
    EXPECT_LT(std::fabs(r.angular_momentum[d]), 1e-13 * m.angular_momentum[d]);
  }
  EXPECT_LT(std::fabs(r.energy), 1e-12 * m.energy);
}

// An empty cell whose momentum came without mass: at the floor's mass it would be 1e9 times too fast, and light would
// take its kinetic energy for real.
TEST(floors, leave_no_cell_too_fast) {
  constexpr double floor = 1e-20, fastest = 20, volume = 0.5;
  const mesh::field_numbers f(2);
  std::vector<double> u(static_cast<std::size_t>(f.size()) * mesh::cells, 0.0);
  const auto at = [&](int field) -> double& { return u[static_cast<std::size_t>(field) * mesh::cells]; };
  for (const double momentum : {5e-10, 1e-20}) {
    at(0) = 2e-13;
    at(1) = -3e-13;
    at(f.momentum(0)) = 0.6 * momentum;
    at(f.momentum(2)) = -0.8 * momentum;
    double masses[2] = {0, 0};
    const double added = raise_cell_density(f, floor, fastest, volume, u.data(), masses);
    const double expected = std::max(floor, momentum / fastest);
    EXPECT_NEAR(density_of(f, u.data()) / expected, 1, 1e-14);
    EXPECT_GE(at(0), 0);
    EXPECT_GE(at(1), 0);
    EXPECT_EQ(at(f.momentum(0)), 0.6 * momentum);
    EXPECT_EQ(at(f.momentum(2)), -0.8 * momentum);
    EXPECT_NEAR(added, 1e-13 + expected, 1e-27);
    EXPECT_NEAR(masses[0] + masses[1], volume * added, 1e-27);
  }
  // Gas above the floor is nobody's concern here.
  at(0) = 1e-12;
  at(1) = 1e-12;
  at(f.momentum(1)) = 1;
  double masses[2] = {0, 0};
  EXPECT_EQ(raise_cell_density(f, floor, fastest, volume, u.data(), masses), 0);
}

}  // namespace
}  // namespace rednova::step
