#include "config/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <set>

#include "config/radiation_checks.hpp"
#include "core/check.hpp"
#include "core/shortened.hpp"

namespace rednova::config {

namespace {

using place_of = std::function<std::string(const std::string&)>;
using given = std::function<bool(const std::string&)>;

constexpr std::array axis{"x", "y", "z"};

void check_levels(const parameters& p, const place_of& place) {
  const mesh& m = p.mesh;
  if (m.min_level > m.max_level)
    core::fail("{}: mesh.min_level = {} exceeds mesh.max_level = {}", place("mesh.min_level"), m.min_level,
               m.max_level);
  const auto expect_level = [&](int level, const char* key) {
    if (level > m.max_level) core::fail("{}: {} = {} exceeds mesh.max_level = {}", place(key), key, level, m.max_level);
  };
  expect_level(p.refine.region_level, "refine.region_level");
  expect_level(p.refine.unbound_level, "refine.unbound_level");
  expect_level(p.refine.photosphere_level, "refine.photosphere_level");
  // The base lattice lies in the smallest cube of 2^r base blocks; ids hold 20 levels in all.
  int root = 0;
  while ((1 << root) < *std::max_element(m.base_blocks.begin(), m.base_blocks.end())) ++root;
  if (root + m.max_level > 20)
    core::fail("{}: mesh.max_level = {} is too fine for this many base blocks; it may be at most {}",
               place("mesh.max_level"), m.max_level, 20 - root);
}

/// The expansion of gravity has powers of lengths, and conserved sums have volumes: both are to stay numbers.
void check_width(const parameters& p, const place_of& place) {
  constexpr double least = 1e-12, most = 1e12;
  if (p.mesh.base_width >= least && p.mesh.base_width <= most) return;
  core::fail(
      "{}: mesh.base_width = {:g} is not possible; it must be {:g} to {:g}: choose units in which the problem has a "
      "size of about 1",
      place("mesh.base_width"), p.mesh.base_width, least, most);
}

/// Places must tell cells apart: far from the origin their coordinates round to the same numbers.
void check_place(const parameters& p, const place_of& place) {
  const mesh& m = p.mesh;
  const double finest = std::ldexp(m.base_width, -m.max_level) / 8;
  for (std::size_t d = 0; d < 3; ++d) {
    const double upper = m.lower[d] + m.base_width * m.base_blocks[d];
    const double farthest = std::max(std::fabs(m.lower[d]), std::fabs(upper));
    constexpr double fewest_steps = 1e3;  // of rounding in a cell
    if (finest > fewest_steps * std::numeric_limits<double>::epsilon() * farthest && std::isfinite(upper)) continue;
    core::fail(
        "{}: mesh.lower = {:g} in {} is too far from the origin for cells of {:.3g}: numbers of 16 digits do not "
        "tell them apart; move the domain to the origin, or make base_width larger",
        place("mesh.lower"), m.lower[d], axis[d], finest);
  }
}

void check_boundaries(const parameters& p, const place_of& place) {
  const mesh& m = p.mesh;
  for (std::size_t d = 0; d < 3; ++d) {
    const bool lower = m.boundaries[2 * d] == boundary::periodic, upper = m.boundaries[2 * d + 1] == boundary::periodic;
    if (lower != upper)
      core::fail("{}: mesh.boundaries: only one face in {} is periodic; make it both or none", place("mesh.boundaries"),
                 axis[d]);
  }
  const bool horizontal_walls = std::any_of(m.boundaries.begin(), m.boundaries.begin() + 4, [](boundary b) {
    return b == boundary::periodic || b == boundary::reflecting;
  });
  const bool follows = m.rotation_follows != followed::nothing;
  const bool any_fixed = std::ranges::count(m.boundaries, boundary::fixed) > 0;
  if ((m.rotation != 0 || follows) && any_fixed)
    core::fail("{}: what a fixed boundary keeps does not turn with the grid: leave out mesh.rotation",
               place("mesh.boundaries"));
  if ((m.rotation != 0 || follows) && horizontal_walls)
    core::fail("{}: a rotating grid (mesh.rotation) needs outflow or zero_gradient in x and y",
               place("mesh.boundaries"));
}

/// Whether there are two stars is known when the problem has named its species.
void check_rotation(const parameters& p, const place_of& place) {
  const mesh& m = p.mesh;
  const auto expect_adapted = [&](bool asked, const char* key) {
    if (!asked || m.regrid_interval > 0) return;
    core::fail("{}: {} acts when the mesh is adapted, but mesh.regrid_interval = 0: set it to 10, for instance",
               place(key), key);
  };
  expect_adapted(m.rotation_follows != followed::nothing, "mesh.rotation_follows");
  expect_adapted(m.inertial_after_merger, "mesh.inertial_after_merger");
}

void check_gravity(const parameters& p, const place_of& place) {
  if (!p.gravity.enabled) return;
  const mesh& m = p.mesh;
  if (m.base_blocks != std::array<int, 3>{1, 1, 1})
    core::fail("{}: gravity.enabled needs mesh.base_blocks = [1, 1, 1]; refine with mesh.min_level instead",
               place("mesh.base_blocks"));
  if (std::any_of(m.boundaries.begin(), m.boundaries.end(), [](boundary b) { return b != boundary::outflow; }))
    core::fail("{}: gravity.enabled has isolated boundaries and needs outflow on all six faces of mesh.boundaries",
               place("mesh.boundaries"));
}

void check_species(const parameters& p, const place_of& place) {
  const auto& names = p.hydro.species;
  const std::string where = place("hydro.species");
  if (names.empty() || names.size() > max_species)
    core::fail("{}: hydro.species names {} species; it must be 1 to {}", where, names.size(), max_species);
  for (const std::string& name : names) {
    const bool word = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    });
    if (!word)
      core::fail("{}: hydro.species: '{}' is no name; use letters, digits and _", where, core::shortened(name));
  }
  if (std::set<std::string>(names.begin(), names.end()).size() != names.size())
    core::fail("{}: hydro.species has a name twice", where);
}

