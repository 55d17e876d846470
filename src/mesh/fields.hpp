// The fields of a state: one row each. Mass density is the sum of the species' and is not stored.
#pragma once

#include <string>
#include <vector>

#include "config/parameters.hpp"

namespace rednova::mesh {

/// How a field transforms: what rotation, prolongation, restriction and the ledger do with it.
enum class field_kind { scalar, momentum, spin };

struct field_info {
  std::string name;   ///< in files
  std::string units;  ///< in files, in code units
  field_kind kind;
};

/// Numbers of the fields of a state with so many species; host and device read them alike.
///
/// Order: the evolved fields, which are partial densities rho X_k, momentum density s (3), gas energy density E,
/// entropy tracer tau and spin density l (3), see numerics in the documentation; then, with gravity, the acceleration
/// (3) that the densities cause, and of stored gas (eos/stored_gas.hpp) its pressure, e/p and Gamma1. These go wherever
/// the gas does: the update needs them in ghost layers.
class field_numbers {
 public:
  constexpr explicit field_numbers(int species, bool gravity = false, bool stored_gas = false)
      : species_(species), gravity_(gravity), gas_(stored_gas) {}

  constexpr int species() const { return species_; }
  constexpr int species(int k) const { return k; }
  constexpr int momentum(int d = 0) const { return species_ + d; }
  constexpr int energy() const { return species_ + 3; }
  constexpr int entropy() const { return species_ + 4; }
  constexpr int spin(int d = 0) const { return species_ + 5 + d; }
  /// How many are evolved; what the others are follows from these.
  constexpr int evolved() const { return species_ + 8; }
  constexpr bool has_acceleration() const { return gravity_; }
  constexpr int acceleration(int d = 0) const { return evolved() + d; }
  constexpr bool has_gas() const { return gas_; }
  constexpr int pressure() const { return evolved() + (gravity_ ? 3 : 0); }
  constexpr int energy_over_pressure() const { return pressure() + 1; }
  constexpr int gamma1() const { return pressure() + 2; }
  constexpr int size() const { return pressure() + (gas_ ? 3 : 0); }

 private:
  int species_;
  bool gravity_, gas_;
};

/// The fields of a state with the given species (at least one).
class fields : public field_numbers {
 public:
  explicit fields(const std::vector<std::string>& names, bool gravity = false, bool stored_gas = false);
  explicit fields(int species, bool gravity = false, bool stored_gas = false);
  /// Those of a run.
  static fields of(const config::parameters& p);

  /// Of an evolved field.
  const field_info& operator[](int f) const { return table_[static_cast<std::size_t>(f)]; }

 private:
  std::vector<field_info> table_;
};

}  // namespace rednova::mesh
