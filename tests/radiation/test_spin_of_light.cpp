// Whose the angular momentum is that faces give to cells: the light's where gas is transparent, the gas's where it is
// opaque.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "light_box.hpp"

namespace {

using namespace rednova;
using core::vec3d;
using test::light_box;
using test::lit_gas;

/// The share of the spins' lengths that is the gas's, after a step in a slanting beam that is not uniform; depth: of a
/// cell.
double share_of_gas(double depth) {
  const mesh::domain box{.lower = {0, 0, 0}, .base_width = 1, .base = {1, 1, 1}, .periodic = {true, true, true}};
  constexpr double pi = 3.14159265358979323846, h = 1.0 / 16, rho = 1e6;
  radiation::scheme by;
  by.k = {1, 1};
  by.substeps = 16;
  by.opacities.constant = {0, depth / (rho * h)};
  by.energy_floor = 1e-20;
  light_box row(mesh::tree::uniform(box, 1), {config::boundary::periodic}, by);
  const double dt = 16 * 0.2 * h;
  row.fill(
      [&](vec3d x) {
        const double e = 1 + 0.5 * std::sin(2 * pi * x.x) * std::cos(4 * pi * x.y);
        return lit_gas{.density = rho, .heat = 1, .energy = e, .flux = {0.5 * e, 0.3 * e, 0}};
      },
      dt);
  row.advance(dt);
  double gas = 0, light = 0;
  row.each_cell([&](int leaf, int c, vec3d) {
    vec3d of_gas, of_light;
    for (int d = 0; d < 3; ++d) {
      of_gas[d] = row.gas().at(leaf, row.fields().spin(d))[c];
      of_light[d] = row.light().at(leaf, radiation::field::spin(d))[c];
    }
    gas += radiation::length_of(of_gas);
    light += radiation::length_of(of_light);
  });
  std::printf("spin of light, depth %g: in all %.1e, gas has %.2e of it\n", depth, gas + light, gas / (gas + light));
  EXPECT_GT(gas + light, 1e-8);  // faces did give some
  return gas / (gas + light);
}

TEST(spin_of_light, stays_with_light_where_gas_is_transparent) {
  // q/(1 + q) with q = rho kappa c dt, of 3.2 cells, for c is not reduced here.
  EXPECT_NEAR(share_of_gas(1e-6) / 3.2e-6, 1, 1e-5);
}

TEST(spin_of_light, is_the_gass_where_that_is_opaque) {
  EXPECT_NEAR(1 - share_of_gas(1e4), 1 / (1 + 3.2e4), 1e-6);  // as above
}

}  // namespace
