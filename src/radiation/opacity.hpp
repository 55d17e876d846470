// Grey opacities: constants, or the analytic sum of what absorbs and scatters in a star's gas (docs/radiation.md).
#pragma once

#include "exec/simd.hpp"

namespace rednova::radiation {

/// Means over frequency, area by mass.
struct mean_opacities {
  double planck;  ///< of emission and absorption
  double flux;    ///< of the momentum exchange: Rosseland's, with scattering
};

/// The composition that the analytic sum asks for, mass fractions.
struct composition {
  double hydrogen = 0.7, metals = 0.02;
};

/// Thomson scattering, cm²/g: 0.2 (1 + X).
REDNOVA_FN double scattering_opacity(const composition& of) { return 0.2 * (1.0 + of.hydrogen); }

/// Kramers' bound-free and free-free opacities in cgs, with Gaunt and guillotine factors of 1: Carroll & Ostlie (2017),
/// An Introduction to Modern Astrophysics, eqs. 9.22 and 9.23.
REDNOVA_FN double kramers_opacity(const composition& of, double rho, double t) {
  const double bound_free = 4.34e25 * of.metals * (1.0 + of.hydrogen);
  const double free_free = 3.68e22 * (1.0 - of.metals) * (1.0 + of.hydrogen);
  const double root = exec::sqrt(t), square = t * t;
  return (bound_free + free_free) * rho / exec::max(square * t * root, 1e-300);
}

/// The metals whose electrons the ion of hydrogen counts at least: without any, hydrogen gives its own, and hot gas is
/// no more transparent than its electrons make it.
inline constexpr double least_metals = 1e-6;

/// The negative hydrogen ion's opacity in cgs, a fit between 3000 and 6000 K: 2.5e-31 (Z/0.02) rho^½ T⁹, Hansen,
/// Kawaler & Trimble (2004), Stellar Interiors, chapter 4.
REDNOVA_FN double negative_hydrogen_opacity(const composition& of, double rho, double t) {
  const double cube = t * t * t;
  return 2.5e-31 * (exec::max(of.metals, least_metals) / 0.02) * exec::sqrt(rho) * (cube * cube * cube);
}

/// Molecules, cm²/g: a floor where hydrogen has recombined.
REDNOVA_FN double molecular_opacity(const composition& of) { return 0.1 * of.metals; }

/// Grains in equilibrium with the gas, in cgs, by the laws of Bell & Lin (1994, ApJ 427, 987) for ice, 2e-4 T², its
/// evaporation, 2e16 T⁻⁷, metal grains, 0.1 T^½, and theirs, 2e81 rho T⁻²⁴, scaled by Z/0.02. Joined by harmonic sums:
/// at the corners of their law, where two of them meet, this is half of it.
REDNOVA_FN double dust_opacity(const composition& of, double rho, double t) {
  const double t2 = t * t, t4 = t2 * t2, t8 = t4 * t4, t24 = t8 * t8 * t8;
  const double ice = 2e-4 * t2, without_ice = 2e16 / exec::max(t4 * t2 * t, 1e-290) + 0.1 * exec::sqrt(t);
  const double evaporating = 2e81 * rho / exec::max(t24, 1e-200);
  return of.metals / 0.02 / (1.0 / ice + 1.0 / without_ice + 1.0 / evaporating);
}

/// Whether the metals of cool gas condense.
enum class grains { none, in_equilibrium };

/// The analytic sum in cgs: kappa_mol + 1/(1/kappa_H⁻ + 1/(kappa_es + kappa_K)) for the flux, and the same without
/// scattering for absorption; with grains theirs is added to both. rho in g/cm³, T in K.
REDNOVA_FN mean_opacities analytic_opacities(const composition& of, double rho, double t, grains dust = grains::none) {
  double molecules = molecular_opacity(of);
  if (dust == grains::in_equilibrium) molecules += dust_opacity(of, rho, t);
  const double hot = kramers_opacity(of, rho, t);
  const double cool = negative_hydrogen_opacity(of, rho, t);
  const auto bridged = [](double a, double b) { return 1.0 / (1.0 / a + 1.0 / b); };  // of 0 and infinity, too
  return {molecules + bridged(cool, hot), molecules + bridged(cool, hot + scattering_opacity(of))};
}

/// The opacities of a run, by volume in code units: plain data, for cores and devices. Those of tables are
/// opacities_at's (gas_place.hpp) alone.
struct opacity {
  enum class law { constant, analytic, table };
  law by = law::constant;
  mean_opacities constant{0, 0};  ///< area by mass, code units
  composition mix;
  grains dust = grains::none;
  double density_unit = 1;  ///< code units to g/cm³
  double depth_unit = 1;    ///< cm²/g · g/cm³ = 1/cm to code units: the code's length in cm

  /// rho kappa in one over a length of the code; T in K where the law is analytic.
  REDNOVA_FN mean_opacities by_volume(double rho, double t) const { return by_volume(rho, t, mix); }
  /// Of gas of another composition than `mix`.
  REDNOVA_FN mean_opacities by_volume(double rho, double t, const composition& of) const {
    if (by == law::constant) return {rho * constant.planck, rho * constant.flux};
    const double density = rho * density_unit;
    const mean_opacities k = analytic_opacities(of, density, t, dust);
    return {density * k.planck * depth_unit, density * k.flux * depth_unit};
  }
};

}  // namespace rednova::radiation
