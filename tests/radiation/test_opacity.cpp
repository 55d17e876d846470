// Opacities against values that are known.
#include <gtest/gtest.h>

#include <cmath>

#include "radiation/opacity.hpp"

namespace {

using namespace rednova::radiation;

TEST(opacity, is_that_of_electrons_in_hot_thin_gas) {
  const mean_opacities k = analytic_opacities({0.7, 0.02}, 1e-10, 1e7);
  EXPECT_NEAR(k.flux, 0.34 + 0.1 * 0.02, 1e-3);  // H⁻'s fit and Kramers' law add less
  EXPECT_LT(k.planck, 0.01);
}

TEST(opacity, falls_with_negative_hydrogen_in_cool_gas) {
  // At a sun's photosphere, 2.5e-7 g/cm³ and 5800 K, tables have 0.2 to 0.5 cm²/g.
  const mean_opacities k = analytic_opacities({0.7, 0.02}, 2.5e-7, 5800);
  EXPECT_GT(k.flux, 0.2);
  EXPECT_LT(k.flux, 1.5);
  const mean_opacities cool = analytic_opacities({0.7, 0.02}, 2.5e-7, 3000);
  EXPECT_LT(cool.flux, 0.02);
  EXPECT_GT(cool.flux, molecular_opacity({0.7, 0.02}));
}

TEST(opacity, of_negative_hydrogen_is_another_fits_within_a_factor) {
  // 1.1e-25 Z^½ rho^½ T^7.7 cm²/g: the two fits to the same tables differ by less than 2.2 where both hold.
  for (double t = 3000; t <= 6000; t += 500) {
    const double other = 1.1e-25 * std::sqrt(0.02) * std::sqrt(1e-7) * std::pow(t, 7.7);
    const double ratio = negative_hydrogen_opacity({0.7, 0.02}, 1e-7, t) / other;
    EXPECT_GT(ratio, 1 / 2.2) << t;
    EXPECT_LT(ratio, 2.2) << t;
  }
}

TEST(opacity, has_kramers_slopes) {
  const composition of{0.7, 0.02};
  EXPECT_NEAR(kramers_opacity(of, 2e-6, 1e5) / kramers_opacity(of, 1e-6, 1e5), 2, 1e-14);
  EXPECT_NEAR(kramers_opacity(of, 1e-6, 2e5) / kramers_opacity(of, 1e-6, 1e5), std::pow(2, -3.5), 1e-14);
}

TEST(opacity, is_finite_at_the_ends) {
  for (double t : {0.0, 1e-200, 1.0, 1e12}) {
    for (double rho : {0.0, 1e-30, 1e10}) {
      const mean_opacities k = analytic_opacities({}, rho, t);
      EXPECT_TRUE(std::isfinite(k.planck) && std::isfinite(k.flux)) << rho << ' ' << t;
      EXPECT_GE(k.planck, 0);
    }
  }
}

TEST(opacity, by_volume_is_in_the_codes_units) {
  opacity of;
  of.by = opacity::law::analytic;
  of.density_unit = 5.9;
  of.depth_unit = 6.957e10;
  const double rho = 1e-8, t = 1e4;
  const mean_opacities cgs = analytic_opacities(of.mix, 5.9 * rho, t);
  EXPECT_NEAR(of.by_volume(rho, t).flux, cgs.flux * 5.9 * rho * 6.957e10, 1e-12 * cgs.flux * 5.9 * rho * 6.957e10);
  of.by = opacity::law::constant;
  of.constant = {2, 3};
  EXPECT_EQ(of.by_volume(5, t).planck, 10);
  EXPECT_EQ(of.by_volume(5, t).flux, 15);
}

}  // namespace
