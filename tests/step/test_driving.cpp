// Driving of the orbit of two stars: what it takes, from whom, and for how long.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/check.hpp"
#include "core/constants.hpp"
#include "step/collapse.hpp"
#include "step/driver.hpp"
#include "step/driving.hpp"
#include "step/sums.hpp"

namespace rednova::step {
namespace {

using core::pi;
using core::vec3d;

/// Two unequal clouds that pass each other about their mass centre, which moves, and turn about themselves. mixed: a
/// tenth of each one's gas lies about the other, and there is gas of neither.
enum class stars { apart, mixed };

class driving : public ::testing::Test {
 protected:
  static config::parameters input(double rotation, double rate, double orbits = 0) {
    config::parameters p;
    p.mesh.min_level = 2;
    p.mesh.rotation = rotation;
    p.mesh.regrid_interval = 0;
    p.hydro.species = {"accretor", "donor", "around"};
    p.driving.rate = rate;
    p.driving.orbits = orbits;
    return p;
  }
  static void fill(simulation& s, stars how = stars::apart) {
    const mesh::fields& f = s.fields();
    for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
      const double h = s.tree().cell_width(leaf);
      for (int c = 0; c < mesh::cells; ++c) {
        const vec3d x = s.tree().centre(leaf, c % mesh::N, c / mesh::N % mesh::N, c / mesh::N / mesh::N);
        const bool left = x.x < 0;
        const vec3d away = x - (left ? vec3d{-0.2, 0.03, 0.02} : vec3d{0.25, -0.02, 0});
        const double gas = (left ? 2 : 1) * std::exp(-dot(away, away) / 0.006) + 1e-4;
        const double other = how == stars::mixed ? 0.1 * gas : 0, around = how == stars::mixed ? 1e-2 : 0;
        const double rho = gas + around;
        const vec3d v{0.1 - 0.4 * away.y, (left ? -0.5 : 0.8) + 0.4 * away.x, 0.02};
        s.u().at(leaf, left ? 0 : 1)[c] = gas - other;
        s.u().at(leaf, left ? 1 : 0)[c] = other;
        s.u().at(leaf, 2)[c] = around;
        for (int d = 0; d < 3; ++d) s.u().at(leaf, f.momentum(d))[c] = rho * v[d];
        s.u().at(leaf, f.spin(2))[c] = rho * h * h / 12 * 0.8;
        const double e = 1e-2 * rho;
        s.u().at(leaf, f.energy())[c] = e + 0.5 * rho * dot(v, v);
        s.u().at(leaf, f.entropy())[c] = s.eos().ideal.tracer_of_heat(e);
      }
    }
    prepare(s);
  }
  static double heat(const simulation& s, int leaf, int c) {
    const mesh::fields& f = s.fields();
    double squared = 0;
    for (int d = 0; d < 3; ++d) squared += std::pow(s.u().at(leaf, f.momentum(d))[c], 2);
    return s.u().at(leaf, f.energy())[c] - 0.5 * squared / s.density(leaf, c);
  }
  exec::context context{1};
  volatile std::sig_atomic_t signal = 0;
};

// Sums over 32768 cells, compensated: what is left is the rounding of each cell's change, 1e-16 of the momentum there.
TEST_F(driving, takes_the_asked_share_and_nothing_else) {
  for (const stars how : {stars::apart, stars::mixed}) {
    for (const double rate : {0.01, -0.2}) {
      simulation s(input(0.7, rate), context);
      fill(s, how);
      ASSERT_TRUE(is_driven(s));
      const star_motions before = measure_motions(s);
      const grid_sums all = sum_grid(s);
      const totals &was = all.value, &scale = all.magnitude;
      const double dt = 0.3, share = rate * before.frequency() * dt / (2 * pi);
      EXPECT_GT(share / rate, 0.1);
      const totals gained = drive(s, dt, s.time()), is = sum_grid(s).value;
      EXPECT_NEAR(gained.angular_momentum.z / (-share * before.angular_momentum()), 1, 1e-13);
      EXPECT_NEAR(is.angular_momentum.z - was.angular_momentum.z, -share * before.angular_momentum(),
                  1e-15 * scale.angular_momentum.z);
      for (int d = 0; d < 3; ++d) {
        EXPECT_NEAR(gained.momentum[d], 0, 1e-16 * scale.momentum.y);
        EXPECT_NEAR(is.momentum[d], was.momentum[d], 1e-15 * scale.momentum.y);
        EXPECT_NEAR(is.angular_momentum[d], was.angular_momentum[d] + gained.angular_momentum[d],
                    1e-15 * scale.angular_momentum.z);
      }
      EXPECT_NEAR(is.energy, was.energy + gained.energy, 1e-15 * scale.energy);
      EXPECT_EQ(is.species, was.species);
      EXPECT_EQ(is.spin, was.spin);
    }
  }
}

TEST_F(driving, leaves_heat_and_entropy_alone) {
  simulation s(input(0.7, 0.2), context);
  fill(s, stars::mixed);
  const mesh::fields& f = s.fields();
  const mesh::block_data u = s.u();
  drive(s, 0.3, s.time());
  double changed = 0;
  for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
    for (int c = 0; c < mesh::cells; ++c) {
      EXPECT_EQ(s.u().at(leaf, f.entropy())[c], u.at(leaf, f.entropy())[c]);
      // 1 to 3 % of the energy is heat.
      EXPECT_NEAR(heat(s, leaf, c) / (1e-2 * s.density(leaf, c)), 1, 1e-13);
      changed = std::max(changed, std::abs(s.u().at(leaf, f.energy())[c] - u.at(leaf, f.energy())[c]));
    }
  }
  EXPECT_GT(changed, 1e-3);
}

