#include "problem/resolved.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/check.hpp"
#include "gravity/softened_point.hpp"
#include "mesh/domain_of.hpp"
#include "mesh/view.hpp"
#include "stellar/resolution.hpp"
#include "step/leaf_sums.hpp"

namespace rednova::problem {

namespace {

constexpr double least_heights = 0.5;  // cells to a scale height

double density_of(const gas& g, const config::parameters& par) {
  double rho = 0;
  for (std::size_t k = 0; k < par.hydro.species.size(); ++k) rho += g.density[k];
  return rho;
}

/// The scale height of a star's pressure where nine tenths of its gas lie within, by spheres along y, across the line
/// to a companion; the weight is that of this gas and of point masses in the star.
double scale_height(const sketch& s, const star_outline& star, const config::parameters& par) {
  constexpr int shells = 400;
  std::array<double, shells> within{};
  const double dr = star.radius / shells;
  const auto at = [&](int shell) { return s.at(star.centre + core::vec3d{0, (shell + 0.5) * dr, 0}); };
  double mass = 0;
  for (int n = 0; n < shells; ++n) {
    const double r = (n + 0.5) * dr;
    mass += 4 * std::numbers::pi * r * r * dr * density_of(at(n), par);
    within[static_cast<std::size_t>(n)] = mass;
  }
  int n = 0;
  while (within[static_cast<std::size_t>(n)] < 0.9 * mass) ++n;
  const double r = (n + 0.5) * dr;
  double attracting = within[static_cast<std::size_t>(n)];
  for (const step::point_mass& point : s.points) {
    const core::vec3d apart = point.position - star.centre;
    if (dot(apart, apart) < star.radius * star.radius)
      attracting += point.mass * gravity::softened_mass_within(r / point.softening);
  }
  const double gravity = attracting / (r * r);
  return at(n).pressure / (density_of(at(n), par) * gravity);
}

/// Mass of the first species further from a point than a distance.
double mass_beyond(const step::simulation& s, int species, core::vec3d centre, double distance) {
  return step::add_leaves(s, "initial model", 1,
                          [&](int leaf, core::compensated* sum) {
                            const double volume = std::pow(s.tree().cell_width(leaf), 3);
                            for (int c = 0; c < mesh::cells; ++c) {
                              const core::vec3d x = mesh::view(s.tree()).centre(leaf, c);
                              if (dot(x - centre, x - centre) <= distance * distance) continue;
                              for (int k = 0; k < species; ++k)
                                *sum += core::compensated(volume * s.u().at(leaf, s.fields().species(k))[c]);
                            }
                          })[0]
      .value();
}

}  // namespace

void expect_resolved(config::input& in, const config::parameters& par, const single_star_asked& star) {
  if (!par.gravity.enabled)
    core::fail(
        "{}: a star needs gravity.enabled = true, without which its pressure blows it apart: set it below [gravity]",
        in.place("gravity", "enabled"));
  const config::mesh& m = par.mesh;
  const double cells = star.radius / mesh::domain_of(m).cell_width(m.max_level);
  if (cells >= stellar::enough_cells) return;
  const std::string words =
      fmt::format("{}: the star {} about {:.2g} cells to a radius on the finest level: {}",
                  in.place("mesh", in.gives("mesh", "max_level") ? "max_level" : "base_width"),
                  cells < stellar::fewest_cells ? "would have" : "has", cells, stellar::finer_mesh(cells, m.max_level));
  if (cells < stellar::fewest_cells) throw core::user_error(words);
  in.warn(words);
}

void warn_of_stars(config::input& in, const config::parameters& par, const sketch& s) {
  const double cell = mesh::domain_of(par.mesh).cell_width(par.mesh.max_level);
  const std::string place = in.place("mesh", in.gives("mesh", "max_level") ? "max_level" : "base_width");
  for (const star_outline& star : s.stars) {
    const double cells = star.radius / cell, heights = scale_height(s, star, par) / cell;
    if (cells < stellar::enough_cells) {
      if (s.stars.size() > 1)
        in.warn(fmt::format("{}: {} has about {:.2g} cells to a radius on the finest level: {}", place, star.name,
                            cells, stellar::finer_mesh(cells, par.mesh.max_level)));
    } else if (heights < least_heights) {
      in.warn(fmt::format(
          "{}: {} has about {:.2g} cells to a scale height of its pressure, p / (rho g), on the finest level, where "
          "nine "
          "tenths of its mass lie within: pressure and gravity balance poorly; raise mesh.max_level from {} to {} or "
          "more",
          place, star.name, heights, par.mesh.max_level,
          par.mesh.max_level + std::ceil(std::log2(least_heights / heights))));
    }
  }
}

std::string warning_of_mass(const step::simulation& s, const single_star_asked& star) {
  const std::vector<double>& all = s.ledger().grid.species;
  const int counted = std::max(static_cast<int>(all.size()) - 1, 1);  // all but the atmosphere's, where it has its own
  double mass = 0;
  for (int k = 0; k < counted; ++k) mass += all[static_cast<std::size_t>(k)];
  constexpr double most = 0.01;
  if (std::fabs(mass - star.mass) <= most * star.mass) return "";
  // One of the two is off by half of that at least.
  const double outside = mass_beyond(s, counted, star.centre, 1.5 * star.radius), inside = mass - outside;
  std::string cells, atmosphere;
  if (std::fabs(inside - star.mass) > most / 2 * star.mass)
    cells =
        "its cells are too wide, or the mesh is not refined where it is: raise mesh.max_level, or lower refine.density";
  if (outside > most / 2 * star.mass)
    atmosphere = fmt::format(
        "{:.4g} of it lie beyond one and a half of the star's radii, in the atmosphere: take a smaller domain, or "
        "lower problem.ambient_density",
        outside);
  return fmt::format("the mass of the star's gas on the mesh is {:.4g}, not the {:.4g} that was asked for: {}{}{}",
                     mass, star.mass, atmosphere, atmosphere.empty() || cells.empty() ? "" : "; and ", cells);
}

}  // namespace rednova::problem
