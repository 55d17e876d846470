#include "eos/free_energy.hpp"

#include <cmath>

#include "core/check.hpp"

namespace rednova::eos {
namespace {

using namespace core;
using number = dual<2>;  // derivatives by ln rho and by ln T

/// The solution with its derivatives by ln rho and ln T, from the implicit function theorem.
struct moving_solution {
  number electron, log_occupation;
};
moving_solution derivatives(const mixture& gas, double log_rho, double log_t, const potentials& p) {
  using wide = dual<4>;
  const auto at = make_thermal_terms(gas, wide::variable(log_rho, 0), wide::variable(log_t, 1));
  const auto r = imbalance_of(gas, at, wide::variable(p.electron, 2), wide::variable(p.log_occupation, 3), p.kind);
  const auto& a = r.charge.slopes;
  const auto& b = r.occupation.slopes;
  const double over = 1.0 / (a[2] * b[3] - a[3] * b[2]);
  moving_solution s{number(p.electron), number(p.log_occupation)};
  for (std::size_t i = 0; i < 2; ++i) {
    s.electron.slopes[i] = (a[3] * b[i] - b[3] * a[i]) * over;
    s.log_occupation.slopes[i] = (b[2] * a[i] - a[2] * b[i]) * over;
  }
  return s;
}

}  // namespace

gas_state free_energy::at(double rho, double kelvin, const potentials& start) const {
  EXPECT(rho > 0 && kelvin > 0);
  const double log_rho = std::log(rho), log_t = std::log(kelvin);
  const potentials p = solve_ionization(gas_, log_rho, log_t, start);
  const moving_solution s = derivatives(gas_, log_rho, log_t, p);
  const number per_gram = exp(-number::variable(log_rho, 0));
  const auto at = make_thermal_terms(gas_, number::variable(log_rho, 0), number::variable(log_t, 1));
  const electron_potential<number> mu(s.electron, at.kelvin, p.kind);
  const auto ions = populations<wanted::all>(gas_, at, mu.eta, s.log_occupation);
  const auto free = fermi_dirac(mu.of_gas, rest_temperature(at.kelvin), p.kind);
  const number u = exp(s.log_occupation), u3 = u * u * u, u4 = u * u3;
  const number g = u3 * (1.0 / 3 + u4 / 7.0);

  const number t4 = at.kelvin * at.kelvin * at.kelvin * at.kelvin;
  const number light = radiates_ ? radiation_constant * t4 : number(0.0);  // energy per volume
  const number pressure = ions.ions * at.kt + at.occupation_scale * (u3 * (1.0 + u4) - g) + free.pressure + light / 3.0;
  const number energy = per_gram * (ions.energy + occupation_pressure * g + free.energy + light);
  const number electrons = (free.energy + free.pressure) / at.kelvin - boltzmann * free.number * mu.eta;
  const number entropy = per_gram * (boltzmann * ions.entropy - occupation_pressure * occupation_growth * g +
                                     electrons + 4.0 / 3.0 * light / at.kelvin);

  gas_state r{};
  const auto put = [](const number& x, double& value, double& by_rho, double& by_t) {
    value = x.value;
    by_rho = x.slopes[0];
    by_t = x.slopes[1];
  };
  put(pressure, r.pressure, r.pressure_rho, r.pressure_t);
  put(energy, r.energy, r.energy_rho, r.energy_t);
  put(entropy, r.entropy, r.entropy_rho, r.entropy_t);
  r.gruneisen = r.pressure_t / (rho * r.energy_t);
  r.gamma1 = (r.pressure_rho + r.pressure_t * r.gruneisen) / r.pressure;
  r.mean_weight = rho / (atomic_mass * (ions.ions.value + free.number.value));
  r.free_electrons = free.number.value * atomic_mass / rho;
  r.molecules = ions.molecules.value * atomic_mass / rho;
  r.ionization_energy = ions.bound_energy.value / rho;
  r.solution = p;
  return r;
}

}  // namespace rednova::eos
