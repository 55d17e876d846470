#include "problem/star_structure.hpp"

#include "core/check.hpp"
#include "eos/gas.hpp"

namespace rednova::problem {

void expect_gas(star_structure s, const config::input& in, const config::parameters& par, const std::string& key) {
  if (s == star_structure::white_dwarf && par.eos.model != config::gas_model::white_dwarf)
    core::fail("{}: problem.{} = \"white_dwarf\" needs degenerate gas: set eos.model = \"white_dwarf\"",
               in.place("problem", key), key);
}

namespace {

/// Electrons at the centre have a Fermi momentum between these, in units of m_e c: from planets to the mass limit but
/// for a part in 10^5.
constexpr double least_momentum = 1e-2, largest_momentum = 1e3;

double density(const eos::white_dwarf& gas, double momentum) {
  return gas.density_scale * momentum * momentum * momentum;
}

}  // namespace

cold_star::cold_star(const config::parameters& par, double mass, const char* what)
    : gas(eos::gas(par).dwarf),
      sphere(stellar::sphere_of_mass(gas, mass, density(eos::gas(par).dwarf, least_momentum),
                                     density(eos::gas(par).dwarf, largest_momentum), what)) {}

}  // namespace rednova::problem
