// A grid that follows the orbit of two stars.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/constants.hpp"
#include "step/driver.hpp"
#include "step/passing_clouds.hpp"

namespace rednova::step {
namespace {

using core::pi;
using core::vec3d;

class followed : public ::testing::Test {
 protected:
  static config::parameters input(config::followed what) {
    config::parameters p;
    p.mesh.min_level = 2;
    p.mesh.max_level = 2;
    p.mesh.rotation = 1;
    p.mesh.regrid_interval = 2;
    p.mesh.rotation_follows = what;
    p.hydro.species = {"accretor", "donor"};
    return p;
  }
  static void fill(simulation& s) { fill_with_passing_clouds(s); }
  /// All gas becomes a mixture.
  static void merge(simulation& s) {
    for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
      for (int c = 0; c < mesh::cells; ++c) s.u().at(leaf, 0)[c] = s.u().at(leaf, 1)[c] = 0.5 * s.density(leaf, c);
    }
    prepare(s);
  }
  /// As from a checkpoint of `from`.
  static void go_on(simulation& s, simulation& from) {
    s.u() = from.u();
    s.restore(from.now());
    prepare(s);
  }
  struct witness : observer {
    std::vector<double> orbits, times, rates;
    void after_step(const simulation& s) override {
      orbits.push_back(s.orbits());
      times.push_back(s.time());
      rates.push_back(s.rotation());
    }
  };
  exec::context context{1};
  volatile std::sig_atomic_t signal = 0;
};

// The line's angular velocity is 2/(1 + 4 t²); the grid has it of the last adaptation, a step or two ago.
TEST_F(followed, the_grid_has_the_orbits_angular_velocity) {
  config::parameters p = input(config::followed::orbit);
  p.run.end_time = 0.2;
  simulation s(p, context);
  fill(s);
  witness seen;
  run(s, {&seen}, signal);
  ASSERT_GT(seen.times.size(), 8U);
  for (std::size_t n = 2; n < seen.times.size(); ++n) {
    // The step begins after n steps; the rate is of that time or of the step before.
    const double then = seen.times[n % 2 == 0 ? n - 1 : n - 2];
    EXPECT_NEAR(seen.rates[n], 2 / (1 + 4 * then * then), 2e-2) << n;
  }
  EXPECT_EQ(seen.rates[0], 1);
  EXPECT_NEAR(2 * pi * s.orbits(), std::atan(2 * 0.2), 1e-3);
  EXPECT_LT(std::abs(s.orbit().slip - seen.orbits[1] * 2 * pi + seen.times[1]), 0.05);
}

TEST_F(followed, goes_on_from_the_middle_with_the_same_bits) {
  config::parameters p = input(config::followed::orbit);
  p.run.end_orbits = 0.05;
  simulation whole(p, context);
  fill(whole);
  witness all;
  run(whole, {&all}, signal);
  for (const int steps : {3, 4}) {  // before and at an adaptation
    witness parts;
    config::parameters q = p;
    q.run.max_steps = steps;
    simulation first(q, context);
    fill(first);
    EXPECT_EQ(run(first, {&parts}, signal), stop_reason::max_steps);
    simulation second(p, context);
    go_on(second, first);
    EXPECT_EQ(run(second, {&parts}, signal), stop_reason::end_orbits);
    EXPECT_EQ(parts.times, all.times);
    EXPECT_EQ(parts.orbits, all.orbits);
    EXPECT_EQ(parts.rates, all.rates);
    EXPECT_EQ(second.ledger().grid.energy, whole.ledger().grid.energy);
    EXPECT_EQ(second.ledger().grid.angular_momentum, whole.ledger().grid.angular_momentum);
  }
}

TEST_F(followed, the_grid_is_inertial_after_a_merger) {
  for (const bool inertial : {false, true}) {
    config::parameters p = input(config::followed::orbit);
    p.mesh.inertial_after_merger = inertial;
    simulation s(p, context);
    fill(s);
    advance(s, 1e-3);
    EXPECT_NEAR(rotation_to_follow(s), 2, 1e-2);
    merge(s);
    ASSERT_FALSE(s.stars().apart);
    EXPECT_EQ(rotation_to_follow(s), inertial ? 0 : 1);
  }
}

TEST_F(followed, a_run_ends_so_long_after_a_merger) {
  config::parameters p = input(config::followed::nothing);
  p.run.end_time = 0.3;
  p.run.end_after_merger = 0.05;
  simulation whole(p, context);
  fill(whole);
  EXPECT_EQ(run(whole, {}, signal), stop_reason::end_time) << "two stars all the time";
  p.run.max_steps = 3;
  simulation first(p, context);
  fill(first);
  EXPECT_EQ(run(first, {}, signal), stop_reason::max_steps);
  const double merger = first.time();
  merge(first);
  EXPECT_EQ(first.orbit().last_apart, merger);
  p.run.max_steps = 1000;
  simulation second(p, context);
  go_on(second, first);
  witness seen;
  EXPECT_EQ(run(second, {&seen}, signal), stop_reason::merged);
  EXPECT_EQ(seen.times.back(), merger + 0.05);
  EXPECT_EQ(end_time(second), merger + 0.05);
  const std::size_t steps = seen.times.size();
  EXPECT_EQ(run(second, {&seen}, signal), stop_reason::merged);
  EXPECT_EQ(seen.times.size(), steps) << "there is no step more";
}

// Also where its grid has no rotation any more, whose orbits are no longer counted.
TEST_F(followed, a_merged_run_goes_on_from_a_checkpoint) {
  config::parameters p = input(config::followed::orbit);
  p.mesh.inertial_after_merger = true;
  p.run.end_orbits = 100;
  p.run.end_after_merger = 0.05;
  p.run.max_steps = 3;
  simulation first(p, context);
  fill(first);
  run(first, {}, signal);
  merge(first);
  rotate_grid(first, rotation_to_follow(first));
  ASSERT_EQ(first.rotation(), 0);
  p.run.max_steps = 1000;
  simulation second(p, context);
  go_on(second, first);
  EXPECT_TRUE(counts_orbits(second));
  EXPECT_EQ(run(second, {}, signal), stop_reason::merged);
}

TEST_F(followed, no_run_waits_for_the_merger_of_one_star) {
  config::parameters p = input(config::followed::nothing);
  p.run.end_time = 0.1;
  p.run.end_after_merger = 0.05;
  simulation s(p, context);
  fill(s);
  merge(s);
  epoch at = s.now();
  at.orbit = {};
  s.restore(at);
  EXPECT_THROW(run(s, {}, signal), core::user_error);
}

TEST_F(followed, nothing_by_default) {
  simulation s(input(config::followed::nothing), context);
  fill(s);
  EXPECT_EQ(rotation_to_follow(s), 1);
}

}  // namespace
}  // namespace rednova::step