void check_core_levels(const parameters& p, const place_of& place, const char* key, int levels) {
  if (levels == 0) return;
  if (!(p.refine.density > 0))
    core::fail("{}: {} = {} counts from the finest level of refine.density, which is not set", place(key), key, levels);
  const int most = p.mesh.max_level - p.mesh.min_level;
  if (levels > most)
    core::fail("{}: {} = {} exceeds mesh.max_level - mesh.min_level = {}", place(key), key, levels, most);
}

void check_floors(const parameters& p, const place_of& place) {
  const hydro& h = p.hydro;
  const bool ceiling = h.specific_energy_ceiling < hydro::no_ceiling;
  if (ceiling && !(h.thin_gas_density > 0))
    core::fail(
        "{}: hydro.specific_energy_ceiling = {:g} needs hydro.thin_gas_density, the density below which gas is thin "
        "and its "
        "heat is held down: set it well below that of the stars, to a thousandth of their centres' for instance",
        place("hydro.specific_energy_ceiling"), h.specific_energy_ceiling);
  if (!ceiling && h.thin_gas_density > 0)
    core::fail("{}: hydro.thin_gas_density = {:g} says where hydro.specific_energy_ceiling holds, which is not set",
               place("hydro.thin_gas_density"), h.thin_gas_density);
  const double most = h.specific_energy_ceiling * h.density_floor;
  if (h.density_floor < h.thin_gas_density && h.energy_floor > most)
    core::fail(
        "{}: hydro.energy_floor = {:g} is above hydro.specific_energy_ceiling * hydro.density_floor = {:g}, the most "
        "that the "
        "thinnest gas may hold: lower the energy floor, or raise one of the others",
        place("hydro.energy_floor"), h.energy_floor, most);
}

template <class Enum>
const char* name(Enum value) {
  return enum_names<Enum>::value[static_cast<std::size_t>(value)];
}

