// What sets the time step on each level.
#include "diagnose/step_limits.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mesh/tree.hpp"
#include "step/step.hpp"

namespace rednova::diagnose {
namespace {

/// Gas at rest in the inertial frame with rho = 1, p = 1, gamma = 5/3 in the box [-1, 1]³, whose octant at the upper
/// corner is finer: 7 blocks on level 1, 8 on level 2.
class gas_at_rest {
 public:
  explicit gas_at_rest(double rotation) : s(input(rotation), context) {
    s.begin(rotation);
    std::vector<int> flags(8, 0);
    const mesh::tree coarse = mesh::tree::uniform(s.tree().box(), 1);
    flags.back() = 1;
    s.adopt(mesh::tree(s.tree().box(), coarse.adapted(flags)));
    for (int leaf = 0; leaf < s.tree().leaves(); ++leaf)
      for (int c = 0; c < mesh::cells; ++c) {
        s.u().at(leaf, 0)[c] = 1;
        s.u().at(leaf, s.fields().energy())[c] = 1.5;
        s.u().at(leaf, s.fields().entropy())[c] = s.eos().entropy_tracer(1, 1.5, 0);
      }
    step::prepare(s);
  }
  static config::parameters input(double rotation) {
    config::parameters p;
    p.mesh.lower = {-1, -1, -1};
    p.mesh.base_width = 2;
    p.mesh.max_level = 2;
    p.mesh.rotation = rotation;
    p.hydro.cfl = 0.4;
    return p;
  }

 private:
  exec::context context{1};

 public:
  step::simulation s;
};

const double sound = std::sqrt(5.0 / 3);

TEST(step_limits, are_those_of_sound_where_nothing_moves) {
  const gas_at_rest gas(0);
  const std::vector<step_limit> limits = step_limits(gas.s);
  ASSERT_EQ(limits.size(), 2U);
  for (int i = 0; i < 2; ++i) {
    const step_limit& l = limits[static_cast<std::size_t>(i)];
    EXPECT_EQ(l.level, i + 1);
    EXPECT_NEAR(l.dt, 0.4 / 8 / (i + 1) / sound, 1e-14);
    EXPECT_NEAR(l.signal, sound, 1e-14);
    EXPECT_EQ(l.density, 1);
    EXPECT_EQ(l.gas, 0);
  }
  // Of 7 + 8 blocks the seven take half as many steps.
  EXPECT_NEAR(gain_of_own_steps(gas.s, limits), 15 / (8 + 3.5), 1e-14);
}

TEST(step_limits, of_a_fast_grid_are_those_of_its_edge) {
  const gas_at_rest gas(40);
  const std::vector<step_limit> limits = step_limits(gas.s);
  ASSERT_EQ(limits.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const double edge = 1 - (i == 0 ? 1.0 / 16 : 1.0 / 32);  // centre of the outermost cells
    EXPECT_NEAR(std::max(std::abs(limits[i].at.x), std::abs(limits[i].at.y)), edge, 1e-14);
    EXPECT_NEAR(limits[i].signal, 40 * edge + sound, 1e-12);
    EXPECT_NEAR(limits[i].grid, 40 * std::hypot(limits[i].at.x, limits[i].at.y), 1e-12);
    EXPECT_NEAR(limits[i].dt, 0.4 / 8 / static_cast<double>(i + 1) / limits[i].signal, 1e-14);
  }
}

TEST(step_limits, of_dense_gas_leave_out_the_rest) {
  gas_at_rest gas(0);
  const int leaf = gas.s.tree().leaves() - 1;  // the last is of the finest level
  gas.s.u().at(leaf, 0)[7] = 4;
  const std::vector<step_limit> limits = step_limits(gas.s, 2);
  ASSERT_EQ(limits.size(), 1U);
  EXPECT_EQ(limits[0].level, 2);
  EXPECT_EQ(limits[0].density, 4);
  EXPECT_NEAR(limits[0].signal, sound / 2, 1e-14);
  EXPECT_TRUE(step_limits(gas.s, 5).empty());
}

}  // namespace
}  // namespace rednova::diagnose
