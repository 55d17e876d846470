#include "command/model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "command/largest.hpp"
#include "config/checks.hpp"
#include "core/check.hpp"
#include "core/shortened.hpp"
#include "diagnose/gas_state.hpp"
#include "exchange/collective_error.hpp"
#include "exchange/gather.hpp"
#include "exec/mpi_session.hpp"
#include "hydro/signal_speed.hpp"
#include "mesh/domain_of.hpp"
#include "output/choices.hpp"
#include "problem/resolved.hpp"
#include "step/driver.hpp"
#include "step/memory_budget.hpp"

namespace rednova::command {

namespace {

/// The species come from [hydro] or from the problem.
void expect_core_species(const config::input& in, const config::parameters& p) {
  const auto expect = [&](int levels, const char* key, const char* species) {
    if (levels == 0 || std::ranges::count(p.hydro.species, species) > 0) return;
    core::fail("{}: refine.{} = {} needs a species named {}: name it in hydro.species, or leave the key out",
               in.place("refine", key), key, levels, species);
  };
  expect(p.refine.accretor_core_levels, "accretor_core_levels", "accretor_core");
  expect(p.refine.donor_core_levels, "donor_core_levels", "donor_core");
}

/// The species come from [hydro] or from the problem.
void expect_tracer_species(const config::input& in, const config::parameters& p) {
  for (const std::string& name : p.tracers.species) {
    if (std::ranges::count(p.hydro.species, name) == 0)
      core::fail("{}: tracers.species: there is no species '{}', but {}", in.place("tracers", "species"),
                 core::shortened(name), fmt::join(p.hydro.species, ", "));
  }
}

/// Heat of a cell by its volume.
double heat(const step::simulation& s, int leaf, int c) {
  return s.eos().heat(s.density(leaf, c), diagnose::internal_energy(s, leaf, c), diagnose::hydrogen(s, leaf, c));
}

/// The ceiling is for thin gas: told where it would cool gas that is as dense as a star's, or holds for the stars.
void warn_of_low_ceiling(const step::simulation& s) {
  const config::hydro& par = s.par().hydro;
  if (!(par.specific_energy_ceiling < config::hydro::no_ceiling)) return;
  const double densest = largest(s, [&](int leaf, int c) { return s.density(leaf, c); });
  const double hottest = largest(s, [&](int leaf, int c) {
    const double rho = s.density(leaf, c);
    return rho < 1e-3 * densest || rho >= par.thin_gas_density ? 0.0 : heat(s, leaf, c) / rho;
  });
  if (!s.context().leads()) return;
  if (par.thin_gas_density > 0.1 * densest)
    fmt::print(
        "warning: hydro.thin_gas_density = {:g} is above a tenth of the initial model's largest density, {:.3g}: "
        "the ceiling is for thin gas, and would hold down the heat of stars and of shocks in them; {:.2g} would leave "
        "them alone\n",
        par.thin_gas_density, densest, 1e-3 * densest);
  if (hottest > par.specific_energy_ceiling)
    fmt::print(
        "warning: hydro.specific_energy_ceiling = {:g} is below the {:.3g} that the initial model's gas has between a "
        "thousandth of its largest density and hydro.thin_gas_density = {:g}: it will cool the model; {:.2g} would "
        "leave it "
        "alone, or a thin_gas_density of {:.2g}\n",
        par.specific_energy_ceiling, hottest, par.thin_gas_density, 1.5 * hottest, 1e-3 * densest);
}

/// A model may have taken the floor for its thinnest gas: that counts as well.
void warn_of_high_floor(const step::simulation& s, double floor, double lowest, const char* key, const char* what) {
  constexpr double rounding = 1e-12;
  if (floor < (1 - rounding) * lowest || !s.context().leads()) return;
  fmt::print(
      "warning: {} = {:g} is not below the {:.3g} of the initial model's {} gas: the floor makes gas of its own there; "
      "lower it\n",
      key, floor, lowest, what);
}

/// A user_error where problem and input have more point masses than there may be.
void expect_room_for_points(const config::input& in, const model& m) {
  const std::size_t own = m.problem->point_masses().size(), asked = m.par.point_masses.mass.size();
  if (own + asked > config::point_masses::most)
    core::fail("{}: point_masses.mass has {} numbers: with this problem's own there is room for {}",
               in.place("point_masses", "mass"), asked, config::point_masses::most - own);
}

/// Points whose field the finest cells do not resolve: the gas at one feels where it is between their centres.
void warn_of_narrow_points(config::input& in, const model& m) {
  constexpr double enough = 4;  // cells to a softening (docs/gravity.md)
  const int level = m.par.mesh.max_level;
  const double cell = mesh::domain_of(m.par.mesh).cell_width(level);
  std::vector<double> all = m.par.point_masses.softening;
  for (const step::point_mass& own : m.problem->point_masses()) all.push_back(own.softening);
  if (all.empty()) return;
  const double cells = std::ranges::min(all) / cell;
  if (cells < enough)
    in.warn(
        fmt::format("{}: a point mass has {:.2g} cells of the finest level to its softening, fewer than {:g}: gas that "
                    "comes near is pulled as its place between the cells' centres will have it; raise mesh.max_level "
                    "from {} to {} or more, or the softening",
                    in.place("mesh", in.gives("mesh", "max_level") ? "max_level" : "base_width"), cells, enough, level,
                    level + std::ceil(std::log2(enough / cells))));
}

void expect_followed_stars(const config::input& in, const config::parameters& p) {
  if (step::star_species(p.hydro.species).two()) return;
  const auto expect = [&](bool asked, const char* section, const char* key) {
    if (!asked) return;
    core::fail(
        "{}: {}.{} is of the orbit of two stars, but no species' names begin with accretor and donor: leave it out, "
        "or name them in hydro.species",
        in.place(section, key), section, key);
  };
  expect(p.mesh.rotation_follows != config::followed::nothing, "mesh", "rotation_follows");
  expect(p.mesh.inertial_after_merger, "mesh", "inertial_after_merger");
  expect(p.run.end_after_merger > 0, "run", "end_after_merger");
}

/// Whose species the problem names, and whose point masses are the problem's.
void expect_driven_stars(const config::input& in, const model& m) {
  if (m.par.driving.rate == 0) return;
  if (!step::star_species(m.par.hydro.species).two())
    core::fail(
        "{}: driving.rate takes angular momentum out of the orbit of two stars, but no species' names begin with "
        "accretor and donor: leave it out, or name them in hydro.species",
        in.place("driving", "rate"));
  if (!m.problem->point_masses().empty())
    core::fail(
        "{}: driving.rate moves the gas of two stars and would leave this problem's point masses behind: leave it out",
        in.place("driving", "rate"));
}

}  // namespace

model load(config::input& in) {
  model m;
  m.par = in.read_parameters();
  for (auto* const files : {&m.par.radiation.tables, &m.par.radiation.planck_tables})
    for (std::string& file : *files) file = in.beside(file);
  m.problem = problem::make(in, m.par);
  config::check_hydrogen_of_species(m.par, [&in](const std::string& path) { return in.place(path); });
  in.expect_all_read();
  m.problem->expect_suits(in, m.par);
  if (!in.goes_on()) {
    if (const auto star = m.problem->single_star()) problem::expect_resolved(in, m.par, *star);
  }
  expect_room_for_points(in, m);
  warn_of_narrow_points(in, m);
  expect_core_species(in, m.par);
  expect_followed_stars(in, m.par);
  expect_driven_stars(in, m);
  expect_tracer_species(in, m.par);
  output::expect_choices(m.par, [&in](const std::string& path) { return in.place(path); });
  const config::run& run = m.par.run;
  const bool ends = run.end_time > 0 || run.max_hours > 0 || run.max_steps != config::run{}.max_steps;
  if (!ends && run.end_orbits == 0)
    core::fail("{}: nothing ends this run{}: set run.end_time, run.end_orbits or run.max_steps",
               in.place("run", "end_time"), run.end_after_merger > 0 ? " unless two stars merge" : "");
  if (!ends && m.par.mesh.inertial_after_merger && run.end_after_merger == 0)
    core::fail(
        "{}: with mesh.inertial_after_merger nobody counts orbits after a merger, and run.end_orbits would not end "
        "this run then: set run.end_after_merger or run.end_time, too",
        in.place("run", "end_orbits"));
  return m;
}

void expect_memory(const config::input& in, const config::parameters& par) {
  const std::optional<exec::launch> launch = exec::launch_of_process();
  if (launch && launch->ranks == 0) return;  // the launcher does not say how many there are
  step::expect_memory(par, launch ? launch->ranks : 1, step::physical_memory(),
                      [&in](const std::string& path) { return in.place(path); });
}

void warn_of_limits(const step::simulation& s) {
  warn_of_low_ceiling(s);
  warn_of_high_floor(s, s.par().hydro.density_floor, -largest(s, [&](int l, int c) { return -s.density(l, c); }),
                     "hydro.density_floor", "thinnest");
  // Degenerate gas may have no heat; what it does not feel is the share of its energy below which heat is the tracer's.
  const double share = s.eos().cold_energy() ? s.par().hydro.dual_energy_pressure : 0.0;
  const auto least = [&](int l, int c) { return std::max(heat(s, l, c), share * diagnose::internal_energy(s, l, c)); };
  warn_of_high_floor(s, s.par().hydro.energy_floor, -largest(s, [&](int l, int c) { return -least(l, c); }),
                     "hydro.energy_floor", "coldest");
  std::fflush(stdout);
}

void expect_turning(const config::input& in, const step::simulation& s) {
  if (step::counts_orbits(s)) return;
  const auto expect = [&](double orbits, const char* section, const char* key, const char* instead) {
    if (orbits <= 0) return;
    throw exchange::collective_error(
        fmt::format("{}: {}.{} counts the orbits of two stars or the turns of the grid, but there are no two stars and "
                    "this grid does not rotate: set mesh.rotation or {}",
                    in.place(section, key), section, key, instead));
  };
  expect(s.par().run.end_orbits, "run", "end_orbits", "run.end_time");
  expect(s.par().output.snapshot_orbits, "output", "snapshot_orbits", "output.snapshot_time");
  expect(s.par().output.slice_orbits, "output", "slice_orbits", "output.slice_time");
  expect(s.par().output.tracer_orbits, "output", "tracer_orbits", "output.tracer_time");
}

void expect_snapshots_apart(const config::input& in, step::simulation& s) {
  const config::output& asked = s.par().output;
  if (std::max({asked.snapshot_time, asked.slice_time, asked.tracer_time}) <= 0) return;
  // Each of these ends a step.
  constexpr double least = 1e-6;
  const double rate = exchange::fold_ranks(s.context(), s.stepper().signal_rate(), hydro::larger_rate);
  const double dt = s.par().hydro.cfl / rate;
  const auto expect = [&](double interval, const char* key, const char* what) {
    if (interval <= 0 || !(interval < least * dt)) return;
    throw exchange::collective_error(fmt::format(
        "{}: output.{} = {:g} is less than a millionth of a time step, {:.3g}: the run would write {} and not get on; "
        "give a time of some steps, or leave it out",
        in.place("output", key), key, interval, dt, what));
  };
  expect(asked.snapshot_time, "snapshot_time", "snapshots");
  expect(asked.slice_time, "slice_time", "slices");
  expect(asked.tracer_time, "tracer_time", "tracers");
}

void warn_of_model(const model& m, const step::simulation& s) {
  const auto star = m.problem->single_star();
  if (!star) return;
  const std::string words = problem::warning_of_mass(s, *star);
  if (!words.empty() && s.context().leads()) fmt::print("warning: {}\n", words);
}

void say_model(const model& m) {
  if (const std::string words = m.problem->description(); !words.empty()) fmt::print("{}\n", words);
}

void say_reached(const stellar::model_report& reached) {
  fmt::print("{}\n", reached.text());
  std::fflush(stdout);
}

void say_warnings(const config::input& in) {
  if (exec::rank_of_process() > 0) return;
  for (const std::string& text : in.warnings()) fmt::print(stderr, "warning: {}\n", text);
}

}  // namespace rednova::command
