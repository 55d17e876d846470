#include "output/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <vector>

#include "core/check.hpp"
#include "core/constants.hpp"
#include "diagnose/flow_drift.hpp"
#include "diagnose/gravitational_wave.hpp"
#include "diagnose/orbit.hpp"
#include "diagnose/relative.hpp"
#include "exchange/gather.hpp"
#include "output/checkpoint_rows.hpp"
#include "output/durable.hpp"
#include "step/rotation.hpp"

namespace rednova::output {
namespace {

struct column {
  std::string name, unit;
  double value;
};

/// Units of the ledger's quantities.
struct ledger_units {
  std::string mass, momentum, angular_momentum, energy;
  explicit ledger_units(const unit_names& u)
      : mass(u.mass),
        momentum(fmt::format("{} {}/{}", u.mass, u.length, u.time)),
        angular_momentum(fmt::format("{} {}^2/{}", u.mass, u.length, u.time)),
        energy(fmt::format("{} {}^2/{}^2", u.mass, u.length, u.time)) {}
  /// Of shares, which have none.
  ledger_units() : mass(1, '1'), momentum(mass), angular_momentum(mass), energy(mass) {}
};

/// Adds the columns of all conserved quantities; ledger without entries yet have no species.
void add_totals(std::vector<column>& row, const std::string& prefix, const step::simulation& s, step::totals t,
                double mass, const ledger_units& unit) {
  t.species.resize(static_cast<std::size_t>(s.fields().species()), 0.0);
  row.push_back({prefix + "mass", unit.mass, mass});
  for (int k = 0; k < s.fields().species(); ++k) {
    row.push_back({prefix + "mass_" + s.fields()[k].name, unit.mass, t.species[static_cast<std::size_t>(k)]});
  }
  for (int d = 0; d < 3; ++d) row.push_back({prefix + "momentum_" + "xyz"[d], unit.momentum, t.momentum[d]});
  for (int d = 0; d < 3; ++d) {
    row.push_back({prefix + "angular_momentum_" + "xyz"[d], unit.angular_momentum, t.angular_momentum[d]});
  }
  row.push_back({prefix + "energy", unit.energy, t.energy});
}

/// The part of the angular momentum that the momenta hold.
void add_flow(std::vector<column>& row, const std::string& prefix, const step::totals& t, const ledger_units& unit) {
  const core::vec3d flow = t.flow();
  for (int d = 0; d < 3; ++d)
    row.push_back({prefix + "flow_angular_momentum_" + "xyz"[d], unit.angular_momentum, flow[d]});
}

/// Mass in a star's Roche lobe; a lone star has none.
double lobe_mass(const diagnose::orbit& o, std::size_t star) {
  if (o.found == diagnose::stars_found::merged) return std::numeric_limits<double>::quiet_NaN();
  return o.found == diagnose::stars_found::two ? o.stars[star].mass : 0.0;
}

/// How fast the mass in a lobe has changed since the row before.
double mass_rate(double mass, double time, std::size_t star, const std::optional<mass_record>& before) {
  if (!before || !(time > before->time)) return std::numeric_limits<double>::quiet_NaN();
  return (mass - before->lobe_mass[star]) / (time - before->time);
}

void add_stars(std::vector<column>& row, const step::simulation& s, const diagnose::orbit& o,
               const std::optional<mass_record>& before, const unit_names& names, const ledger_units& unit) {
  static constexpr const char* star_names[] = {"accretor", "donor"};
  const std::string density = fmt::format("{}/{}^3", names.mass, names.length);
  for (std::size_t i = 0; i < 2; ++i) {
    const diagnose::star& star = o.stars[i];
    const std::string of = std::string("_") + star_names[i];
    const double in_lobe = lobe_mass(o, i);
    row.push_back({"star_mass" + of, unit.mass, star.species_mass});
    for (int d = 0; d < 3; ++d) row.push_back({std::string("centre_") + "xyz"[d] + of, names.length, star.centre[d]});
    row.push_back({"j_spin" + of, unit.angular_momentum, star.spin.z});
    row.push_back({"max_density" + of, density, star.max_density});
    row.push_back({"lobe_mass" + of, unit.mass, in_lobe});
    row.push_back({"mdot" + of, unit.mass + "/" + names.time, mass_rate(in_lobe, s.time(), i, before)});
    row.push_back({"received_mass" + of, unit.mass, star.received});
    row.push_back({"lobe_radius" + of, names.length, star.lobe_radius});
  }
}

void add_orbit(std::vector<column>& row, const diagnose::orbit& o, const unit_names& names, const ledger_units& unit) {
  row.push_back({"stars", "1", o.found == diagnose::stars_found::two ? 2.0 : 1.0});
  row.push_back({"separation", names.length, o.separation});
  row.push_back({"orbital_frequency", "1/" + names.time, o.frequency});
  row.push_back({"j_orb", unit.angular_momentum, o.angular_momentum.z});
}

void add_energies(std::vector<column>& row, const step::simulation& s, const diagnose::orbit& o,
                  const ledger_units& unit) {
  row.push_back({"kinetic_energy", unit.energy, o.kinetic});
  row.push_back({"internal_energy", unit.energy, o.internal});
  row.push_back({"gravitational_energy", unit.energy, o.gravitational});
  static constexpr const char* criteria[] = {"", "_kinetic", "_bernoulli"};
  for (std::size_t i = 0; i < hydro::unbound_criteria; ++i) {
    row.push_back({std::string("unbound_mass") + criteria[i], unit.mass, o.unbound[i]});
    row.push_back({std::string("outflow_unbound_mass") + criteria[i], unit.mass, s.ledger().unbound_outflow[i]});
  }
}

/// What left with light, which is a part of the outflow, and what light there is on the grid.
void add_light(std::vector<column>& row, const step::simulation& s, const unit_names& names, const ledger_units& unit) {
  const auto& left = s.ledger().radiated;
  row.push_back({"luminosity", unit.energy + "/" + names.time, s.ledger().luminosity});
  row.push_back({"radiated_energy", unit.energy, left.energy});
  for (int d = 0; d < 3; ++d)
    row.push_back({std::string("radiated_momentum_") + "xyz"[d], unit.momentum, left.momentum[d]});
  for (int d = 0; d < 3; ++d) {
    row.push_back(
        {std::string("radiated_angular_momentum_") + "xyz"[d], unit.angular_momentum, left.angular_momentum[d]});
  }
}

/// Point masses in the inertial frame, how far the first two are apart, and what their integration added to the ledger.
void add_points(std::vector<column>& row, const step::simulation& s, const unit_names& names,
                const ledger_units& unit) {
  const auto to_inertial = step::frame_rotation::to_inertial(s.grid_angle());
  for (int k = 0; k < s.points().count; ++k) {
    const std::string of = fmt::format("point_{}_", k + 1);
    const core::vec3d x = to_inertial(s.points()[k].position), v = to_inertial(s.points()[k].velocity());
    row.push_back({of + "mass", unit.mass, s.points()[k].mass});
    for (int d = 0; d < 3; ++d) row.push_back({of + "xyz"[d], names.length, x[d]});
    for (int d = 0; d < 3; ++d) row.push_back({of + "v" + "xyz"[d], names.length + "/" + names.time, v[d]});
  }
  if (s.points().count > 1) {
    const core::vec3d apart = s.points()[1].position - s.points()[0].position;
    row.push_back({"point_separation", names.length, std::sqrt(core::dot(apart, apart))});
  }
  row.push_back({"points_energy", unit.energy, s.ledger().points.energy});
}

/// What driving has added, a part of the ledger.
void add_driven(std::vector<column>& row, const step::totals& driven, const ledger_units& unit) {
  for (int d = 0; d < 3; ++d)
    row.push_back({std::string("driven_momentum_") + "xyz"[d], unit.momentum, driven.momentum[d]});
  for (int d = 0; d < 3; ++d)
    row.push_back(
        {std::string("driven_angular_momentum_") + "xyz"[d], unit.angular_momentum, driven.angular_momentum[d]});
  row.push_back({"driven_energy", unit.energy, driven.energy});
}

double tracers_inside(const step::simulation& s) {
  return static_cast<double>(std::ranges::count_if(s.particles(), &step::tracer_particle::inside));
}

/// The waves' speed is known only where units are.
bool has_wave(const step::simulation& s) {
  return s.par().units.system == config::unit_system::solar && s.par().gravity.enabled;
}

diagnose::gravitational_wave measure_wave(const step::simulation& s) {
  if (!has_wave(s)) return {};
  return diagnose::gravitational_wave::of(diagnose::quadrupole_acceleration(s),
                                          core::light_speed / s.units().velocity());
}

/// Strains times the distance of the observer.
void add_wave(std::vector<column>& row, const diagnose::gravitational_wave& wave, const unit_names& names) {
  row.push_back({"h_plus_z", names.length, wave.plus_z});
  row.push_back({"h_cross_z", names.length, wave.cross_z});
  row.push_back({"h_plus_x", names.length, wave.plus_x});
  row.push_back({"h_cross_x", names.length, wave.cross_x});
}

/// The row of the present step; names and units do not depend on the state.
std::vector<column> make_row(const step::simulation& s, const diagnose::orbit& o,
                             const diagnose::gravitational_wave& wave, const std::optional<mass_record>& before) {
  const unit_names names = unit_names::of(s.par().units.system);
  const ledger_units unit(names);
  const step::totals outflow = s.ledger().total_outflow();
  std::vector<column> row;
  row.push_back({"step", "1", static_cast<double>(s.step())});
  row.push_back({"time", names.time, s.time()});
  row.push_back({"orbits", "1", s.orbits()});
  row.push_back({"grid_turns", "1", s.grid_angle() / (2 * core::pi)});
  row.push_back({"dt", names.time, s.dt()});
  row.push_back({"leaf_blocks", "1", static_cast<double>(s.tree().leaves())});
  add_totals(row, "", s, s.ledger().grid, s.ledger().grid.mass(), unit);
  add_totals(row, "outflow_", s, outflow, outflow.mass(), unit);
  add_totals(row, "floors_", s, s.ledger().floors, s.ledger().floors.mass(), unit);
  add_totals(row, "regrid_", s, s.ledger().regrid, s.ledger().regrid.mass(), unit);
  add_totals(row, "relative_", s, diagnose::relative_remainder(s.ledger()),
             diagnose::relative_mass_remainder(s.ledger()), ledger_units());
  add_flow(row, "", s.ledger().grid, unit);
  add_flow(row, "outflow_", outflow, unit);
  add_flow(row, "regrid_", s.ledger().regrid, unit);
  const core::vec3d drift = diagnose::flow_drift::of(s.ledger(), diagnose::law_of_angular_momentum(s.par())).share;
  for (int d = 0; d < 3; ++d) row.push_back({std::string("flow_drift_") + "xyz"[d], "1", drift[d]});
  row.push_back({"cell_spin_z", unit.angular_momentum, s.ledger().grid.spin.z});
  add_stars(row, s, o, before, names, unit);
  add_orbit(row, o, names, unit);
  add_energies(row, s, o, unit);
  if (s.par().radiation.enabled) add_light(row, s, names, unit);
  if (s.points().count > 0) add_points(row, s, names, unit);
  if (kept_columns::of(s).driven) add_driven(row, s.ledger().driven, unit);
  if (s.par().tracers.count > 0) row.push_back({"tracers", "1", tracers_inside(s)});
  if (has_wave(s)) add_wave(row, wave, names);
  return row;
}

std::string header(const step::simulation& s) {
  std::string line;
  for (const column& c : make_row(s, {}, {}, {}))
    line += fmt::format("{}{} [{}]", line.empty() ? "" : ",", c.name, c.unit);
  return line;
}

void append(const std::string& path, const std::string& text) {
  std::FILE* out = std::fopen(path.c_str(), "a");
  if (!out) core::fail("{}: cannot be written: {}", path, reason(errno));
  const bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  const bool closed = std::fclose(out) == 0;
  if (!written || !closed)
    core::fail("{}: cannot be written (its earlier rows are untouched): {}", path, reason(errno));
}

/// The step of a row, or -1 for a line that is no complete row of this table.
std::int64_t step_of(const std::string& line, const std::string& columns) {
  std::int64_t step = -1;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), step);
  const bool complete = std::ranges::count(line, ',') == std::ranges::count(columns, ',') && line.back() != ',';
  return error == std::errc() && complete ? step : -1;
}