// Each star moves as a whole: its mass centre's velocity changes, and its own turn is neither slowed down nor sped up.
TEST_F(driving, takes_it_of_the_orbit_and_not_of_the_stars_spin) {
  simulation s(input(0, 0.2), context);
  fill(s);
  const star_motions before = measure_motions(s);
  const mesh::block_data u = s.u();
  drive(s, 0.3, 0);
  const star_motions after = measure_motions(s);
  const double share = 0.2 * before.frequency() * 0.3 / (2 * pi);
  EXPECT_NEAR(after.angular_momentum() / before.angular_momentum(), 1 - share, 1e-14);
  for (std::size_t star = 0; star < 2; ++star) {
    EXPECT_EQ(after.of[star].mass, before.of[star].mass);
    EXPECT_EQ(after.of[star].centre, before.of[star].centre);
    const vec3d change = after.of[star].velocity - before.of[star].velocity;
    EXPECT_GT(std::abs(change.y), 1e-3);
    double worst = 0;
    for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
      for (int c = 0; c < mesh::cells; ++c) {
        const double rho = s.u().at(leaf, static_cast<int>(star))[c];
        if (rho == 0) continue;
        for (int d = 0; d < 3; ++d) {
          const int field = s.fields().momentum(d);
          const double of_cell = (s.u().at(leaf, field)[c] - u.at(leaf, field)[c]) / rho;
          worst = std::max(worst, std::abs(of_cell - change[d]));
        }
      }
    }
    EXPECT_LT(worst, 1e-15);
  }
}

struct witness : observer {
  std::vector<double> orbits, driven, times;
  void after_step(const simulation& s) override {
    orbits.push_back(s.orbits());
    driven.push_back(s.ledger().driven.angular_momentum.z);
    times.push_back(s.time());
  }
};

TEST_F(driving, ends_after_the_asked_orbits) {
  config::parameters p = input(1.2, 0.1, 0.02);
  p.run.end_orbits = 0.04;
  simulation s(p, context);
  fill(s);
  witness seen;
  run(s, {&seen}, signal);
  ASSERT_GT(seen.times.size(), 4U);
  double before = 0, orbits = 0;
  int steps = 0;
  for (std::size_t n = 0; n < seen.times.size(); ++n) {
    EXPECT_EQ(seen.driven[n] < before, orbits < 0.02) << "step " << n << " begins after " << orbits << " orbits";
    steps += orbits < 0.02 ? 1 : 0;
    before = seen.driven[n];
    orbits = seen.orbits[n];
  }
  EXPECT_GT(steps, 1);
  EXPECT_LT(steps, static_cast<int>(seen.times.size()) - 1);
}

// From what a checkpoint keeps.
TEST_F(driving, goes_on_from_the_middle_with_the_same_bits) {
  config::parameters p = input(1.2, 0.1, 0.03);
  p.run.end_orbits = 0.04;
  simulation whole(p, context);
  fill(whole);
  witness all, half;
  run(whole, {&all}, signal);
  p.run.max_steps = static_cast<int>(all.times.size() / 3);
  simulation first(p, context);
  fill(first);
  EXPECT_EQ(run(first, {&half}, signal), stop_reason::max_steps);
  p.run.max_steps = 1000;
  simulation second(p, context);
  second.u() = first.u();
  second.restore(first.now());
  prepare(second);
  EXPECT_EQ(run(second, {&half}, signal), stop_reason::end_orbits);
  EXPECT_EQ(half.times, all.times);
  EXPECT_EQ(half.orbits, all.orbits);
  EXPECT_EQ(half.driven, all.driven);
  EXPECT_EQ(second.ledger().grid.energy, whole.ledger().grid.energy);
}

// What is kept beside the fields of gas that is stored is that of the energy after driving, as a restart finds it.
TEST(driving_of_stored_gas, leaves_what_a_restart_finds) {
  exec::context context;
  const config::parameters p =
      collapse_parameters({.rotation = 1.7, .max_level = 2, .gas = config::gas_model::stellar, .driven = true});
  simulation s(p, context), again(p, context);
  start_collapse(s);
  for (int n = 0; n < 3; ++n) advance(s, 1e9);
  EXPECT_LT(s.ledger().driven.angular_momentum.z, 0);
  again.adopt(s.tree());
  again.u() = s.u();
  again.restore(s.now());
  prepare(again);
  for (simulation* each : {&s, &again}) advance(*each, 1e9);
  EXPECT_EQ(s.dt(), again.dt());
  for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
    for (int field = 0; field < s.fields().size(); ++field) {
      for (int c = 0; c < mesh::cells; ++c) ASSERT_EQ(again.u().at(leaf, field)[c], s.u().at(leaf, field)[c]) << field;
    }
  }
}

TEST_F(driving, without_two_stars_is_refused) {
  config::parameters p = input(1, 0.1);
  p.hydro.species = {"gas", "donor", "around"};
  simulation s(p, context);
  fill(s);
  EXPECT_FALSE(is_driven(s));
  EXPECT_THROW(run(s, {}, signal), core::user_error);
}

}  // namespace
}  // namespace rednova::step
