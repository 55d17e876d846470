#include "problem/binary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "config/units.hpp"
#include "core/check.hpp"
#include "exchange/collective_error.hpp"
#include "exchange/restrict.hpp"
#include "mesh/domain_of.hpp"
#include "problem/atmosphere.hpp"
#include "problem/problems.hpp"
#include "problem/sample.hpp"
#include "regrid/criteria.hpp"
#include "stellar/report.hpp"
#include "stellar/roche.hpp"
#include "stellar/scf.hpp"
#include "step/memory_budget.hpp"
#include "step/step.hpp"

namespace rednova::problem {

namespace {

using mesh::N;

const std::vector<std::string>& species_names() {
  static const std::vector<std::string> names{"accretor_core", "accretor_envelope", "donor_core", "donor_envelope",
                                              "atmosphere"};
  return names;
}

/// The number of each of species_names() in the input's list, which stands at `place`.
std::array<int, 5> find_species(const std::vector<std::string>& list, const std::string& place) {
  std::array<int, 5> found;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const auto it = std::ranges::find(list, species_names()[k]);
    if (it == list.end()) {
      core::fail("{}: the problem 'binary' needs a species named {}: set hydro.species = [{}], or leave it out", place,
                 species_names()[k], fmt::format("\"{}\"", fmt::join(species_names(), "\", \"")));
    }
    found[k] = static_cast<int>(it - list.begin());
  }
  return found;
}

void expect_holds(const mesh::domain& box, double separation) {
  const core::vec3d lower = box.lower, upper = box.upper();
  for (int d = 0; d < 3; ++d) {
    if (lower[d] < -1.6 * separation && upper[d] > 1.6 * separation) continue;
    core::fail(
        "the domain must hold the origin and 1.6 separations ({:.4g}) on each side of it: set mesh.lower and "
        "mesh.base_width",
        1.6 * separation);
  }
}

/// One line while the initial model converges: rewritten on a terminal, each tenth iteration elsewhere.
void show_progress(const stellar::model& m) {
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  if (!terminal && m.iterations % 10 != 1) return;
  fmt::print("{}initial model: iteration {}, {} cells, density changes by {:.1e}{}", terminal ? "\r" : "", m.iterations,
             std::int64_t{m.tree.leaves()} * mesh::cells, m.change, terminal ? "\x1b[K" : "\n");
  std::fflush(stdout);
}

}  // namespace

std::array<int, 5> species_of(const config::parameters& par) {
  return find_species(par.hydro.species, "hydro.species");
}

star_of_gas star_alone(const binary_parameters& p, const config::parameters& par, std::size_t star) {
  const bool first = star == 0;
  const char* const what = first ? "the accretor" : "the donor";
  const double mass = first ? p.accretor_mass : p.donor_mass;
  if ((first ? p.accretor_structure : p.donor_structure) == star_structure::white_dwarf)
    return cold_star(par, mass, what);
  if (const auto& profile = p.read[star]) return {profile->gas, profile->sphere};
  const int envelope = species_of(par)[2 * star + 1];
  return convective_star(par, envelope, {mass, first ? p.accretor_radius : p.donor_radius}, what);
}

stellar::binary_request request_of(const binary_parameters& p, const config::parameters& par) {
  const double day = core::day / config::units_of(par.units.system).time;
  const double period = p.period_days > 0 ? p.period_days * day : p.period;
  stellar::binary_request r{.mass = {p.accretor_mass, p.donor_mass},
                            .separation = period > 0 ? 0 : p.separation,
                            .period = period,
                            .made_of = {p.accretor, p.donor},
                            .radius = {},
                            .context = p.surface,
                            .filling = {p.accretor_filling, p.donor_filling},
                            .fillout = p.fillout,
                            .spin = {p.accretor_spin, p.donor_spin}};
  const std::array structure{p.accretor_structure, p.donor_structure};
  for (std::size_t s = 0; s < 2; ++s) {
    if (structure[s] == star_structure::polytrope) continue;
    const star_of_gas alone = star_alone(p, par, s);
    r.made_of[s].given = alone.gas;
    r.made_of[s].free_pressure = structure[s] == star_structure::profile;
    r.radius[s] = alone.sphere.radius();
  }
  set_fillings_of_profiles(r);
  return r;
}

stellar::binary_figure figure_of(const stellar::binary_request& request, const config::parameters& par) {
  stellar::binary_figure figure(request);
  const mesh::domain box = mesh::domain_of(par.mesh);
  expect_holds(box, figure.separation());
  figure.expect_resolved(box, par.mesh.max_level);
  return figure;
}

