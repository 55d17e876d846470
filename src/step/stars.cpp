#include "step/stars.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "core/constants.hpp"

namespace rednova::step {

std::vector<int> star_of_species(const std::vector<std::string>& species) {
  std::vector<int> star;
  for (const std::string& name : species)
    star.push_back(name.starts_with("accretor") ? 0 : name.starts_with("donor") ? 1 : -1);
  const bool two = std::ranges::count(star, 0) > 0 && std::ranges::count(star, 1) > 0;
  if (!two) std::ranges::fill(star, 0);
  return star;
}

star_species::star_species(const std::vector<std::string>& names) {
  EXPECT(names.size() <= 64);
  const std::vector<int> star = star_of_species(names);
  for (std::size_t k = 0; k < star.size(); ++k) {
    if (star[k] >= 0) bits[static_cast<std::size_t>(star[k])] |= std::uint64_t{1} << k;
  }
  if (!two()) bits = {};
}

void sum_stars(const summed_block& b, int species, const star_species& of, double* to) {
  for (int row = 0; row < mesh::N * mesh::N; ++row) {
    double numbers[numbers_of_stars];
    sum_row_of_stars(b, species, of, row, numbers);
    for (int i = 0; i < numbers_of_stars; ++i) to[i] += numbers[i];
  }
}

star_pair::star_pair(const double* sums) {
  for (std::size_t i = 0; i < 2; ++i, sums += numbers_of_star) {
    if (!(sums[0] > 0)) return;
    centre[i] = (1 / sums[0]) * core::vec3d{sums[1], sums[2], sums[3]};
    radius[i] = std::sqrt(std::max(sums[4] / sums[0] - dot(centre[i], centre[i]), 0.0));
  }
  const core::vec3d line = centre[1] - centre[0];
  apart = std::sqrt(dot(line, line)) > radius[0] + radius[1];
}

double star_pair::angle() const {
  const core::vec3d line = centre[1] - centre[0];
  return std::atan2(line.y, line.x);
}

void orbit_count::follow(const star_pair& stars, double time, double dt) {
  if (!stars.apart) {
    angle = std::numeric_limits<double>::quiet_NaN();
    rate = 0;
    return;
  }
  last_apart = time;
  const double now = stars.angle();
  const double turned = std::isnan(angle) ? 0.0 : std::remainder(now - angle, 2 * core::pi);
  slip += turned;
  angle = now;
  if (dt > 0) rate = turned / dt;
}

}  // namespace rednova::step
