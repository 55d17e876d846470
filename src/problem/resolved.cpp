#include "problem/resolved.hpp"

#include <cmath>

#include "core/check.hpp"

namespace rednova::problem {

namespace {

constexpr double fewest = 2;         // cells to a radius; with less no mass has a surface
constexpr double enough = 8;         // cells to a radius for a surface and a profile
constexpr double finest_level = 20;  // that mesh.max_level may have

std::string finer(double cells, int max_level) {
  const double level = max_level + std::ceil(std::log2(enough / cells));
  if (level > finest_level) return "no mesh.max_level is enough for this: take a larger star or a smaller domain";
  return fmt::format("raise mesh.max_level from {} to {} or more", max_level, level);
}

}  // namespace

void expect_resolved(config::input& in, const config::parameters& par, const single_star_asked& star) {
  if (!par.gravity.enabled)
    core::fail(
        "{}: a star needs gravity.enabled = true, without which its pressure blows it apart: set it below [gravity]",
        in.place("gravity", "enabled"));
  const config::mesh& m = par.mesh;
  const double cells = star.radius / (std::ldexp(m.base_width, -m.max_level) / mesh::N);
  if (cells >= enough) return;
  const std::string words = fmt::format("{}: the star {} about {:.2g} cells to a radius on the finest level: {}",
                                        in.place("mesh", in.gives("mesh", "max_level") ? "max_level" : "base_width"),
                                        cells < fewest ? "would have" : "has", cells, finer(cells, m.max_level));
  if (cells < fewest) throw core::user_error(words);
  in.warn(words);
}

std::string warning_of_mass(const step::simulation& s, const single_star_asked& star) {
  const double mass = s.ledger().grid.species[0];
  constexpr double most = 0.01;
  if (std::fabs(mass - star.mass) <= most * star.mass) return "";
  return fmt::format(
      "the star's mass on the mesh is {:.4g}, not the problem.mass = {:.4g} that was asked for: its cells are too "
      "wide, "
      "or the mesh is not refined where it is; raise mesh.max_level, or lower refine.density",
      mass, star.mass);
}

}  // namespace rednova::problem