/// What a complete row says of the stars' masses.
mass_record record_of(const std::string& line, const std::string& columns) {
  const auto value = [&](const std::string& name) {
    std::istringstream names(columns), values(line);
    for (std::string a, b; std::getline(names, a, ',') && std::getline(values, b, ',');) {
      if (a.starts_with(name + " [")) return std::strtod(b.c_str(), nullptr);
    }
    ENSURE(false);
    return 0.0;
  };
  return {value("time"), {value("lobe_mass_accretor"), value("lobe_mass_donor")}};
}

/// Makes rows of a table that lacks some columns ones of a table that has them.
class widening {
 public:
  /// Nothing where more is different than columns of what there was none of before: driving and tracers may begin at a
  /// restart.
  static std::optional<widening> between(const std::string& before, const std::string& now) {
    widening made;
    std::istringstream old(before), all(now);
    std::string next;
    bool any = static_cast<bool>(std::getline(old, next, ','));
    for (std::string name; std::getline(all, name, ',');) {
      const bool known = any && name == next;
      if (!known && !name.starts_with("driven_") && !name.starts_with("tracers ")) return std::nullopt;
      made.known_.push_back(known);
      if (known) any = static_cast<bool>(std::getline(old, next, ','));
    }
    return any ? std::nullopt : std::optional(made);
  }
  std::string operator()(const std::string& row) const {
    std::istringstream values(row);
    std::string wide, value;
    for (const bool known : known_) {
      if (known) std::getline(values, value, ',');
      if (!wide.empty()) wide += ',';
      wide += known ? value : "0";
    }
    return wide;
  }

