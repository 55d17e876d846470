#include "step/particles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "core/check.hpp"
#include "core/compensated.hpp"
#include "core/hash64.hpp"
#include "exchange/collective_error.hpp"
#include "exchange/gather.hpp"
#include "step/particle_cells.hpp"
#include "step/simulation.hpp"
#include "step/stepper.hpp"

namespace rednova::step {

namespace {

/// Of a point in the domain, or beyond a side of it.
bool within(const mesh::domain& box, const core::vec3d& x, int d) {
  const double blocks = (x[d] - box.lower[d]) / box.base_width;  // as tree::leaf_at counts them
  return blocks >= 0 && blocks < box.base[d];
}

/// Between 0 and 1, the same whenever it is asked for.
double at_random(std::uint64_t particle, int direction) {
  core::hash64 h;
  h.add(particle);
  h.add(static_cast<std::uint64_t>(direction));
  return (static_cast<double>(h.value() >> 11) + 0.5) * 0x1p-53;
}

/// Which species count, all where none are named.
std::vector<int> species_of(const simulation& s) {
  std::vector<int> numbers;
  const auto& asked = s.par().tracers.species;
  for (int k = 0; k < s.fields().species(); ++k) {
    const std::string& name = s.par().hydro.species[static_cast<std::size_t>(k)];
    if (asked.empty() || std::ranges::count(asked, name) > 0) numbers.push_back(k);
  }
  return numbers;
}

/// How many particles lie before a mass along the curve, which are in the middles of equal parts of all of it.
int particles_before(double mass, double all, int count) {
  return static_cast<int>(std::clamp(std::ceil(count * (mass / all) - 0.5), 0.0, static_cast<double>(count)));
}

/// Those of one leaf, numbers `from` to `to`. weights: of its cells; before: the mass before it along the curve.
void sow_leaf(const simulation& s, int leaf, const std::array<double, mesh::cells>& weights, double before, double all,
              int from, int to, std::vector<tracer_particle>& particles) {
  int cell = 0, last = 0;  // last: that has any of the gas
  double passed = before;
  for (int n = from; n < to; ++n) {
    const double target = (n + 0.5) / s.par().tracers.count * all;
    while (cell < mesh::cells && passed + weights[static_cast<std::size_t>(cell)] <= target) {
      passed += weights[static_cast<std::size_t>(cell)];
      if (weights[static_cast<std::size_t>(cell)] > 0) last = cell;
      ++cell;
    }
    const int at = cell < mesh::cells ? cell : last;  // where roundings have come to the leaf's end
    const double h = s.tree().cell_width(leaf);
    core::vec3d x = mesh::view(s.tree()).centre(leaf, at);
    for (int d = 0; d < 3; ++d) x[d] += h * (at_random(static_cast<std::uint64_t>(n), d) - 0.5);
    particles.push_back({x});
  }
}

/// Where a particle comes to lie that has moved to x; false if it has left.
bool settle(const mesh::domain& box, const std::array<config::boundary, 6>& boundaries, core::vec3d& x) {
  for (int d = 0; d < 3; ++d) {
    if (within(box, x, d)) continue;
    const double lower = box.lower[d], upper = box.upper()[d];
    const bool above = x[d] > lower;
    switch (boundaries[static_cast<std::size_t>(mesh::face(d, above ? 1 : 0))]) {
      case config::boundary::periodic:
        x[d] += (above ? -1 : 1) * (upper - lower);
        if (!within(box, x, d)) x[d] = lower;  // on the side itself, but for rounding
        break;
      case config::boundary::reflecting:
        x[d] = 2 * (above ? upper : lower) - x[d];
        if (!within(box, x, d)) x[d] = std::nextafter(upper, lower);
        break;
      default:
        return false;
    }
  }
  return true;
}

/// What gas of this velocity does on the grid, which turns.
core::vec3d on_grid(const core::vec3d& v, const core::vec3d& x, double rotation) {
  return {v.x + rotation * x.y, v.y - rotation * x.x, v.z};
}

}  // namespace

std::vector<tracer_particle> sow_particles(const simulation& s) {
  const int count = s.par().tracers.count;
  if (count == 0) return {};
  const std::vector<int> species = species_of(s);
  const auto [first, last] = s.own_leaves();
  std::vector<std::array<double, mesh::cells>> cells(static_cast<std::size_t>(last - first));
  std::vector<double> mine(cells.size());
  exchange::for_leaves(s.context(), "tracer particles", s.halo().partition(), [&](int leaf) {
    const auto n = static_cast<std::size_t>(leaf - first);
    const double h = s.tree().cell_width(leaf);
    for (std::size_t c = 0; c < mesh::cells; ++c) {
      cells[n][c] = 0;
      for (const int k : species) cells[n][c] += h * h * h * s.u().at(leaf, s.fields().species(k))[c];
      mine[n] += cells[n][c];
    }
  });
  const std::vector<double> masses = exchange::gather_lists(s.context(), mine);
  std::vector<double> before(masses.size() + 1, 0.0);
  std::partial_sum(masses.begin(), masses.end(), before.begin() + 1);
  const double all = before.back();
  if (!(all > 0) || !std::isfinite(all))
    exchange::by_all(
        [] { core::fail("tracers.species: there is no gas of these species: name others, or none for all gas"); });
  std::vector<tracer_particle> particles;
  for (int leaf = first; leaf < last; ++leaf) {
    const auto at = static_cast<std::size_t>(leaf);
    sow_leaf(s, leaf, cells[at - static_cast<std::size_t>(first)], before[at], all,
             particles_before(before[at], all, count), particles_before(before[at + 1], all, count), particles);
  }
  return exchange::gather_lists(s.context(), particles);
}

std::vector<int> leaves_of(const mesh::tree& t, const std::vector<tracer_particle>& particles) {
  std::vector<int> leaves;
  for (const tracer_particle& p : particles) leaves.push_back(p.inside() ? t.leaf_at(p.position) : mesh::no_block);
  return leaves;
}

std::vector<std::size_t> own_particles(const simulation& s, const std::vector<int>& leaves) {
  const auto [first, last] = s.own_leaves();
  std::vector<std::size_t> own;
  for (std::size_t n = 0; n < leaves.size(); ++n)
    if (leaves[n] >= first && leaves[n] < last) own.push_back(n);
  std::ranges::sort(own, {}, [&](std::size_t n) { return std::pair(leaves[n], n); });
  return own;
}

std::vector<core::vec3d> gas_velocities(const simulation& s, const std::vector<tracer_particle>& particles) {
  struct answer {
    std::size_t particle;
    core::vec3d velocity;
  };
  const std::vector<int> leaves = leaves_of(s.tree(), particles);
  const std::vector<std::size_t> own = own_particles(s, leaves);
  std::vector<gas_place> places;
  for (const std::size_t n : own) {
    const bool same_leaf = !places.empty() && places.back().leaf == leaves[n];
    const int block = places.empty() ? 0 : places.back().block + (same_leaf ? 0 : 1);
    places.push_back({particles[n].position, leaves[n], block});
  }
  const std::vector<core::vec3d> found = s.stepper().velocities(places);
  std::vector<answer> mine;
  for (std::size_t i = 0; i < own.size(); ++i) mine.push_back({own[i], found[i]});
  std::vector<core::vec3d> all(particles.size());
  for (const answer& a : exchange::gather_lists(s.context(), mine)) all[a.particle] = a.velocity;
  return all;
}

particle_motion::particle_motion(const simulation& s, const std::vector<tracer_particle>& particles) {
  if (particles.empty()) return;
  const exec::profile::scope timed(s.context().times(), "tracer particles");
  start_ = gas_velocities(s, particles);
  for (std::size_t n = 0; n < particles.size(); ++n)
    start_[n] = on_grid(start_[n], particles[n].position, s.rotation());
}

void particle_motion::finish(const simulation& s, double dt, double ends,
                             std::vector<tracer_particle>& particles) const {
  if (particles.empty()) return;
  const exec::profile::scope timed(s.context().times(), "tracer particles");
  const mesh::domain& box = s.tree().box();
  const auto& boundaries = s.par().mesh.boundaries;
  std::vector<tracer_particle> predicted(particles);
  for (std::size_t n = 0; n < particles.size(); ++n) {
    if (!predicted[n].inside()) continue;
    predicted[n].position += dt * start_[n];
    if (!settle(box, boundaries, predicted[n].position)) predicted[n].left = ends;
  }
  const std::vector<core::vec3d> end = gas_velocities(s, predicted);
  for (std::size_t n = 0; n < particles.size(); ++n) {
    tracer_particle& p = particles[n];
    if (!p.inside()) continue;
    core::vec3d velocity = start_[n];
    if (predicted[n].inside()) velocity = 0.5 * (start_[n] + on_grid(end[n], predicted[n].position, s.rotation()));
    p.position += dt * velocity;
    if (!settle(box, boundaries, p.position)) p.left = ends;
  }
}

}  // namespace rednova::step
