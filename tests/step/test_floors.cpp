// Floors and the ceiling that act while gas flows, turns and falls: the ledger must close all the same.
#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace rednova::step
