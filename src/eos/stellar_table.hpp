// The table of the gas of stars: made from the free energy.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "core/units.hpp"
#include "eos/free_energy.hpp"
#include "eos/stellar.hpp"
#include "exec/for_each.hpp"

namespace rednova::eos {

/// What a table is made of; decades are powers of ten in cgs.
struct stellar_parameters {
  double carbon = 0.01, oxygen = 0.01;            ///< mass fractions, the same for all fractions of hydrogen
  double hydrogen_min = 0.0, hydrogen_max = 0.7;  ///< helium is the rest
  int hydrogen_tables = 13;                       ///< 1 (then hydrogen_min is taken), or an odd number from 3 on
  radiation with_radiation = radiation::included;
  molecules with_molecules = molecules::none;
  double density_min = -15, density_split = -3, density_max = 7;  ///< log10(rho [g/cm^3])
  double energy_min = 10, energy_max = 20;                        ///< log10(eps - eps_c [erg/g])
  int thin_rows = 10, thin_columns = 160;                         ///< nodes a decade below the split
  int dense_rows = 40, dense_columns = 20;                        ///< and from there on

  /// The numbers above in a fixed order: two tables are the same if these are.
  std::vector<double> numbers() const;
  /// Throws core::user_error for what no table can be made of.
  void check() const;
  /// Helium is the rest, without what the others' sum is off 1 by rounding.
  composition at(double hydrogen) const {
    const double helium = 1.0 - hydrogen - carbon - oxygen;
    return {hydrogen, helium < 0 && helium > -1e-12 ? 0.0 : helium, carbon, oxygen};
  }
  /// The fractions are equidistant in their roots.
  double hydrogen_of(int table) const;
  /// How many of stellar_quantity a table holds.
  int quantities() const;
};

/// The temperature below which the table's gas is a cold curve with an ideal thermal part [K], of rho [g/cm^3]: below
/// it real gas is degenerate to a part in 10^6, or solid, or of dust and molecules. Smooth in rho.
double coldest_temperature(double rho);

/// Called with the part that is done, 0 to 1, from any thread but from one at a time.
using progress = std::function<void(double)>;

/// A table in memory.
class stellar_table {
 public:
  /// Makes the table on all threads of the context.
  stellar_table(const stellar_parameters& of, exec::context& context, const progress& tell = {});
  /// From coefficients that were made before; they must be as many as numbers_needed says.
  stellar_table(const stellar_parameters& of, std::vector<double> coefficients);
  static std::size_t numbers_needed(const stellar_parameters& of);

  /// The table in code units; it lives no longer than this object. `data` is where the coefficients are, if they are
  /// not those here but a copy, as on a device.
  stellar view(const core::units& u, const double* data = nullptr) const;
  const std::vector<double>& coefficients() const { return coefficients_; }
  const stellar_parameters& parameters() const { return parameters_; }

 private:
  stellar_parameters parameters_;
  std::vector<double> coefficients_;
};

/// Throws core::user_error with the values and `place` (a cell, say) where the table does not hold (rho, e), code
/// units.
void require_in_table(const stellar& gas, const core::units& u, double rho, double e, std::string_view place);

}  // namespace rednova::eos
