// The stratification of a star: density and pressure as functions of the enthalpy H = integral of dp / rho.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "stellar/barotrope.hpp"

namespace rednova::stellar {

/// What a star is made of: a polytrope, a polytropic core in a polytropic envelope (a bipolytrope), or a barotrope,
/// whose core is no more than a name for its inner part.
struct composition {
  double envelope_index = 1.5;  ///< n of the envelope, or of the whole star without a core
  double core_index = 1.5;      ///< n of the core
  double core_fraction = 0;     ///< core mass over the star's mass; 0: no core
  double mu_ratio = 1;          ///< mean molecular weight of the core over the envelope's: the density jumps by it
  std::shared_ptr<const barotrope> given = nullptr;  ///< not null: the barotrope; indices and mu_ratio mean nothing

  /// Of a barotrope: whether all its pressures may be multiplied by a factor, which makes the mass what it should be.
  /// Else its mass depends on its size alone.
  bool free_pressure = false;

  bool has_core() const { return core_fraction > 0; }
  /// Whether something makes the mass what it should be at any size: the density's scale, or the pressure's.
  bool has_scale() const { return given == nullptr || free_pressure; }
};

/// x^n for x >= 0; roots and products where 2n is a small whole number.
inline double index_power(double x, double n) {
  const double twice = 2 * n;
  if (twice != std::floor(twice) || twice > 12 || twice < 0) return std::pow(x, n);
  double result = 1;
  int k = static_cast<int>(twice);
  for (; k >= 2; k -= 2) result *= x;
  return k == 1 ? result * std::sqrt(x) : result;
}

/// rho(H) and p(H) for unit envelope scale; a factor S in front of both gives the star its mass.
///
/// Envelope, H < H_i:  rho = H^n_e,  p = H^(n_e+1) / (n_e+1).
/// Core:  rho = mu H_i^n_e b^n_c,  p = H_i^(n_e+1) / (n_e+1) b^(n_c+1),
///        b = 1 + mu (1+n_e)/(1+n_c) (H/H_i - 1).
/// So pressure and enthalpy are continuous at the interface, the density jumps by mu, and dp/dH = rho in both
/// (the bipolytrope of Even & Tohline 2009, sec. 2, in terms of the enthalpy).
///
/// Of a barotrope: its own functions, in core and envelope, with pressures and enthalpies times a factor.
class stratification {
 public:
  /// interface: the enthalpy H_i at the core's surface; infinite without a core. pressure_factor: of a barotrope.
  stratification(const composition& c, double interface, double pressure_factor = 1)
      : c_(c), interface_(interface), pressure_factor_(pressure_factor) {
    if (!has_core() || c.given) return;
    slope_ = c.mu_ratio * (1 + c.envelope_index) / (1 + c.core_index);
    density_ = c.mu_ratio * index_power(interface, c.envelope_index);
    pressure_ = index_power(interface, c.envelope_index + 1) / (c.envelope_index + 1);
  }
  explicit stratification(const composition& c) : stratification(c, std::numeric_limits<double>::infinity()) {}

  double interface() const { return interface_; }

  /// Share of a cell that is core, where H varies by ± spread about its value at the centre: it lets cells
  /// join the core bit by bit, so that masses are continuous functions of H_i.
  double core_share(double h, double spread) const {
    if (!has_core()) return 0;
    return std::clamp(0.5 * (h - interface_) / std::max(spread, 1e-14 * interface_) + 0.5, 0.0, 1.0);
  }
  double envelope_density(double h, double spread) const {
    if (h <= 0) return 0;
    return (1 - core_share(h, spread)) * (c_.given ? of_given(h) : index_power(h, c_.envelope_index));
  }
  double core_density(double h, double spread) const {
    const double share = core_share(h, spread);
    if (share <= 0) return 0;
    return c_.given ? share * of_given(h) : share * density_ * index_power(core_base(h), c_.core_index);
  }
  double pressure(double h, double spread) const {
    if (h <= 0) return 0;
    if (c_.given) return pressure_factor_ * c_.given->pressure_of(of_given(h));
    const double share = core_share(h, spread);
    double p = 0;
    if (share < 1) p = (1 - share) * index_power(h, c_.envelope_index + 1) / (c_.envelope_index + 1);
    if (share > 0) p += share * pressure_ * index_power(core_base(h), c_.core_index + 1);
    return p;
  }

 private:
  bool has_core() const { return std::isfinite(interface_); }
  double core_base(double h) const { return std::max(1 + slope_ * (h / interface_ - 1), 0.0); }

  double of_given(double h) const { return c_.given->density(h / pressure_factor_); }

  composition c_;
  double interface_, pressure_factor_;
  double slope_ = 0, density_ = 0, pressure_ = 0;  // of the core, at the interface
};

}  // namespace rednova::stellar
