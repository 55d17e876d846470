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

TEST(opacity, of_hot_gas_without_metals_is_its_electrons) {
  for (const double metals : {0.0, 1e-8}) {
    const composition of{0.75, metals};
    for (const double t : {1e5, 1e7}) {
      const double electrons = scattering_opacity(of) + kramers_opacity(of, 1e-8, t);
      EXPECT_NEAR(analytic_opacities(of, 1e-8, t).flux, electrons, 2e-3 * electrons) << metals << ' ' << t;
    }
    EXPECT_LT(analytic_opacities(of, 1e-8, 5000).flux, 1e-5);  // hydrogen has recombined
  }
}

TEST(opacity, has_kramers_slopes) {
  const composition of{0.7, 0.02};
  EXPECT_NEAR(kramers_opacity(of, 2e-6, 1e5) / kramers_opacity(of, 1e-6, 1e5), 2, 1e-14);
  EXPECT_NEAR(kramers_opacity(of, 1e-6, 2e5) / kramers_opacity(of, 1e-6, 1e5), std::pow(2, -3.5), 1e-14);
}

TEST(opacity, is_finite_at_the_ends) {
  for (const grains dust : {grains::none, grains::in_equilibrium}) {
    for (double t : {0.0, 1e-200, 1.0, 1e12, 1e14}) {
      for (double rho : {0.0, 1e-30, 1e10}) {
        const mean_opacities k = analytic_opacities({}, rho, t, dust);
        EXPECT_TRUE(std::isfinite(k.planck) && std::isfinite(k.flux)) << rho << ' ' << t;
        EXPECT_GE(k.planck, 0);
      }
    }
  }
}

/// Bell & Lin's law piece by piece, as they join it: by the temperatures at which neighbours are equal.
double bell_and_lin(double rho, double t) {
  const double ice = 2e-4 * std::pow(t, 2), no_ice = 2e16 * std::pow(t, -7), metal = 0.1 * std::sqrt(t),
               no_metal = 2e81 * rho * std::pow(t, -24);
  if (t < 166.81) return ice;     // (2e16/2e-4)^(1/9)
  if (t < 202.68) return no_ice;  // (2e16/0.1)^(1/7.5)
  return std::min(metal, no_metal);
}

TEST(opacity, of_dust_is_bell_and_lins_but_for_the_corners) {
  for (const double rho : {1e-12, 1e-9, 1e-6}) {
    const double end = std::pow(2e82 * rho, 1 / 24.5);  // of metal grains: 739, 980, 1299 K
    for (const double t : {10.0, 50.0, 100.0, 500.0, 0.9 * end, 1.1 * end, 1500.0}) {
      const double ratio = dust_opacity({0.7, 0.02}, rho, t) / bell_and_lin(rho, t);
      EXPECT_NEAR(ratio, 1, 0.1) << rho << ' ' << t;
    }
    for (const double corner : {166.81, 202.68, end}) {
      for (double t = 0.8 * corner; t < 1.25 * corner; t *= 1.02) {
        const double ratio = dust_opacity({0.7, 0.02}, rho, t) / bell_and_lin(rho, t);
        EXPECT_GT(ratio, 0.4) << rho << ' ' << t;
        EXPECT_LT(ratio, 2) << rho << ' ' << t;
      }
    }
  }
  EXPECT_NEAR(dust_opacity({0.7, 0.01}, 1e-9, 500) / dust_opacity({0.7, 0.02}, 1e-9, 500), 0.5, 1e-14);
}

TEST(opacity, of_dust_is_a_term_of_its_own) {
  const composition of{0.7, 0.02};
  const mean_opacities bare = analytic_opacities(of, 1e-9, 800),
                       dusty = analytic_opacities(of, 1e-9, 800, grains::in_equilibrium);
  EXPECT_NEAR(dusty.flux - bare.flux, dust_opacity(of, 1e-9, 800), 1e-14);
  EXPECT_NEAR(dusty.planck - bare.planck, dust_opacity(of, 1e-9, 800), 1e-14);
  EXPECT_GT(dusty.flux, 100 * bare.flux);
  // Gone where negative hydrogen takes over.
  EXPECT_LT(dust_opacity(of, 1e-6, 2500), 1e-3 * analytic_opacities(of, 1e-6, 2500).flux);
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
