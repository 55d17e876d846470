// Gas whose density and pressure follow from the enthalpy H = integral of dp / rho alone, with no scale left free.
#pragma once

#include <cmath>

#include "eos/white_dwarf.hpp"

namespace rednova::stellar {

class barotrope {
 public:
  virtual ~barotrope() = default;
  /// rho(H), rising from rho(0) = 0; H >= 0.
  virtual double density(double enthalpy) const = 0;
  /// p(rho), dp/dH = rho.
  virtual double pressure_of(double density) const = 0;
  /// H(rho).
  virtual double enthalpy(double density) const = 0;
};

/// p = K rho^(1 + 1/n), n > 0.
class polytropic_gas final : public barotrope {
 public:
  polytropic_gas(double index, double constant) : n_(index), k_(constant) {}
  double density(double enthalpy) const override { return std::pow(enthalpy / ((n_ + 1) * k_), n_); }
  double pressure_of(double density) const override { return k_ * std::pow(density, 1 + 1 / n_); }
  double enthalpy(double density) const override { return (n_ + 1) * k_ * std::pow(density, 1 / n_); }

 private:
  double n_, k_;
};

/// Degenerate electrons at zero temperature (Chandrasekhar 1939), in closed form.
class cold_white_dwarf final : public barotrope {
 public:
  explicit cold_white_dwarf(const eos::white_dwarf& gas) : gas_(gas) {}
  double density(double enthalpy) const override { return gas_.density_of_enthalpy(enthalpy); }
  double pressure_of(double density) const override { return gas_.cold(density).pressure; }
  double enthalpy(double density) const override { return gas_.cold(density).enthalpy; }

 private:
  eos::white_dwarf gas_;
};

}  // namespace rednova::stellar
