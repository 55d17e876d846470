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

/// Numbers of the fields of a state with the given species (at least one).
///
/// Order: partial densities rho X_k, momentum density s (3), gas energy density E, entropy tracer tau,
/// spin density l (3); see numerics in the documentation.
class fields {
 public:
  explicit fields(const std::vector<std::string>& species);
  explicit fields(int species);

  int species() const { return species_; }
  int species(int k) const { return k; }
  int momentum(int d = 0) const { return species_ + d; }
  int energy() const { return species_ + 3; }
  int entropy() const { return species_ + 4; }
  int spin(int d = 0) const { return species_ + 5 + d; }
  int size() const { return species_ + 8; }
  const field_info& operator[](int f) const { return table_[static_cast<std::size_t>(f)]; }

 private:
  int species_;
  std::vector<field_info> table_;
};

}  // namespace rednova::mesh
