#include "diagnose/orbit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "diagnose/lobes.hpp"
#include "diagnose/star_sums.hpp"
#include "exchange/gather.hpp"
#include "gravity/result_field.hpp"
#include "stellar/roche.hpp"
#include "step/point_motion.hpp"

namespace rednova::diagnose {
namespace {

/// Sums over the cells of a block, or compensated over blocks.
template <class Number>
struct sums {
  std::array<star_sums<Number>, 2> stars;  // by species
  double max_density = 0;                  // of the gas of both
  std::array<Number, step::numbers_of_stars> dense_parts{};
  Number kinetic{}, internal{}, gravitational{};
  std::array<Number, hydro::unbound_criteria> unbound{};
};

template <class Number>
void add(sums<core::compensated>& a, const sums<Number>& b) {
  for (std::size_t i = 0; i < 2; ++i) add(a.stars[i], b.stars[i]);
  a.max_density = std::max(a.max_density, b.max_density);
  for (std::size_t i = 0; i < a.dense_parts.size(); ++i) a.dense_parts[i] += b.dense_parts[i];
  a.kinetic += b.kinetic;
  a.internal += b.internal;
  a.gravitational += b.gravitational;
  for (std::size_t i = 0; i < a.unbound.size(); ++i) a.unbound[i] += b.unbound[i];
}

void add_energies(const step::simulation& s, int leaf, int c, const gas_cell& cell, sums<double>& out) {
  const double kinetic = hydro::kinetic_energy(cell.rho, cell.momentum);
  out.kinetic += cell.volume * kinetic;
  out.internal += cell.volume * (s.u().at(leaf, s.fields().energy())[c] - kinetic);
  if (s.gravity().empty()) return;
  const double phi = s.gravity().at(leaf, gravity::potential)[c];
  out.gravitational += 0.5 * cell.volume * cell.rho * phi;
  const hydro::unbound_cell gas(s.fields(), s.eos(), s.par().hydro.dual_energy_pressure, s.u().at(leaf) + c, phi);
  for (std::size_t i = 0; i < out.unbound.size(); ++i) out.unbound[i] += gas.by[i] ? cell.volume * cell.rho : 0.0;
}

sums<double> block_sums(const step::simulation& s, int leaf, const std::vector<int>& star_of) {
  sums<double> out;
  for (int c = 0; c < mesh::cells; ++c) {
    const gas_cell cell(s, leaf, c);
    if (!(cell.rho > 0)) continue;
    std::array<double, 2> part{};
    for (int f = 0; f < s.fields().species(); ++f) {
      const int star = star_of[static_cast<std::size_t>(f)];
      if (star >= 0) part[static_cast<std::size_t>(star)] += s.u().at(leaf, s.fields().species(f))[c];
    }
    for (std::size_t i = 0; i < 2; ++i) {
      if (part[i] <= 0) continue;
      out.stars[i].add_cell(cell, part[i]);
      if (2 * part[i] > cell.rho) out.stars[i].see(cell);
    }
    if (2 * (part[0] + part[1]) > cell.rho) out.max_density = std::max(out.max_density, cell.rho);
    add_energies(s, leaf, c, cell, out);
  }
  if (s.star_gas().two()) {
    const step::summed_block block{s.u().at(leaf), nullptr, s.tree().corner(leaf), s.tree().cell_width(leaf)};
    step::sum_stars(block, s.fields().species(), s.star_gas(), out.dense_parts.data());
  }
  return out;
}

void set(star& to, const star_sums<core::compensated>& from) {
  to.mass = from.mass.value();
  to.max_density = from.max_density;
  to.received = from.received.value();
  if (to.mass <= 0) return;
  to.centre = (1 / to.mass) * value(from.moment);
  to.velocity = (1 / to.mass) * value(from.momentum);
  to.spin = value(from.angular) - to.mass * core::cross(to.centre, to.velocity);
}

/// The lobes that can be found, or none where the stars have merged.
std::optional<lobe_sums> find_lobes(const step::simulation& s, const std::vector<int>& star_of,
                                    const sums<core::compensated>& all) {
  double dense_parts[step::numbers_of_stars];
  for (std::size_t i = 0; i < all.dense_parts.size(); ++i) dense_parts[i] = all.dense_parts[i].value();
  if (!step::star_pair(dense_parts).apart) return {};
  for (const auto& star : all.stars) {
    if (star.max_density == 0) return {};
  }
  // The species' centre would lie between the stars once much of one has gone over; its densest gas goes last.
  return measure_lobes(s, star_of, {all.stars[0].mass.value(), all.stars[1].mass.value()},
                       {all.stars[0].densest, all.stars[1].densest});
}

void set_two(orbit& o, const lobe_sums& lobes) {
  for (std::size_t i = 0; i < 2; ++i) set(o.stars[i], lobes[i]);
  star &a = o.stars[0], &b = o.stars[1];
  const core::vec3d apart = b.centre - a.centre, passing = b.velocity - a.velocity;
  o.separation = std::sqrt(core::dot(apart, apart));
  o.angular_momentum = a.mass * b.mass / (a.mass + b.mass) * core::cross(apart, passing);
  o.frequency = core::cross(apart, passing).z / core::dot(apart, apart);
  a.lobe_radius = o.separation * stellar::eggleton_lobe(a.mass / b.mass);
  b.lobe_radius = o.separation * stellar::eggleton_lobe(b.mass / a.mass);
}

void set_merged(orbit& o, const sums<core::compensated>& all) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  star_sums<core::compensated> both = all.stars[0];
  add(both, all.stars[1]);
  set(o.stars[0], both);
  o.stars[0].max_density = all.max_density;  // also where the two are so mixed that a cell is mostly neither's
  o.stars[0].lobe_radius = o.stars[0].received = none;
  const double brought = o.stars[1].species_mass;
  const core::vec3d nowhere{none, none, none};
  o.stars[1] = {none, nowhere, nowhere, nowhere, none, none, none, brought};
  o.separation = o.frequency = none;
  o.angular_momentum = nowhere;
}

}  // namespace

orbit measure(const step::simulation& s) {
  s.expect_fields();
  const std::vector<int> star_of = star_of_species(s.par().hydro.species);
  using row = sums<core::compensated>;
  const row all = exchange::fold_leaves<row>(
      s.context(), "diagnose", s.tree(), s.halo().partition(), 1,
      [&](int leaf, row* block) { add(*block, block_sums(s, leaf, star_of)); },
      [](row* a, const row* b) { add(*a, *b); })[0];
  orbit result;
  const step::point_energies points = step::energies_of(s.points(), s.pulls());
  result.kinetic = all.kinetic.value() + points.kinetic;
  result.internal = all.internal.value();
  result.gravitational = all.gravitational.value() + points.potential;
  for (std::size_t i = 0; i < all.unbound.size(); ++i) result.unbound[i] = all.unbound[i].value();
  for (std::size_t i = 0; i < 2; ++i) result.stars[i].species_mass = all.stars[i].mass.value();
  if (!s.star_gas().two()) {
    set(result.stars[0], all.stars[0]);
    return result;
  }
  const std::optional<lobe_sums> lobes = find_lobes(s, star_of, all);
  result.found = lobes ? stars_found::two : stars_found::merged;
  if (lobes) {
    set_two(result, *lobes);
  } else {
    set_merged(result, all);
  }
  return result;
}

}  // namespace rednova::diagnose
