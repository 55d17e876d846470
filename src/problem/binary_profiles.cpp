// Binaries of stars of a profile.
#include <fmt/format.h>

#include <cmath>

#include "core/check.hpp"
#include "core/constants.hpp"
#include "problem/binary.hpp"
#include "stellar/roche.hpp"

namespace rednova::problem {

void read_profiles(const config::input& in, const config::parameters& par, binary_parameters& p) {
  const struct {
    star_structure structure;
    const char *star, *what;
    std::string* path;
    double* mass;
  } stars[] = {{p.accretor_structure, "accretor", "the accretor", &p.accretor_profile, &p.accretor_mass},
               {p.donor_structure, "donor", "the donor", &p.donor_profile, &p.donor_mass}};
  for (std::size_t star = 0; star < 2; ++star) {
    const auto& s = stars[star];
    const auto key = [&](const char* name) { return fmt::format("{}_{}", s.star, name); };
    if (s.structure != star_structure::profile) {
      in.expect_absent("problem", key("profile"), "it is that of a star with structure = \"profile\"");
      continue;
    }
    for (const char* name : {"mass", "core_fraction"}) in.expect_absent("problem", key(name), "the profile has it");
    if (s.path->empty())
      core::fail("{}: problem.{} = \"profile\" needs the file's name: set problem.{}",
                 in.place("problem", key("structure")), key("structure"), key("profile"));
    if (in.goes_on()) {
      in.note_file(*s.path);
      continue;
    }
    expect_gas(s.structure, in, par, key("structure"));
    p.read[star] = std::make_shared<const stellar::profile_star>(star_of_file(par, in.beside(*s.path), 0, s.what));
    *s.mass = p.read[star]->sphere.mass();
  }
}

void set_fillings_of_profiles(stellar::binary_request& r) {
  const auto lobe = [&](std::size_t s) { return stellar::asynchronous_lobe(r.mass[s] / r.mass[1 - s], r.spin[s]); };
  if (r.made_of[1].free_pressure && r.separation == 0 && r.period == 0)
    r.separation = r.radius[1] / (r.filling[1] * lobe(1));
  if (r.made_of[0].free_pressure && r.separation == 0 && r.period == 0)
    core::fail(
        "beside an accretor of a profile the filling of a donor that has none does not say how far apart they are: set "
        "problem.separation or a period");
  const double mass = r.mass[0] + r.mass[1];
  const double separation = r.period > 0 ? std::cbrt(mass * std::pow(r.period / (2 * core::pi), 2)) : r.separation;
  for (std::size_t s = 0; s < 2; ++s) {
    if (!r.made_of[s].free_pressure || separation == 0) continue;
    r.filling[s] = r.radius[s] / (separation * lobe(s));
    if (r.filling[s] > 1)
      core::fail(
          "{} of the profile's radius of {:.4g} is larger than its Roche lobe, {:.4g}, at a separation of {:.4g}: "
          "widen the orbit",
          s == 0 ? "the accretor" : "the donor", r.radius[s], separation * lobe(s), separation);
  }
}

std::string binary::description() const {
  std::string words;
  for (std::size_t star = 0; star < 2; ++star) {
    if (p_.read[star] == nullptr) continue;
    words += words.empty() ? "" : "\n";
    words += description_of(star == 0 ? p_.accretor_profile : p_.donor_profile, *p_.read[star]);
  }
  return words;
}

std::array<std::optional<layers>, 2> binary::layers_of(const config::parameters& par, const config::input& in) const {
  std::array<std::optional<layers>, 2> of;
  for (std::size_t star = 0; star < 2; ++star) {
    if (p_.read[star] == nullptr) continue;
    const auto species = species_of(par);
    of[star].emplace(p_.read[star], std::vector{species[2 * star], species[2 * star + 1]}, par, in);
  }
  return of;
}

}  // namespace rednova::problem