 private:
  std::vector<bool> known_;  // by column of the wider table
};

/// Gives a table with other columns a name that no file has: it is the only record of its steps.
void keep_aside(const std::string& path, std::int64_t step) {
  const std::filesystem::path table(path);
  if (!std::filesystem::exists(table)) return;
  const auto name = [&](const std::string& end) {
    return table.parent_path() / fmt::format("history_until_{:06}{}.csv", step, end);
  };
  std::filesystem::path kept = name("");
  for (int n = 2; std::filesystem::exists(kept); ++n) kept = name(fmt::format("_{}", n));
  std::error_code error;
  std::filesystem::rename(table, kept, error);
  if (error) core::fail("{}: has other columns and cannot be renamed: {}", path, error.message());
  fmt::print("{}: has other columns than this run's: it is {} now, and a new table begins\n", path,
             kept.filename().string());
}

}  // namespace

unit_names unit_names::of(config::unit_system system) {
  if (system == config::unit_system::solar) return {"Rsun", "Msun", "tu"};
  return {"length", "mass", "time"};
}

history history::create(const std::string& path, const step::simulation& s, const provenance& from) {
  const unit_names names = unit_names::of(s.par().units.system);
  std::string text =
      fmt::format("# rednova {} ({})\n# units: 1 {} = {:.17g} cm, 1 {} = {:.17g} g, 1 {} = {:.17g} s\n", from.version,
                  from.commit, names.length, s.units().length, names.mass, s.units().mass, names.time, s.units().time);
  std::istringstream input(from.input);
  for (std::string line; std::getline(input, line);) text += "#   " + line + '\n';
  if (s.context().leads()) write_file(path, text + header(s) + '\n');
  return history(path, -1);
}

