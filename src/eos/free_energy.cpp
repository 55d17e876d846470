#include "eos/free_energy.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"

namespace rednova::eos {
namespace {

using namespace core;
using number = dual<2>;  // derivatives by ln rho and by ln T

/// What depends on rho and T alone, for formulas with two variables more.
using wide = dual<4>;
wide widened(const number& x) {
  wide r(x.value);
  std::ranges::copy(x.slopes, r.slopes.begin());
  return r;
}
template <std::size_t N>
std::array<wide, N> widened(const std::array<number, N>& x) {
  std::array<wide, N> r;
  std::ranges::transform(x, r.begin(), [](const number& v) { return widened(v); });
  return r;
}
thermal_terms<wide> widened(const thermal_terms<number>& x) {
  return {widened(x.kelvin),
          widened(x.kt),
          widened(x.occupation_scale),
          widened(x.log_number),
          widened(x.log_volume),
          widened(x.log_weight),
          widened(x.slope),
          widened(x.log_molecules),
          widened(x.molecule_slope)};
}

/// The solution with its derivatives by ln rho and ln T, from the implicit function theorem.
struct moving_solution {
  number electron, log_occupation;
};
/// free: electrons per cm^3 with their derivatives by the potential and by beta.
moving_solution derivatives(const mixture& gas, const thermal_terms<number>& terms, const potentials& p,
                            const number& free) {
  const thermal_terms<wide> at = widened(terms);
  const electron_potential<wide> mu(wide::variable(p.electron, 2), at.kelvin, p.kind);
  const auto r = imbalance_of(gas, at, mu.eta, wide::variable(p.log_occupation, 3),
                              chain(free, mu.of_gas, rest_temperature(at.kelvin)));
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
  const number per_gram = exp(-number::variable(log_rho, 0));
  const auto at = make_thermal_terms(gas_, number::variable(log_rho, 0), number::variable(log_t, 1));
  const number beta = rest_temperature(at.kelvin);
  const double potential = electron_potential<double>(p.electron, at.kelvin.value, p.kind).of_gas;
  const auto of_potential = fermi_dirac(number::variable(potential, 0), number::variable(beta.value, 1), p.kind);
  const moving_solution s = derivatives(gas_, at, p, of_potential.number);
  const electron_potential<number> mu(s.electron, at.kelvin, p.kind);
  const auto ions = populations<wanted::all>(gas_, at, mu.eta, s.log_occupation);
  const electron_gas<number> free{chain(of_potential.number, mu.of_gas, beta),
                                  chain(of_potential.pressure, mu.of_gas, beta),
                                  chain(of_potential.energy, mu.of_gas, beta)};
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
  r.solution.electron_t = s.electron.slopes[1];
  r.solution.log_occupation_t = s.log_occupation.slopes[1];
  return r;
}

}  // namespace rednova::eos