void binary::expect_suits(const config::input& in, const config::parameters& par) const {
  const auto place = [&in](const char* key) { return in.place("problem", key); };
  if (!par.gravity.enabled)
    core::fail("{}: the problem 'binary' needs gravity.enabled = true", in.place("gravity", "enabled"));
  if (par.mesh.rotation != 0) {
    core::fail("{}: mesh.rotation = {}: leave it out, the grid turns with the binary", in.place("mesh", "rotation"),
               par.mesh.rotation);
  }
  find_species(par.hydro.species, in.place("hydro", "species"));
  expect_structures(in, par);
  expect_spins(in);
  if (p_.period > 0 && p_.period_days > 0)
    core::fail("{}: problem.period and problem.period_days are both given: drop one", place("period_days"));
  if (p_.period_days > 0 && par.units.system != config::unit_system::solar) {
    core::fail("{}: problem.period_days needs units.system = \"solar\"; or give problem.period in code units",
               place("period_days"));
  }
  if (p_.surface == stellar::surface::common_envelope && p_.accretor.envelope_index != p_.donor.envelope_index) {
    core::fail("{}: problem.accretor_index = {} and problem.donor_index = {} must be equal in a common envelope",
               place("donor_index"), p_.accretor.envelope_index, p_.donor.envelope_index);
  }
}

void binary::expect_spins(const config::input& in) const {
  if (p_.surface == stellar::surface::separate) return;
  for (const auto& [key, spin] :
       {std::pair("accretor_spin", p_.accretor_spin), std::pair("donor_spin", p_.donor_spin)}) {
    if (spin == 1) continue;
    core::fail(
        "{}: problem.{} = {:g}: stars that share a surface rotate as their orbit does: leave it out, or set "
        "problem.surface = \"separate\"",
        in.place("problem", key), key, spin);
  }
}

void binary::expect_structures(const config::input& in, const config::parameters& par) const {
  expect_gas(p_.accretor_structure, in, par, "accretor_structure");
  expect_gas(p_.donor_structure, in, par, "donor_structure");
  const auto expect_radius = [&](star_structure s, double radius, const char* key) {
    if (s == star_structure::adiabat && radius == 0)
      core::fail("{}: a star of one entropy needs problem.{}: the radius that it would have alone",
                 in.place("problem", key), key);
    if (s != star_structure::adiabat && radius != 0)
      core::fail("{}: problem.{} is that of a star with structure = \"adiabat\": leave it out",
                 in.place("problem", key), key);
  };
  expect_radius(p_.accretor_structure, p_.accretor_radius, "accretor_radius");
  expect_radius(p_.donor_structure, p_.donor_radius, "donor_radius");
  const bool given =
      p_.accretor_structure != star_structure::polytrope || p_.donor_structure != star_structure::polytrope;
  if (given && p_.surface != stellar::surface::separate)
    core::fail("{}: stars that are no polytropes have a radius of their own: set problem.surface = \"separate\"",
               in.place("problem", "surface"));
  const bool by_filling = p_.separation == 0;  // make_problem
  if (given && !by_filling && p_.period == 0 && p_.period_days == 0 && !in.gives("problem", "separation"))
    core::fail(
        "{}: nothing says how far apart these stars are: set problem.separation, a period or, of a donor that is no "
        "polytrope, problem.donor_filling",
        in.place("problem",
                 p_.donor_structure != star_structure::polytrope ? "donor_structure" : "accretor_structure"));
}

gas binary::at(core::vec3d) const { throw std::logic_error("a binary is not known point by point"); }

void binary::set_layers(const std::array<int, 5>& species, const mesh::fields& fields, double* u) const {
  for (std::size_t star = 0; star < 2; ++star) {
    if (!layers_[star]) continue;
    double& core = u[fields.species(species[2 * star]) * mesh::cells];
    double& envelope = u[fields.species(species[2 * star + 1]) * mesh::cells];
    const double both = core + envelope;
    double shares[2];
    layers_[star]->shares_at(both, shares);
    core = shares[0] * both;
    envelope = shares[1] * both;
  }
}

