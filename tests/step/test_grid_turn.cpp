// A grid whose rotation changes during a run: gas goes on as if nothing had happened.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "step/collapse.hpp"
#include "step/rotation.hpp"

namespace rednova::step {
namespace {

using core::vec3d;

TEST(grid_turn, goes_on_from_where_it_is) {
  grid_turn turn{.rate = 0.7};
  EXPECT_EQ(turn.at(1.3), 0.7 * 1.3) << "the same bits as without changes";
  turn.change(-0.2, 2);
  EXPECT_EQ(turn.at(2), 0.7 * 2);
  EXPECT_DOUBLE_EQ(turn.at(3), 1.4 - 0.2);
  turn.change(0, 4);
  EXPECT_DOUBLE_EQ(turn.at(100), 1.0);
}

/// Rates that a grid has one after the other: it turns back, stands still, and turns fast.
constexpr double rates[] = {0.7, 0.9, -1.5, 0, 0, 2.5};

/// A dense cold cloud in gas that is thin and as cold, all of one velocity, which is not along an axis.
class moving : public ::testing::Test {
 protected:
  static constexpr vec3d velocity{0.9, 0.4, -0.2}, start{-0.15, -0.08, 0.05};

  static config::parameters input() {
    config::parameters p;
    p.mesh.min_level = 2;
    p.mesh.rotation = rates[0];
    p.mesh.boundaries.fill(config::boundary::zero_gradient);
    return p;
  }
  static void fill(simulation& s, double height) {
    const mesh::fields& f = s.fields();
    for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
      for (int c = 0; c < mesh::cells; ++c) {
        const vec3d away = mesh::view(s.tree()).centre(leaf, c) - start;
        const double rho = 1e-3 + height * std::exp(-dot(away, away) / 0.01), e = 1e-3;
        s.u().at(leaf, 0)[c] = rho;
        for (int d = 0; d < 3; ++d) s.u().at(leaf, f.momentum(d))[c] = rho * velocity[d];
        s.u().at(leaf, f.energy())[c] = e + 0.5 * rho * dot(velocity, velocity);
        s.u().at(leaf, f.entropy())[c] = s.eos().ideal.tracer_of_heat(e);
      }
    }
    prepare(s);
  }
  /// To a time, with another rate each few steps.
  static void run_to(simulation& s, double time) {
    for (int n = 0; s.time() < time; ++n) {
      if (n % 3 == 2) rotate_grid(s, rates[static_cast<std::size_t>(n / 3) % std::size(rates)]);
      advance(s, time - s.time());
    }
  }
  exec::context context{1};
};

// Mass centre of the dense gas, 32 cells along the box: 0.02 of a cell.
TEST_F(moving, a_cloud_is_where_it_should_be) {
  simulation s(input(), context);
  fill(s, 1);
  run_to(s, 0.2);
  EXPECT_GT(std::abs(s.grid_angle() - rates[0] * s.time()), 0.05);
  double mass = 0;
  vec3d sum;
  for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
    for (int c = 0; c < mesh::cells; ++c) {
      const double weight = std::pow(s.density(leaf, c), 2);
      mass += weight;
      sum += weight * mesh::view(s.tree()).centre(leaf, c);
    }
  }
  const vec3d centre = frame_rotation::to_inertial(s.grid_angle())((1 / mass) * sum), there = start + 0.2 * velocity;
  std::printf("off by %.2e %.2e %.2e\n", centre.x - there.x, centre.y - there.y, centre.z - there.z);
  EXPECT_LT(std::sqrt(dot(centre - there, centre - there)), 0.02 / 32);
}

TEST_F(moving, a_uniform_stream_stays_uniform) {
  config::parameters p = input();
  p.hydro.spin = false;
  simulation s(p, context);
  fill(s, 0);
  run_to(s, 0.2);
  const double angle = -s.grid_angle();
  const vec3d v = frame_rotation::to_inertial(angle)(velocity);
  double worst = 0;
  for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
    for (int c = 0; c < mesh::cells; ++c) {
      worst = std::max(worst, std::abs(s.density(leaf, c) / 1e-3 - 1));
      for (int d = 0; d < 3; ++d)
        worst = std::max(worst, std::abs(s.u().at(leaf, s.fields().momentum(d))[c] / 1e-3 - v[d]));
    }
  }
  EXPECT_LT(worst, 1e-13);  // some 60 stages of a few roundings
}

/// A run of the collapse with point masses whose grid is given other rates.
std::unique_ptr<simulation> collapse(exec::context& context, const choices& c, int steps) {
  auto s = std::make_unique<simulation>(collapse_parameters(c), context);
  start_collapse(*s);
  for (int n = 0; n < steps; ++n) {
    if (n % 4 == 3) adapt(*s);
    if (n % 2 == 1) rotate_grid(*s, rates[static_cast<std::size_t>(n / 2) % std::size(rates)]);
    advance(*s, 1e9);
  }
  return s;
}

// As in test_conservation.cpp.
TEST(varying_rotation, conserves_everything_to_rounding) {
  exec::context context;
  for (const bool points : {false, true}) {
    const auto s = collapse(context, {.rotation = 0.7, .gravity = true, .driven = !points, .points = points}, 30);
    const totals r = s->ledger().remainder(), &m = s->ledger().magnitude;
    for (std::size_t k = 0; k < 2; ++k) EXPECT_LT(std::abs(r.species[k]), 1e-13 * m.species[k]);
    for (int d = 0; d < 3; ++d) {
      EXPECT_LT(std::abs(r.momentum[d]), 1e-13 * m.momentum[d]);
      EXPECT_LT(std::abs(r.angular_momentum[d]), 1e-13 * m.angular_momentum[d]);
    }
    EXPECT_LT(std::abs(r.energy), 1e-12 * m.energy);
  }
}

TEST(varying_rotation, changes_no_bit_of_the_gas) {
  exec::context context;
  const auto s = collapse(context, {.rotation = 0.7, .gravity = true}, 3);
  const mesh::block_data u = s->u();
  const totals before = s->ledger().remainder();
  const double orbits = s->orbits();
  rotate_grid(*s, -3);
  EXPECT_EQ(s->rotation(), -3);
  EXPECT_EQ(s->orbits(), orbits);
  EXPECT_EQ(s->ledger().remainder().energy, before.energy);
  for (int leaf = 0; leaf < s->tree().leaves(); ++leaf)
    for (int field = 0; field < s->fields().size(); ++field)
      for (int c = 0; c < mesh::cells; ++c) ASSERT_EQ(s->u().at(leaf, field)[c], u.at(leaf, field)[c]);
}

}  // namespace
}  // namespace rednova::step
