#include "diagnose/orbit.hpp"

#include <algorithm>
#include <cmath>

#include "core/compensated.hpp"
#include "diagnose/lobes.hpp"
#include "exchange/gather.hpp"

namespace rednova::diagnose {
namespace {

/// Sums over the cells of a block, or over blocks; Number is double within a block (512 or 4096 terms) and
/// compensated over blocks.
template <class Number>
struct star_sums {
  Number mass{};
  core::vec3<Number> moment{}, momentum{}, angular{};
  double max_density = 0;
  core::vec3d densest{};  // where that is; of equal cells the first
};

template <class Number>
struct sums {
  std::array<star_sums<Number>, 2> stars;
  core::vec3<Number> cell_spin{};
  Number unbound{};
};

template <class Number>
void add(core::vec3<core::compensated>& a, const core::vec3<Number>& b) {
  a.x += b.x;
  a.y += b.y;
  a.z += b.z;
}

core::vec3d value(const core::vec3<core::compensated>& a) { return {a.x.value(), a.y.value(), a.z.value()}; }

template <class Number>
void add(sums<core::compensated>& a, const sums<Number>& b) {
  for (std::size_t i = 0; i < 2; ++i) {
    a.stars[i].mass += b.stars[i].mass;
    add(a.stars[i].moment, b.stars[i].moment);
    add(a.stars[i].momentum, b.stars[i].momentum);
    add(a.stars[i].angular, b.stars[i].angular);
    if (b.stars[i].max_density > a.stars[i].max_density) {
      a.stars[i].max_density = b.stars[i].max_density;
      a.stars[i].densest = b.stars[i].densest;
    }
  }
  add(a.cell_spin, b.cell_spin);
  a.unbound += b.unbound;
}

/// Adds a cell to the sums of the stars; `part` is each star's partial density.
void add_cell(const step::simulation& s, int leaf, int cell, core::vec3d x, double volume,
              const std::array<double, 2>& part, sums<double>& out) {
  const auto vector = [&](int f) {
    return core::vec3d{s.u.at(leaf, f)[cell], s.u.at(leaf, f + 1)[cell], s.u.at(leaf, f + 2)[cell]};
  };
  const double rho = s.density(leaf, cell);
  const core::vec3d momentum = vector(s.fields.momentum());
  const core::vec3d spin = vector(s.fields.spin());
  const core::vec3d angular = core::cross(x, momentum) + spin;
  out.cell_spin += volume * spin;
  for (std::size_t i = 0; i < 2; ++i) {
    if (part[i] <= 0) continue;
    star_sums<double>& star = out.stars[i];
    const double share = volume * part[i] / rho;
    star.mass += volume * part[i];
    star.moment += volume * part[i] * x;
    star.momentum += share * momentum;
    star.angular += share * angular;
    if (2 * part[i] > rho && rho > star.max_density) {
      star.max_density = rho;
      star.densest = x;
    }
  }
  if (!s.gravity.empty()) {
    const double energy = s.u.at(leaf, s.fields.energy())[cell] + rho * s.gravity.at(leaf, gravity::potential)[cell];
    if (energy > 0) out.unbound += volume * rho;
  }
}

sums<double> block_sums(const step::simulation& s, int leaf, const std::vector<int>& star_of) {
  sums<double> out;
  const double h = s.tree.cell_width(leaf);
  for (int k = 0; k < mesh::N; ++k) {
    for (int j = 0; j < mesh::N; ++j) {
      for (int i = 0; i < mesh::N; ++i) {
        const int c = mesh::cell(i, j, k);
        std::array<double, 2> part{};
        for (int f = 0; f < s.fields.species(); ++f) {
          const int star = star_of[static_cast<std::size_t>(f)];
          if (star >= 0) part[static_cast<std::size_t>(star)] += s.u.at(leaf, s.fields.species(f))[c];
        }
        add_cell(s, leaf, c, s.tree.centre(leaf, i, j, k), h * h * h, part, out);
      }
    }
  }
  return out;
}

}  // namespace

std::vector<int> star_of_species(const std::vector<std::string>& species) {
  std::vector<int> star;
  for (const std::string& name : species)
    star.push_back(name.starts_with("accretor") ? 0 : name.starts_with("donor") ? 1 : -1);
  const bool two = std::ranges::count(star, 0) > 0 && std::ranges::count(star, 1) > 0;
  if (!two) std::ranges::fill(star, 0);
  return star;
}

orbit measure(const step::simulation& s) {
  s.expect_fields();
  const std::vector<int> star_of = star_of_species(s.par.hydro.species);
  using row = sums<core::compensated>;
  const row all = exchange::fold_leaves<row>(
      *s.where, "diagnose", s.tree, s.links->share(), 1,
      [&](int leaf, row* block) { add(*block, block_sums(s, leaf, star_of)); },
      [](row* a, const row* b) { add(*a, *b); })[0];
  orbit result;
  result.cell_spin = value(all.cell_spin);
  result.unbound_mass = all.unbound.value();
  for (std::size_t i = 0; i < 2; ++i) {
    const star_sums<core::compensated>& from = all.stars[i];
    star& to = result.stars[i];
    to.mass = from.mass.value();
    to.max_density = from.max_density;
    if (to.mass <= 0) continue;
    to.centre = (1 / to.mass) * value(from.moment);
    to.velocity = (1 / to.mass) * value(from.momentum);
    to.spin = value(from.angular) - to.mass * core::cross(to.centre, to.velocity);
  }
  const star &a = result.stars[0], &b = result.stars[1];
  if (a.mass > 0 && b.mass > 0) {
    const core::vec3d apart = b.centre - a.centre;
    const core::vec3d passing = b.velocity - a.velocity;
    result.separation = std::sqrt(core::dot(apart, apart));
    result.angular_momentum = a.mass * b.mass / (a.mass + b.mass) * core::cross(apart, passing);
    if (result.separation > 0) result.frequency = core::cross(apart, passing).z / core::dot(apart, apart);
    // The species' centre would lie between the stars once much of one has gone over; its densest gas goes last.
    const lobe_content lobes =
        measure_lobes(s, star_of, {a.mass, b.mass}, {all.stars[0].densest, all.stars[1].densest});
    for (std::size_t i = 0; i < 2; ++i) {
      result.stars[i].lobe_mass = lobes.mass[i];
      result.stars[i].received = lobes.received[i];
    }
  }
  return result;
}

}  // namespace rednova::diagnose
