// What a star of a problem is made of.
#pragma once

#include <array>
#include <string>

#include "config/reader.hpp"
#include "stellar/barotropic_sphere.hpp"

namespace rednova::problem {

enum class star_structure { polytrope, white_dwarf };

/// A user_error where the input's gas has no such stars. key: of [problem].
void expect_gas(star_structure s, const config::input& in, const config::parameters& par, const std::string& key);

/// The white dwarf of no temperature of a mass, at rest and alone, and its gas: code units.
struct cold_star {
  stellar::cold_white_dwarf gas;
  stellar::barotropic_sphere sphere;

  /// A user_error that names `what` (a star) where there is none of this mass.
  cold_star(const config::parameters& par, double mass, const char* what);
};

}  // namespace rednova::problem

template <>
struct rednova::config::enum_names<rednova::problem::star_structure> {
  static constexpr std::array value{"polytrope", "white_dwarf"};
};
