#include "eos/mixture.hpp"

#include <cmath>

#include "core/check.hpp"

namespace rednova::eos {

mixture::mixture(const composition& of, molecules m) : has_molecules(m == molecules::hydrogen && of.hydrogen > 0) {
  const std::array fractions{of.hydrogen, of.helium, of.carbon, of.oxygen};
  double sum = 0;
  for (const double x : fractions) {
    if (!(x >= 0)) core::fail("composition: a mass fraction of {} is negative or NaN; give numbers from 0 to 1", x);
    sum += x;
  }
  if (!(std::abs(sum - 1.0) < 1e-12)) core::fail("composition: mass fractions add up to {:.15g} instead of 1", sum);
  for (std::size_t e = 0; e < elements_of_gas.size(); ++e) {
    if (fractions[e] == 0) continue;
    const element& now = elements_of_gas[e];
    const double number = fractions[e] / (now.weight * core::atomic_mass);
    const int first = static_cast<int>(stages.size()), charge = now.charge();
    double energy = e == 0 && has_molecules ? 0.5 * hydrogen_molecule::dissociation : 0.0;
    for (int z = 0; z <= charge; ++z) {
      const auto at = static_cast<std::size_t>(z);
      const double potential = z < charge ? now.potentials[at] : 0.0;  // eV
      const double volume = z < charge ? hydrogen_volume * (z + 1) * 13.6 / potential : 0.0;
      stages.push_back({z, std::log(now.degeneracy[at]), potential * core::electron_volt, energy, volume});
      energy += potential * core::electron_volt;
    }
    elements.push_back({number, now.weight, first, first + charge + 1});
    electrons += number * charge;
  }
}

}  // namespace rednova::eos
