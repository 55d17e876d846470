// Gravity's work on gas that stands still in the turning grid.
#include <gtest/gtest.h>

#include <algorithm>

#include "step/collapse.hpp"

namespace rednova::step {
namespace {

// Two lumps at one pressure that turn with the grid: at first no gas flows and no pressure pushes, so the energy of a
// cell changes by rho (Omega × x)·g and the power of gravity's spin torque, and by nothing else.
void fill_carried(simulation& s) {
  const mesh::fields& f = s.fields;
  for (int leaf = 0; leaf < s.tree.leaves(); ++leaf) {
    const double h = s.tree.cell_width(leaf);
    for (int c = 0; c < mesh::cells; ++c) {
      const core::vec3d x = s.tree.centre(leaf, c % mesh::N, c / mesh::N % mesh::N, c / mesh::N / mesh::N);
      const core::vec3d a = x - core::vec3d{0.2, 0.05, 0}, b = x - core::vec3d{-0.15, -0.1, 0.05};
      const double rho = 0.1 + 3 * std::exp(-dot(a, a) / 0.01) + 5 * std::exp(-dot(b, b) / 0.02);
      const core::vec3d v{-s.rotation * x.y, s.rotation * x.x, 0};
      const double e = s.eos.internal_energy(rho, 1.0);
      s.u.at(leaf, 0)[c] = s.u.at(leaf, 1)[c] = rho / 2;
      for (int d = 0; d < 3; ++d) s.u.at(leaf, f.momentum(d))[c] = rho * v[d];
      s.u.at(leaf, f.energy())[c] = e + 0.5 * rho * dot(v, v);
      s.u.at(leaf, f.entropy())[c] = s.eos.entropy_tracer(e);
      s.u.at(leaf, f.spin(2))[c] = rho * h * h / 6 * s.rotation;
    }
  }
  prepare(s);
}

TEST(carried_gas, gets_the_power_of_gravity) {
  config::parameters p = collapse_parameters({.rotation = 1.3, .gravity = true});
  p.mesh.min_level = p.mesh.max_level = 2;
  exec::context where;
  simulation s(p, where);
  fill_carried(s);

  const double dt = 1e-5;
  const int energy = s.fields.energy();
  const mesh::block_data before = s.u, g = s.gravity;
  advance(s, dt);
  ASSERT_EQ(s.dt, dt);

  double largest_power = 0, largest_error = 0;
  for (int leaf = 0; leaf < s.tree.leaves(); ++leaf) {
    for (int c = 0; c < mesh::cells; ++c) {
      const core::vec3d x = s.tree.centre(leaf, c % mesh::N, c / mesh::N % mesh::N, c / mesh::N / mesh::N);
      // Beyond the domain's boundary the gas does not turn with the grid, which three stages bring nine cells inwards
      // at most, and with the order of dt.
      if (std::max({std::fabs(x.x), std::fabs(x.y), std::fabs(x.z)}) > 0.5 - 10 * s.tree.cell_width(leaf)) continue;
      const double rho = before.at(leaf, 0)[c] + before.at(leaf, 1)[c];
      const double gx = g.at(leaf, gravity::acceleration)[c], gy = g.at(leaf, gravity::acceleration + 1)[c];
      const double power = s.rotation * (rho * (x.x * gy - x.y * gx) + g.at(leaf, gravity::torque + 2)[c]);
      const double change = (s.u.at(leaf, energy)[c] - before.at(leaf, energy)[c]) / dt;
      largest_power = std::max(largest_power, std::fabs(power));
      largest_error = std::max(largest_error, std::fabs(change - power));
    }
  }
  EXPECT_GT(largest_power, 0.1);
  // The flow that gravity starts grows with dt: some 10 dt of the power, and rounding of 1e-16 E / dt.
  EXPECT_LT(largest_error, 1e-3 * largest_power);
}

}  // namespace
}  // namespace rednova::step