/// Keys that mean nothing to the model, by value, not by what is given: a file of all values gives them all.
void check_idle_gas_keys(const parameters& p, const place_of& place) {
  const auto expect = [&](bool as_by_default, gas_model of, const char* key) {
    if (p.eos.model == of || as_by_default) return;
    core::fail("{}: {} means nothing to {} gas: set eos.model = \"{}\", or leave it out", place(key), key,
               name(p.eos.model), name(of));
  };
  const config::eos &gas = p.eos, by_default;
  expect(gas.electron_weight == by_default.electron_weight, gas_model::white_dwarf, "eos.electron_weight");
  expect(gas.mean_weight == by_default.mean_weight, gas_model::white_dwarf, "eos.mean_weight");
  expect(gas.hydrogen == by_default.hydrogen, gas_model::stellar, "eos.hydrogen");
  expect(gas.carbon == by_default.carbon, gas_model::stellar, "eos.carbon");
  expect(gas.oxygen == by_default.oxygen, gas_model::stellar, "eos.oxygen");
  expect(gas.radiation == by_default.radiation, gas_model::stellar, "eos.radiation");
  expect(gas.molecules == by_default.molecules, gas_model::stellar, "eos.molecules");
}

void check_fractions(const parameters& p, const place_of& place) {
  const config::eos& gas = p.eos;
  if (gas.hydrogen.empty()) core::fail("{}: eos.hydrogen is empty: give one number at least", place("eos.hydrogen"));
  for (const double x : gas.hydrogen) {
    if (x + gas.carbon + gas.oxygen > 1 + 1e-12)
      core::fail("{}: mass fractions of hydrogen, {:g}, carbon, {:g}, and oxygen, {:g}, exceed 1",
                 place("eos.hydrogen"), x, gas.carbon, gas.oxygen);
  }
}

void check_gas(const parameters& p, const place_of& place, const given& gives) {
  check_idle_gas_keys(p, place);
  if (p.eos.model == gas_model::ideal) return;
  if (p.units.system != unit_system::solar)
    core::fail("{}: eos.model = \"{}\" needs densities in g/cm^3: set units.system = \"solar\"", place("eos.model"),
               name(p.eos.model));
  if (p.eos.model == gas_model::stellar) check_fractions(p, place);
  if (gives("hydro.species")) check_hydrogen_of_species(p, place);
}

void check_point_masses(const parameters& p, const place_of& place) {
  const point_masses& points = p.point_masses;
  const std::size_t count = points.mass.size();
  if (count > point_masses::most)
    core::fail("{}: point_masses.mass has {} numbers: there may be {} point masses", place("point_masses.mass"), count,
               point_masses::most);
  const struct {
    const char* key;
    std::size_t numbers, each;
  } lists[] = {{"point_masses.softening", points.softening.size(), 1},
               {"point_masses.position", points.position.size(), 3},
               {"point_masses.velocity", points.velocity.size(), 3}};
  for (const auto& list : lists) {
    if (list.numbers == list.each * count) continue;
    core::fail("{}: {} has {} numbers, but point_masses.mass names {} point masses: give {} for each", place(list.key),
               list.key, list.numbers, count, list.each == 1 ? "one" : "three");
  }
  for (const double softening : points.softening) {
    constexpr double least = 1e-9;  // below, its inverse cubed leaves the range of numbers
    if (softening < least * p.mesh.base_width)
      core::fail(
          "{}: point_masses.softening = {:g} is less than 1e-9 of mesh.base_width: give a length that cells have",
          place("point_masses.softening"), softening);
  }
  if (count > 0 && !p.gravity.enabled)
    core::fail("{}: point masses pull the gas and each other: set gravity.enabled = true", place("point_masses.mass"));
}

void check_stability(const parameters& p, const place_of& place, const given& gives) {
  const hydro& h = p.hydro;
  const double most = largest_stable_cfl(h.time_integrator, h.reconstruct);
  if (h.cfl <= most) return;
  const double with_rk3 = largest_stable_cfl(integrator::rk3, h.reconstruct);
  const std::string remedy =
      h.time_integrator == integrator::rk3
          ? ""
          : fmt::format(", or set hydro.integrator = \"rk3\" and hydro.cfl to {:g} at most", with_rk3);
  // The defaults are stable together, so the input sets one of these two.
  const char* const key = gives("hydro.cfl") ? "hydro.cfl" : "hydro.integrator";
  core::fail(
      "{}: hydro.cfl = {:g} is unstable with hydro.integrator = \"{}\" and hydro.reconstruction = \"{}\", where linear "
      "waves grow above {:.3g}: lower hydro.cfl to that{}",
      place(key), h.cfl, name(h.time_integrator), name(h.reconstruct), most, remedy);
}

