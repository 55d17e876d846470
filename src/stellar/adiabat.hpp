// Gas of stars of one entropy: convective stars and envelopes.
#pragma once

#include <memory>

#include "eos/stellar.hpp"
#include "stellar/barotropic_sphere.hpp"
#include "stellar/tabulated_barotrope.hpp"

namespace rednova::stellar {

/// All densities that the table holds with this entropy [k/m_u] and mass fraction of hydrogen, and power laws beyond
/// them. A core::user_error where there are none, or where the pressure does not rise with the density.
std::shared_ptr<const tabulated_barotrope> adiabat(const eos::stellar& gas, double hydrogen, double entropy);

/// A star of one entropy at rest.
struct adiabatic_star {
  double entropy;  ///< [k/m_u]
  std::shared_ptr<const tabulated_barotrope> gas;
  barotropic_sphere sphere;
};

/// The one that is asked for. A core::user_error that names `what` (a star) where there is none.
adiabatic_star adiabatic_star_of(const eos::stellar& gas, double hydrogen, const star_asked& asked, const char* what);

}  // namespace rednova::stellar
