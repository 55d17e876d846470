// The evolved fields: one row each. Mass density is the sum of the species' and is not stored.
#pragma once

#include <string>
#include <vector>

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
/// Order: partial densities rho X_k, momentum density s (3), gas energy density E, entropy tracer tau,
/// spin density l (3); see numerics in the documentation.
class field_numbers {
 public:
  constexpr explicit field_numbers(int species) : species_(species) {}

  constexpr int species() const { return species_; }
  constexpr int species(int k) const { return k; }
  constexpr int momentum(int d = 0) const { return species_ + d; }
  constexpr int energy() const { return species_ + 3; }
  constexpr int entropy() const { return species_ + 4; }
  constexpr int spin(int d = 0) const { return species_ + 5 + d; }
  constexpr int size() const { return species_ + 8; }

 private:
  int species_;
};

/// The fields of a state with the given species (at least one).
class fields : public field_numbers {
 public:
  explicit fields(const std::vector<std::string>& names);
  explicit fields(int species);

  const field_info& operator[](int f) const { return table_[static_cast<std::size_t>(f)]; }

 private:
  std::vector<field_info> table_;
};

}  // namespace rednova::mesh
