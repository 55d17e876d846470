// Whole steps on the checking device (exec/checking_device.hpp), against those of the cores. The
// meshes are small, for indices in a scattered order are slow.
#include <gtest/gtest.h>

#include "opacity_file.hpp"
#include "steppers/like_devices.hpp"
#include "two_steppers.hpp"

namespace rednova::step {
namespace {

using config::boundary;
using test::both;
using test::expect_same_bits;

const stepper_maker all_at_once = test::on_checking_device(), few_at_once = test::on_checking_device(7, 2);

TEST(checking_device_step, has_the_bits_of_the_cores_where_floors_act) {
  for (const auto& stepper : {all_at_once, few_at_once}) {
    config::parameters p = collapse_parameters({.rotation = 1.7, .max_level = 2});
    p.hydro.density_floor = 0.0098;
    p.hydro.specific_energy_ceiling = 20;
    p.hydro.thin_gas_density = 0.5;
    const both b(p, 4, stepper);
    EXPECT_GT(b.cores.ledger().floors.mass(), 0);
    expect_same_bits(b);
  }
}

TEST(checking_device_step, has_the_bits_of_the_cores_in_degenerate_gas) {
  config::parameters p = collapse_parameters({.rotation = 1.7, .max_level = 2, .gas = config::gas_model::white_dwarf});
  p.refine.gradient_field = "pressure";
  expect_same_bits(both(p, 4, few_at_once));
}

TEST(checking_device_step, has_the_bits_of_the_cores_in_gas_of_stars) {
  config::parameters p =
      collapse_parameters({.rotation = 1.7, .max_level = 2, .gas = config::gas_model::stellar, .hydrogen = {0.7, 0.6}});
  p.refine.gradient_field = "pressure";
  expect_same_bits(both(p, 4, few_at_once));
}

TEST(checking_device_step, has_the_bits_of_the_cores_with_two_stars) {
  for (const auto& stepper : {all_at_once, few_at_once}) {
    config::parameters p = collapse_parameters({.rotation = 1.7, .max_level = 2});
    p.hydro.species = {"accretor", "donor"};
    const both b(p, 3, stepper);
    EXPECT_TRUE(b.cores.stars().apart);
    EXPECT_NE(b.cores.orbit().slip, 0);
    expect_same_bits(b);
  }
}

TEST(checking_device_step, has_the_bits_of_the_cores_where_the_orbit_is_driven) {
  for (const auto gas : {config::gas_model::ideal, config::gas_model::stellar}) {
    const both b(collapse_parameters({.rotation = 1.7, .max_level = 2, .gas = gas, .driven = true}), 3, few_at_once);
    EXPECT_LT(b.cores.ledger().driven.angular_momentum.z, 0);
    expect_same_bits(b);
  }
}

TEST(checking_device_step, has_the_bits_of_the_cores_with_tracers) {
  config::parameters p = collapse_parameters({.rotation = 1.7, .max_level = 2});
  p.tracers.count = 200;
  const both b(p, 4, few_at_once);
  EXPECT_NE(b.cores.particles()[0].position, sow_particles(b.cores)[0].position);
  expect_same_bits(b);
}

TEST(checking_device_step, has_the_bits_of_the_cores_with_light) {
  for (const auto& stepper : {all_at_once, few_at_once}) {
    config::parameters p = collapse_parameters({.rotation = 1.7, .max_level = 2, .lit = true});
    p.refine.photosphere_level = 2;
    const both b(p, 4, stepper);
    EXPECT_GT(b.cores.ledger().radiated.energy, 0);
    expect_same_bits(b);
  }
}

TEST(checking_device_step, has_the_bits_of_the_cores_with_light_where_stages_are_repeated) {
  const both b(collapse_parameters({.rotation = 1.7, .lit = true}), 3, few_at_once, test::throw_a_ball);
  EXPECT_TRUE(b.context.times().elsewhere().contains("repeated stages"));
  expect_same_bits(b);
}

TEST(checking_device_step, has_the_bits_of_the_cores_with_light_in_gas_of_stars) {
  config::parameters p = collapse_parameters(
      {.rotation = 1.7, .max_level = 2, .gas = config::gas_model::stellar, .hydrogen = {0.7, 0.6}, .lit = true});
  expect_same_bits(both(p, 3, few_at_once));

  test::take_opacity_tables(p);
  p.refine.photosphere_level = 2;
  expect_same_bits(both(p, 3, few_at_once));
}

TEST(checking_device_step, has_the_bits_of_the_cores_with_light_between_sides_of_all_kinds) {
  for (const auto edges : {config::reconstruction::plm, config::reconstruction::constant}) {
    config::parameters p = collapse_parameters({.spin = false, .max_level = 2, .lit = true});
    p.radiation.reconstruct = edges;
    p.mesh.boundaries = {boundary::fixed,         boundary::reflecting, boundary::outflow,
                         boundary::zero_gradient, boundary::periodic,   boundary::periodic};
    expect_same_bits(both(p, 3, few_at_once));
  }
}

// Its lists of leaves were made for the rotation before.
TEST(checking_device_step, has_the_bits_of_the_cores_where_the_rotation_changes) {
  for (const bool lit : {false, true}) {
    const both b(collapse_parameters({.rotation = 1.7, .max_level = 2, .lit = lit}), 2, few_at_once,
                 [](simulation& s) { rotate_grid(s, -0.8); });
    EXPECT_EQ(b.other.rotation(), -0.8);
    expect_same_bits(b);
  }
}

TEST(checking_device_step, has_the_bits_of_the_cores_where_stages_are_repeated) {
  for (const auto& stepper : {all_at_once, few_at_once}) {
    both b(collapse_parameters({.rotation = 1.7}), 3, stepper, test::throw_a_ball);
    EXPECT_TRUE(b.context.times().elsewhere().contains("repeated stages"));
    expect_same_bits(b);
  }
}

/// Beside the ball the gas is not uniform, so that cells of fixed sides would change.
void throw_a_ball_along_a_slope(simulation& s) {
  test::throw_a_ball(s);
  for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
    for (int c = 0; c < mesh::cells; ++c) {
      const core::vec3d x = s.tree().centre(leaf, c % mesh::N, c / mesh::N % mesh::N, c / mesh::N / mesh::N);
      for (int field = 0; field < s.fields().evolved(); ++field) s.u().at(leaf, field)[c] *= 1 + 0.1 * x.x;
    }
  }
  prepare(s);
}

TEST(checking_device_step, has_the_bits_of_the_cores_where_stages_are_repeated_between_fixed_sides) {
  config::parameters p = collapse_parameters({.max_level = 2});
  p.mesh.min_level = 2;
  p.mesh.base_blocks = {3, 1, 1};  // the ball is in the first of them, and the last ones are not repeated
  p.mesh.boundaries.fill(boundary::fixed);
  const both b(p, 2, few_at_once, throw_a_ball_along_a_slope);
  EXPECT_TRUE(b.context.times().elsewhere().contains("repeated stages"));
  expect_same_bits(b);
}

TEST(checking_device_step, has_the_bits_of_the_cores_between_periodic_and_reflecting_sides) {
  config::parameters p = collapse_parameters({.scheme = config::integrator::rk2, .spin = false, .max_level = 2});
  p.mesh.boundaries = {boundary::periodic,   boundary::periodic, boundary::reflecting,
                       boundary::reflecting, boundary::outflow,  boundary::zero_gradient};
  expect_same_bits(both(p, 4, few_at_once));
}

TEST(checking_device_step, has_the_bits_of_the_cores_between_fixed_sides) {
  config::parameters p = collapse_parameters({.scheme = config::integrator::rk2, .spin = false, .max_level = 2});
  p.mesh.boundaries = {boundary::fixed,   boundary::fixed,   boundary::fixed,
                       boundary::outflow, boundary::outflow, boundary::fixed};
  expect_same_bits(both(p, 4, few_at_once));
}

// Of the cores' gravity the resident solve's differs by the order of sums (test_device_step.cpp), so this is compared
// with the same kernels at once and in order.
TEST(checking_device_step, has_the_bits_of_the_host_space_where_there_is_gravity) {
  for (const bool points : {false, true}) {
    const config::parameters p =
        collapse_parameters({.rotation = 1.7, .gravity = true, .max_level = 2, .points = points});
    const both b(p, 4, few_at_once);
    expect_close(b, 1e-12);
    test::expect_conserved(b.other.ledger());
    const both lenient(p, 4, test::like_device());
    expect_same_bits(b.other, lenient.other);
    for (int k = 0; k < b.other.points().count; ++k)
      EXPECT_EQ(b.other.points()[k].momentum, lenient.other.points()[k].momentum);
  }
}

}  // namespace
}  // namespace rednova::step
