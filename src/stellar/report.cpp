#include "stellar/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "config/units.hpp"
#include "core/constants.hpp"
#include "stellar/roche.hpp"

namespace rednova::stellar {

namespace {

constexpr double good_virial_error = 1e-3, good_balance_error = 1e-3;  // docs/initial_models.md

constexpr double open = std::numeric_limits<double>::quiet_NaN();  // not asked for

double core_share(const star_figures& s) { return s.mass > 0 ? s.core_mass / s.mass : 0; }

/// Of two points that start at an apsis, with this share of the circular orbit's velocity missing: v² / v_circular² is
/// 1 - e at the apastron and 1 + e at the periastron.
double eccentricity(double slowdown) { return std::fabs(1 - (1 - slowdown) * (1 - slowdown)); }

/// Of a star that is larger than the lobe that history.csv takes for it (diagnose/lobes.hpp).
std::string lobe_warning(const char* name, double radius, double lobe) {
  return fmt::format(
      "{} has a radius of {:.4g}, more than that of the Roche lobe of synchronous rotation, {:.4g}: history.csv counts "
      "gas beyond that lobe as no star's",
      name, radius, lobe);
}

std::vector<std::string> warnings(const binary_request& asked, const model& m) {
  std::vector<std::string> all;
  for (std::size_t s = 0; s < 2 && !asked.synchronous(); ++s) {
    const double lobe = m.separation() * eggleton_lobe(asked.mass[s] / asked.mass[1 - s]);
    if (m.star[s].radius > lobe)
      all.push_back(lobe_warning(s == 0 ? "the accretor" : "the donor", m.star[s].radius, lobe));
  }
  if (m.virial_error() > good_virial_error)
    all.push_back(fmt::format(
        "a virial error above {:g} means that the mesh is too coarse for pressure and force to balance; raise "
        "mesh.max_level, or lower refine.density",
        good_virial_error));
  if (std::max(m.balance_error(0), m.balance_error(1)) > good_balance_error)
    all.push_back(
        fmt::format("the rotation is off by more than {:g} from what balances the forces on the stars, so the orbit is "
                    "not circular: the model has not settled; lower problem.tolerance",
                    good_balance_error));
  return all;
}

/// None for a star whose pressures are what they are.
std::vector<model_report::row> entropy_row(const binary_request& asked, const model& m, std::size_t s) {
  const composition& of = asked.made_of[s];
  if (!of.has_scale()) return {};
  const std::string star = s == 0 ? "the accretor" : "the donor";
  if (of.given) return {{"pressures of " + star, 1, m.star[s].entropy, "times the profile's"}};
  const composition& other = asked.made_of[0];
  const bool again = s == 1 && other.has_scale() && !other.given;
  return {
      {"entropy of " + star, open, m.star[s].entropy, again ? "the same" : "K = p / rho^(1 + 1/n) of the envelope"}};
}

std::vector<model_report::row> spin_rows(const binary_request& asked, const model& m) {
  const auto share = [&](std::size_t s) {
    return m.star[s].spin * m.star[s].inertia * m.omega / m.orbital_angular_momentum();
  };
  return {{"spin of the accretor", asked.spin[0], m.star[0].spin, "rate of rotation over the orbit's"},
          {"spin of the donor", asked.spin[1], m.star[1].spin, "the same"},
          {"J_spin of the accretor", open, share(0), "over J_orb"},
          {"J_spin of the donor", open, share(1), "the same"}};
}

}  // namespace

std::string model_report::text() const {
  std::string t = fmt::format(
      "initial model after {} iterations on {} cells, gravity of order {}; the density still changes by {:.1e}\n"
      "{:<28}{:>12}{:>12}\n",
      iterations, cells, gravity_order, change, "", "asked", "reached");
  for (const row& r : rows) {
    const std::string left = std::isnan(r.asked) ? "-" : fmt::format("{:.6g}", r.asked);
    t += fmt::format("{:<28}{:>12}{:>12}  {}\n", r.what, left, fmt::format("{:.6g}", r.reached), r.note);
  }
  for (const std::string& warning : warnings) t += fmt::format("warning: {}\n", warning);
  return t;
}

model_report report(const binary_request& asked, const model& m, config::unit_system system,
                    const run_settings& settings) {
  const bool solar = system == config::unit_system::solar;
  const core::units units = config::units_of(system);
  const double time = solar ? units.time / core::day : 1;
  const char *mass = solar ? "Msun" : "", *length = solar ? "Rsun" : "", *days = solar ? "d" : "";
  const bool separate = asked.context == surface::separate;
  const bool by_period = asked.separation == 0 && asked.period > 0, by_filling = asked.separation == 0 && !by_period;
  const auto filling = [&](std::size_t s) {
    const bool follows = !asked.made_of[s].has_scale() && !(by_filling && s == 1);
    return separate && !follows ? asked.filling[s] : open;
  };
  const bool shared = asked.context == surface::common_envelope;
  const std::size_t light = asked.mass[1] > asked.mass[0] ? 0 : 1;

  std::vector<model_report::row> rows;
  const auto row = [&rows](const char* what, double wanted, double reached, const char* note = "") {
    rows.push_back({what, wanted, reached, note});
  };
  row("mass of the accretor", asked.mass[0], m.star[0].mass, mass);
  row("mass of the donor", asked.mass[1], m.star[1].mass, mass);
  row("separation", by_period || by_filling ? open : asked.separation, m.separation(), length);
  row("period", by_period ? asked.period * time : open, 2 * core::pi / m.omega * time, days);
  if (!asked.synchronous()) std::ranges::move(spin_rows(asked, m), std::back_inserter(rows));
  const char* const lobe = asked.synchronous() ? "of the Roche lobe" : "of the Roche lobe at this spin";
  row("filling of the accretor", filling(0), m.star[0].filling, lobe);
  row("filling of the donor", filling(1), m.star[1].filling, lobe);
  if (asked.synchronous())  // else the stars' surfaces lie in two potentials
    row("fillout", separate ? open : asked.fillout, m.fillout + 0.0, "0 at L1, 1 at L2");  // + 0.0: no "-0"
  const auto radius = [&](std::size_t s) { return asked.made_of[s].free_pressure ? asked.radius[s] : open; };
  row("radius of the accretor", radius(0), m.star[0].radius, length);
  row("radius of the donor", radius(1), m.star[1].radius, length);
  row("core mass of the accretor", shared && light == 0 ? open : asked.made_of[0].core_fraction, core_share(m.star[0]),
      "of its mass");
  row("core mass of the donor", shared && light == 1 ? open : asked.made_of[1].core_fraction, core_share(m.star[1]),
      "of its mass");
  for (std::size_t s = 0; s < 2; ++s) std::ranges::move(entropy_row(asked, m, s), std::back_inserter(rows));
  row("J_spin / J_orb", open, m.spin_angular_momentum() / m.orbital_angular_momentum());
  row("virial error", open, m.virial_error(), "|2T + W + 3Pi| / |W|");
  row("forces on the accretor", open, m.balance_error(0), "|Omega^2 - Omega_force^2| / Omega^2");
  row("forces on the donor", open, m.balance_error(1), "the same");
  row("trim", open, std::fabs(m.trim), "force that makes up for the mesh, over that of the orbit");
  if (settings.slowdown != 0)
    row("eccentricity by slowdown", open, eccentricity(settings.slowdown),
        "|1 - (1 - slowdown)^2|: the orbit is not circular");
  return {m.iterations,           std::int64_t{m.tree.leaves()} * mesh::cells,
          settings.gravity_order, m.change,
          std::move(rows),        warnings(asked, m)};
}

}  // namespace rednova::stellar