mesh::block_data binary::conserved(const step::simulation& s, const stellar::model& m, double separation) const {
  const std::array<int, 5> species = species_of(s.par());
  const double mass = p_.accretor_mass + p_.donor_mass;
  const double highest = exec::reduce(
      s.context(), "initial model", m.tree.leaves(), 0.0,
      [&](int leaf) {
        double most = 0;
        for (int c = 0; c < mesh::cells; ++c) most = std::max(most, m.density(leaf, c));
        return most;
      },
      [](double a, double b) { return std::max(a, b); });
  const stellar::roche_model roche(p_.accretor_mass, p_.donor_mass, separation);
  const double wall = std::fabs(roche.l2());
  const atmosphere air{m.omega * m.omega, wall, p_.atmosphere_density * highest, mass / separation,
                       p_.atmosphere_index};

  const double air_hydrogen = s.eos().tabulated() ? s.eos().star.hydrogen_of[species[4]] : 0;
  mesh::block_data u(m.tree.size(), s.fields().size());
  exec::for_each(s.context(), "initial model", m.tree.leaves(), [&](int leaf) {
    const double h = m.tree.cell_width(leaf);
    const auto field = [&](int f, int c) -> double& { return u.at(leaf, f)[c]; };
    for (int c = 0; c < mesh::cells; ++c) {
      const core::vec3d r = m.tree.centre(leaf, c % N, c / N % N, c / (N * N));
      const double axis_distance = std::hypot(r.x, r.y);
      const double enthalpy = air.enthalpy(m.cells.at(leaf, stellar::model_potential)[c], axis_distance);
      double rho = air.density_at(enthalpy);
      rho = std::max(rho, s.par().hydro.density_floor);
      const double coldest =
          s.eos().pressure(rho, s.eos().energy_of_heat(rho, s.par().hydro.energy_floor, air_hydrogen), air_hydrogen);
      double pressure = std::max(rho * enthalpy / (air.index + 1), coldest);
      double omega = axis_distance < air.wall ? m.omega : 0, spin = 1;
      core::vec3d arm = r;
      const double star_pressure = m.cells.at(leaf, stellar::model_pressure)[c];
      if (star_pressure > pressure && m.density(leaf, c) > rho) {
        pressure = star_pressure;
        rho = m.density(leaf, c);
        omega = (1 - p_.slowdown) * m.omega;
        for (int k = 0; k < 4; ++k) {
          field(s.fields().species(species[static_cast<std::size_t>(k)]), c) = m.cells.at(leaf, k)[c];
        }
        set_layers(species, s.fields(), u.at(leaf) + c);
        const int star = m.cells.at(leaf, stellar::core_of_1)[c] + m.cells.at(leaf, stellar::envelope_of_1)[c] > 0;
        spin = star == 0 ? p_.accretor_spin : p_.donor_spin;
        arm = lever_arm(r, roche.centre(star), spin);
      } else {
        field(s.fields().species(species[4]), c) = rho;
      }
      const double hydrogen = s.eos().hydrogen(u.at(leaf) + c, mesh::cells);
      const double e = energy_of(s.eos(), rho, pressure, hydrogen, r);
      field(s.fields().momentum(0), c) = -rho * omega * arm.y;
      field(s.fields().momentum(1), c) = rho * omega * arm.x;
      const double lever = std::hypot(arm.x, arm.y);
      field(s.fields().energy(), c) = e + 0.5 * rho * omega * omega * lever * lever;
      field(s.fields().entropy(), c) = s.eos().entropy_tracer(rho, e, hydrogen);
      field(s.fields().spin(2), c) = rho * h * h / 6 * omega * spin;  // (rho h²/12) curl v
    }
  });
  return u;
}

std::vector<int> binary::flags(step::simulation& s, const stellar::model& m, double separation) const {
  mesh::block_data u = conserved(s, m, separation);
  exchange::restrict_all(s.context(), m.tree, s.fields(), u);
  const exchange::ghosts ghosts(m.tree, s.fields(), s.par().mesh.boundaries);
  const regrid::criteria criteria = step::refinement_criteria(s);
  return criteria.flags(s.context(), m.tree, s.fields(), s.eos(), ghosts, u);
}

