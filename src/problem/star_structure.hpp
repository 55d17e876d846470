// What a star of a problem is made of.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "config/reader.hpp"
#include "stellar/barotropic_sphere.hpp"

namespace rednova::problem {

enum class star_structure { polytrope, white_dwarf, adiabat };

/// A user_error where the input's gas has no such stars. key: of [problem].
void expect_gas(star_structure s, const config::input& in, const config::parameters& par, const std::string& key);

/// A star at rest and alone, and its gas: code units.
struct star_of_gas {
  std::shared_ptr<const stellar::barotrope> gas;
  stellar::barotropic_sphere sphere;
};

/// The white dwarf of no temperature of a mass. A user_error that names `what` (a star) where there is none.
star_of_gas cold_star(const config::parameters& par, double mass, const char* what);

/// The star of one entropy of a mass and radius, of a species' gas. A user_error as above.
star_of_gas convective_star(const config::parameters& par, int species, double mass, double radius, const char* what);

}  // namespace rednova::problem

template <>
struct rednova::config::enum_names<rednova::problem::star_structure> {
  static constexpr std::array value{"polytrope", "white_dwarf", "adiabat"};
};