history history::resume(const std::string& path, const step::simulation& s, const provenance& from) {
  // Rank 0 reads; for the others it counts only which row was the last.
  const auto agreed = [&](std::int64_t step, const std::string& row = {}, const std::string& columns = {}) {
    step = exchange::fold_ranks(s.context(), step, [](std::int64_t a, std::int64_t) { return a; });
    return history(path, step, row.empty() ? std::nullopt : std::optional(record_of(row, columns)));
  };
  if (!s.context().leads()) return agreed(-1);
  std::ifstream in(path);
  const auto expect_read = [&path](bool well) {
    if (!well) core::fail("{}: cannot be read: {}; it stays as it is", path, std::strerror(errno));
  };
  expect_read(in.is_open() || errno == ENOENT);
  const std::string columns = header(s);
  std::string kept, line, row, there;  // there: the columns that the table has
  std::optional<widening> widened;
  std::int64_t last = -1;
  while (std::getline(in, line)) {
    if (!widened) {
      const bool comment = line.starts_with('#');
      if (!comment) {
        there = line;
        widened = widening::between(there, columns);
        if (!widened) break;
      }
      kept += (comment ? line : columns) + '\n';
    } else if (const std::int64_t step = step_of(line, there); step >= 0 && step <= s.step()) {
      last = step;
      row = (*widened)(line);
      kept += row + '\n';
    }
  }
  expect_read(!in.bad());
  in.close();
  if (!widened) {
    keep_aside(path, s.step());
    create(path, s, from);
    return agreed(-1);
  }
  write_file(path, kept);
  return agreed(last, row, columns);
}

void history::add(const step::simulation& s) {
  if (s.step() == last_step_) return;
  std::string line;
  const diagnose::orbit now = diagnose::measure(s);
  for (const column& c : make_row(s, now, measure_wave(s), last_)) {
    line += fmt::format("{}{:.17g}", line.empty() ? "" : ",", c.value);
  }
  if (s.context().leads()) append(path_, line + '\n');
  last_step_ = s.step();
  last_ = {s.time(), {lobe_mass(now, 0), lobe_mass(now, 1)}};
}

}  // namespace rednova::output