binary::made binary::make(step::simulation& s) const {
  const stellar::binary_request request = request_of(p_, s.par());
  stellar::binary_figure figure = figure_of(request, s.par());
  const step::memory_budget budget(s);
  stellar::mesh_plan plan{.box = s.tree().box(),
                          .min_level = s.par().mesh.min_level,
                          .max_level = s.par().mesh.max_level,
                          .flags = [&](const stellar::model& m) { return flags(s, m, figure.separation()); },
                          .before = [&](int leaves) { budget.expect(leaves); }};
  stellar::scf_settings settings{.tolerance = p_.tolerance,
                                 .max_iterations = p_.max_iterations,
                                 .relaxation = p_.relaxation,
                                 .progress = [&s](const stellar::model& m) {
                                   if (s.context().leads()) show_progress(m);
                                 }};
  stellar::model m = stellar::self_consistent_field(s.context(), s.par().gravity, plan, figure, settings);
  if (s.context().leads() && isatty(STDOUT_FILENO) == 1) fmt::print("\r\x1b[K");
  mesh::block_data u = conserved(s, m, figure.separation());
  stellar::model_report reached =
      stellar::report(request, m, s.par().units.system, {s.par().gravity.order, p_.slowdown});
  for (std::size_t star = 0; star < 2; ++star) {
    if (p_.read[star] == nullptr) continue;
    std::ranges::move(composition_rows(*p_.read[star], star == 0 ? "the accretor" : "the donor"),
                      std::back_inserter(reached.rows));
  }
  return {std::move(m), std::move(u), std::move(reached)};
}

std::optional<stellar::model_report> binary::initialize(step::simulation& s) const {
  // Every rank makes the whole model, all the same, and keeps its own part.
  auto [m, u, reached] = exchange::by_all([&] { return make(s); });
  s.begin(m.omega);
  s.share_pressure_with_light();
  s.adopt(std::move(m.tree));
  exchange::for_leaves(s.context(), "initial model", s.halo().partition(),
                       [&](int leaf) { std::copy_n(u.at(leaf), s.fields().evolved() * mesh::cells, s.u().at(leaf)); });
  step::prepare(s);
  return reached;
}

namespace {

/// Notes the keys that others make idle.
void warn_of_idle_keys(config::input& in, const binary_parameters& p) {
  const auto idle = [&in](const std::string& key, const char* why) {
    if (in.gives("problem", key))
      in.warn(fmt::format("{}: problem.{} {}", in.place("problem", key), key, why));
    else
      in.note_idle("problem", key);
  };
  const bool separate = p.surface == stellar::surface::separate;
  if (p.period > 0 || p.period_days > 0) idle("separation", "is not used: the period is given");
  if (separate) idle("fillout", "is only used with surface = \"contact\" or \"common_envelope\"");
  for (const char* star : {"accretor", "donor"}) {
    const bool accretor = star == std::string("accretor");
    if (!separate) idle(fmt::format("{}_filling", star), "is only used with surface = \"separate\"");
    if ((accretor ? p.accretor_structure : p.donor_structure) != star_structure::polytrope) {
      const bool sets_separation =
          !accretor && !in.gives("problem", "separation") && p.period == 0 && p.period_days == 0;
      if (!sets_separation)
        idle(fmt::format("{}_filling", star), "is not used: the radius of a star that is no polytrope is given");
      for (const char* key : {"index", "core_index", "mu_ratio"})
        idle(fmt::format("{}_{}", star, key), "is not used: this star is no polytrope");
      continue;
    }
    // In a common envelope the lighter star has a core, whose share of the mass follows.
    const bool follows = p.surface == stellar::surface::common_envelope && accretor == (p.donor_mass > p.accretor_mass);
    if (follows)
      idle(fmt::format("{}_core_fraction", star), "is not used: in a common envelope the lighter star's core follows");
    if (follows || (accretor ? p.accretor : p.donor).has_core()) continue;
    for (const char* key : {"core_index", "mu_ratio"})
      idle(fmt::format("{}_{}", star, key), "is not used: this star has no core (core_fraction)");
  }
}

}  // namespace

template <>
made make_problem<binary>(config::input& in, config::parameters& par) {
  binary_parameters p;
  in.read(p);
  read_profiles(in, par, p);
  warn_of_idle_keys(in, p);
  // The radius of a star that is no polytrope and its filling give the separation.
  const bool by_filling = p.donor_structure != star_structure::polytrope && in.gives("problem", "donor_filling") &&
                          !in.gives("problem", "separation") && p.period == 0 && p.period_days == 0;
  if (by_filling) {
    p.separation = 0;
    in.note_idle("problem", "separation");
  }
  in.set_default("hydro", "species", par.hydro.species, species_names());
  // With order 3 the pull of one star on the other is off by up to 0.7 % (docs/gravity.md).
  in.set_default("gravity", "order", par.gravity.order, 4);
  return std::make_unique<binary>(p, par, in);
}

}  // namespace rednova::problem