/// Nearer than this the count of orbits is not told from a whole one.
void check_orbits(const parameters& p, const place_of& place) {
  constexpr double least = 1e-4;
  const auto expect = [&](double orbits, const char* key) {
    if (orbits == 0 || orbits >= least) return;
    core::fail("{}: {} = {:g} is shorter than what orbits are counted to: give {:g} or more, or leave it out",
               place(key), key, orbits, least);
  };
  expect(p.run.end_orbits, "run.end_orbits");
  expect(p.output.snapshot_orbits, "output.snapshot_orbits");
  expect(p.output.slice_orbits, "output.slice_orbits");
  expect(p.output.tracer_orbits, "output.tracer_orbits");
  expect(p.driving.orbits, "driving.orbits");
}

/// Whether there are two stars is known when the problem has named its species.
void check_driving(const parameters& p, const place_of& place) {
  if (p.driving.rate == 0 && p.driving.orbits != 0)
    core::fail("{}: driving.orbits = {:g} says how long driving.rate acts, which is not set", place("driving.orbits"),
               p.driving.orbits);
  if (p.driving.rate != 0 && !p.point_masses.mass.empty())
    core::fail(
        "{}: driving.rate moves the gas of two stars and would leave point masses behind: leave out one or the other",
        place("driving.rate"));
}

void check_refinement(const parameters& p, const place_of& place) {
  const refine& r = p.refine;
  check_core_levels(p, place, "refine.accretor_core_levels", r.accretor_core_levels);
  check_core_levels(p, place, "refine.donor_core_levels", r.donor_core_levels);
  if (!r.gradient_field.empty() && r.gradient_field != "density" && r.gradient_field != "pressure")
    core::fail("{}: refine.gradient_field = \"{}\" is not possible; it must be density or pressure",
               place("refine.gradient_field"), core::shortened(r.gradient_field));
  if (r.gradient > 0 && r.gradient_field.empty())
    core::fail("{}: refine.gradient needs refine.gradient_field = \"density\" or \"pressure\"",
               place("refine.gradient"));
  const auto expect_used = [&](double density, bool used, const char* key, const char* by) {
    if (density > 0 && !used)
      core::fail("{}: {} = {:g} is the threshold of {}, which is not set", place(key), key, density, by);
  };
  expect_used(r.scale_height_density, r.cells_per_scale_height > 0, "refine.scale_height_density",
              "refine.cells_per_scale_height");
  expect_used(r.unbound_density, r.unbound_level > 0, "refine.unbound_density", "refine.unbound_level");
  if (r.unbound_level > 0 && !p.gravity.enabled)
    core::fail("{}: refine.unbound_level looks for gas that gravity does not hold: set gravity.enabled = true",
               place("refine.unbound_level"));
  if (r.photosphere_level > 0 && !p.radiation.enabled)
    core::fail("{}: refine.photosphere_level goes by the opacities of [radiation]: set radiation.enabled = true",
               place("refine.photosphere_level"));
  for (std::size_t d = 0; d < 3; ++d)
    if (r.region_level > 0 && !(r.region_lower[d] < r.region_upper[d]))
      core::fail("{}: refine.region_lower must lie below refine.region_upper in {}", place("refine.region_lower"),
                 axis[d]);
}

}  // namespace

double largest_stable_cfl(integrator scheme, reconstruction edges) {
  if (scheme == integrator::rk3) return 0.4;
  return edges == reconstruction::ppm ? 0.07 : 0.33;
}

void check_hydrogen_of_species(const parameters& p, const place_of& place) {
  const std::size_t count = p.eos.hydrogen.size(), species = p.hydro.species.size();
  if (p.eos.model == gas_model::stellar && count != 1 && count != species)
    core::fail("{}: eos.hydrogen has {} numbers, but hydro.species has {} names: give one for each, or one for all",
               place("eos.hydrogen"), count, species);
}

void check(const parameters& p, const place_of& place, const given& gives) {
  check_levels(p, place);
  check_width(p, place);
  check_place(p, place);
  check_boundaries(p, place);
  check_rotation(p, place);
  check_gravity(p, place);
  check_species(p, place);
  check_refinement(p, place);
  check_orbits(p, place);
  check_floors(p, place);
  check_gas(p, place, gives);
  check_radiation(p, place);
  check_point_masses(p, place);
  check_driving(p, place);
  check_stability(p, place, gives);
}

}  // namespace rednova::config
