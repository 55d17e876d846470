// Whole steps on a device against the processor's cores.
#include <gtest/gtest.h>

#include "device_test.hpp"
#include "opacity_file.hpp"
#include "step/device.hpp"
#include "two_steppers.hpp"

namespace {

using namespace rednova;
using step::collapse_parameters;
using step::test::both;
using testing_on::device;

/// Engines of the first device.
step::stepper_maker on_device(int together = step::leaves_at_once) {
  return [gpu = step::open_device(), together](step::simulation& s, std::unique_ptr<step::transferred_fields> from) {
    return gpu->make_stepper(s, std::move(from), together);
  };
}

// A device's powers differ in the last bit, and its gravity fuses products with sums. On the processor, where only the
// order of gravity's sums differs, seven steps make less than 1e-12 of that; a mistake in a phase makes more than 1e-4.
constexpr double rounding = 1e-10;

TEST_F(device, takes_the_steps_of_the_cores) {
  for (const bool gravity : {false, true}) {
    for (const bool spin : {true, false}) {
      SCOPED_TRACE(fmt::format("gravity {}, spin {}", gravity, spin));
      const both b(collapse_parameters({.rotation = 1.7, .gravity = gravity, .spin = spin}), 7, on_device());
      expect_close(b, rounding);
      if (spin) step::test::expect_conserved(b.other.ledger());  // without it angular momentum is not
    }
  }
}

TEST_F(device, takes_the_steps_of_the_cores_by_every_scheme) {
  using config::reconstruction;
  using config::riemann_solver;
  for (const auto edges : {reconstruction::constant, reconstruction::plm, reconstruction::ppm}) {
    for (const auto solver : {riemann_solver::hllc, riemann_solver::kt}) {
      SCOPED_TRACE(fmt::format("edges {}, solver {}", static_cast<int>(edges), static_cast<int>(solver)));
      expect_close(both(collapse_parameters({.rotation = 1.7,
                                             .reconstruct = edges,
                                             .riemann = solver,
                                             .scheme = config::integrator::rk2,
                                             .max_level = 2}),
                        4, on_device()),
                   rounding);
    }
  }
}

TEST_F(device, takes_the_steps_of_the_cores_in_degenerate_gas) {
  const both b(collapse_parameters({.rotation = 1.7, .gravity = true, .gas = config::gas_model::white_dwarf}), 7,
               on_device());
  expect_close(b, rounding);
}

TEST_F(device, takes_the_steps_of_the_cores_with_light) {
  for (const auto gas : {config::gas_model::ideal, config::gas_model::stellar}) {
    config::parameters p = collapse_parameters({.rotation = 1.7, .max_level = 2, .gas = gas, .lit = true});
    p.refine.photosphere_level = 2;
    if (gas == config::gas_model::stellar) step::test::take_opacity_tables(p);
    const both b(p, 4, on_device());
    expect_close(b, rounding);
    expect_close_light(b, rounding);
    step::test::expect_conserved(b.other.ledger());
    const auto found = b.other.ledger().radiated.energy, expected = b.cores.ledger().radiated.energy;
    EXPECT_GT(expected, 0);
    EXPECT_NEAR(found, expected, rounding * expected);
  }
}

TEST_F(device, drives_orbits_as_the_cores_do) {
  const both b(collapse_parameters({.rotation = 1.7, .driven = true}), 4, on_device());
  EXPECT_LT(b.other.ledger().driven.angular_momentum.z, 0);
  expect_close(b, rounding);
  step::test::expect_conserved(b.other.ledger());
}

TEST_F(device, takes_the_steps_of_the_cores_where_the_rotation_changes) {
  expect_close(both(collapse_parameters({.rotation = 1.7}), 2, on_device(),
                    [](step::simulation& s) { step::rotate_grid(s, -0.8); }),
               rounding);
}

TEST_F(device, repeats_stages_as_the_cores_do) {
  both b(collapse_parameters({.rotation = 1.7}), 4, on_device(), step::test::throw_a_ball);
  EXPECT_TRUE(b.context.times().elsewhere().contains("repeated stages"));
  expect_close(b, rounding);
  step::test::expect_conserved(b.other.ledger());
}

TEST_F(device, gives_the_same_bits_however_many_leaves_a_launch_has) {
  const both few(collapse_parameters({.rotation = 1.7, .gravity = true}), 4, on_device(7));
  const both all(collapse_parameters({.rotation = 1.7, .gravity = true}), 4, on_device());
  step::test::expect_same_bits(few.other, all.other);
}

}  // namespace
