// What a star of a problem is made of.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "config/reader.hpp"
#include "stellar/profile_star.hpp"
#include "stellar/report.hpp"

namespace rednova::problem {

enum class star_structure { polytrope, white_dwarf, adiabat, profile };

/// A user_error where the input's gas has no such stars. key: of [problem].
void expect_gas(star_structure s, const config::input& in, const config::parameters& par, const std::string& key);

/// A star at rest and alone, and its gas: code units.
struct star_of_gas {
  std::shared_ptr<const stellar::barotrope> gas;
  stellar::barotropic_sphere sphere;
};

/// The white dwarf of no temperature of a mass. A user_error that names `what` (a star) where there is none.
star_of_gas cold_star(const config::parameters& par, double mass, const char* what);

/// The star of one entropy that is asked for, of a species' gas. A user_error as above.
star_of_gas convective_star(const config::parameters& par, int species, const stellar::star_asked& asked,
                            const char* what);

/// The star of a file with a profile. Within the softening of a core, if that is not 0, gas of one entropy. A
/// user_error as above, and where the gas cannot have the profile's composition. The profile's gas is compared with the
/// run's.
stellar::profile_star star_of_file(const config::parameters& par, const std::string& path, double core_softening,
                                   const char* what);

/// What has come of a file, for people; with warnings where the run's gas is another one than the profile's.
std::string description_of(const std::string& path, const stellar::profile_star& star);

/// The gas that was asked for and what the run has, as rows of a report; none where the file says nothing. name: of the
/// star.
std::vector<stellar::model_report::row> composition_rows(const stellar::profile_star& star, const char* name);

}  // namespace rednova::problem

template <>
struct rednova::config::enum_names<rednova::problem::star_structure> {
  static constexpr std::array value{"polytrope", "white_dwarf", "adiabat", "profile"};
};
