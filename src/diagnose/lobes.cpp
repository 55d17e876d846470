#include "diagnose/lobes.hpp"

#include <algorithm>
#include <cmath>

#include "exchange/gather.hpp"

namespace rednova::diagnose {
namespace {

using core::vec3d;

// Stars within their lobes take 3 to 5. Where a star is larger than its lobe, a lobe that shrinks loses mass and
// shrinks further: 15 were needed in a contact binary that merges. What is cut off before would show as mass transfer.
constexpr int most_passes = 32;
// A lobe of so small a mass is 0.3 % of the separation in radius; no mesh resolves it.
constexpr double smallest_ratio = 1e-6;

std::array<star_sums<double>, 2> block_sums(const step::simulation& s, int leaf, const std::vector<int>& star_of,
                                            const roche_lobes& lobes) {
  std::array<star_sums<double>, 2> sums;
  const double h = s.tree().cell_width(leaf);
  if (!lobes.may_touch(s.tree().corner(leaf), h * mesh::N)) return sums;
  for (int c = 0; c < mesh::cells; ++c) {
    const gas_cell cell(s, leaf, c);
    const int star = lobes.star_at(cell.x);
    if (star < 0 || !(cell.rho > 0)) continue;
    star_sums<double>& to = sums[static_cast<std::size_t>(star)];
    to.add_cell(cell, cell.rho);
    to.see(cell);
    for (int k = 0; k < s.fields().species(); ++k) {
      if (star_of[static_cast<std::size_t>(k)] == 1 - star)
        to.received += cell.volume * s.u().at(leaf, s.fields().species(k))[c];
    }
  }
  return sums;
}

lobe_sums sum_lobes(const step::simulation& s, const std::vector<int>& star_of, const roche_lobes& lobes) {
  const auto fold = [](lobe_sums* all, const auto& part) {
    for (std::size_t i = 0; i < 2; ++i) add((*all)[i], part[i]);
  };
  return exchange::fold_leaves<lobe_sums>(
      s.context(), "diagnose", s.tree(), s.halo().partition(), 1,
      [&](int leaf, lobe_sums* block) { fold(block, block_sums(s, leaf, star_of, lobes)); },
      [&](lobe_sums* a, const lobe_sums* b) { fold(a, *b); })[0];
}

/// Whether two masses at two places have lobes that a mesh could resolve.
bool apart(const std::array<double, 2>& mass, const std::array<vec3d, 2>& centre) {
  const auto [small, large] = std::minmax(mass[0], mass[1]);
  return small > smallest_ratio * large && small > 0 && centre[0] != centre[1];
}

vec3d unit(vec3d a) { return (1 / std::sqrt(dot(a, a))) * a; }

/// Axes of the model: from star 0 to star 1; across it, in the orbital plane; normal to both.
std::array<vec3d, 3> axes(vec3d from, vec3d to) {
  const vec3d along = unit(to - from);
  // Stars one above the other have no orbital plane near x, y; any plane through them serves.
  const bool upright = std::fabs(along.z) > 1 - 1e-12;
  const vec3d across = unit(cross(upright ? vec3d{1, 0, 0} : vec3d{0, 0, 1}, along));
  return {along, across, cross(along, across)};
}

}  // namespace

roche_lobes::roche_lobes(const std::array<double, 2>& mass, const std::array<vec3d, 2>& centre)
    : centre_(centre),
      origin_((1 / (mass[0] + mass[1])) * (mass[0] * centre[0] + mass[1] * centre[1])),
      axis_(axes(centre[0], centre[1])),
      model_(mass[0], mass[1], std::sqrt(dot(centre[1] - centre[0], centre[1] - centre[0]))),
      l1_(model_.l1()),
      top_(model_.potential({l1_, 0, 0})) {
  for (int star = 0; star < 2; ++star) {
    const double reach = l1_ - model_.centre(star);
    reach_squared_[static_cast<std::size_t>(star)] = reach * reach;
  }
}

int roche_lobes::star_at(vec3d x) const {
  const vec3d from = x - origin_;
  const int star = dot(from, axis_[0]) < l1_ ? 0 : 1;
  const auto i = static_cast<std::size_t>(star);
  const vec3d away = x - centre_[i];
  if (dot(away, away) >= reach_squared_[i]) return -1;
  const vec3d place{dot(from, axis_[0]), dot(from, axis_[1]), dot(from, axis_[2])};
  return model_.potential(place) < top_ ? star : -1;
}

bool roche_lobes::may_touch(vec3d lower, double width) const {
  for (std::size_t i = 0; i < 2; ++i) {
    vec3d gap;
    for (int d = 0; d < 3; ++d) gap[d] = centre_[i][d] - std::clamp(centre_[i][d], lower[d], lower[d] + width);
    if (dot(gap, gap) < reach_squared_[i]) return true;
  }
  return false;
}

std::optional<lobe_sums> measure_lobes(const step::simulation& s, const std::vector<int>& star_of,
                                       std::array<double, 2> mass, std::array<vec3d, 2> centre) {
  lobe_sums found;
  for (int pass = 0; pass < most_passes; ++pass) {
    if (!apart(mass, centre)) return {};
    found = sum_lobes(s, star_of, roche_lobes(mass, centre));
    const auto mass_before = mass;
    const auto centre_before = centre;
    for (std::size_t i = 0; i < 2; ++i) {
      mass[i] = found[i].mass.value();
      if (mass[i] <= 0) return {};
      centre[i] = (1 / mass[i]) * value(found[i].moment);
    }
    if (mass == mass_before && centre == centre_before) break;
  }
  return apart(mass, centre) ? std::optional(found) : std::nullopt;
}

}  // namespace rednova::diagnose
