#include "problem/geometry.hpp"

#include <cmath>

#include "core/check.hpp"

namespace rednova::problem {

namespace {

constexpr const char* axis[] = {"x", "y", "z"};

bool periodic(const config::mesh& m, int d) {
  return m.boundaries[static_cast<std::size_t>(2 * d)] == config::boundary::periodic;
}

}  // namespace

core::vec3d unit_vector(const config::input& in, const std::array<double, 3>& direction, const char* key) {
  const core::vec3d n = to_vec(direction);
  const double length = std::sqrt(dot(n, n));
  if (!(length > 0))
    core::fail("{}: problem.{} is a vector of length 0: give a direction such as [1, 0, 0]", in.place("problem", key),
               key);
  return (1 / length) * n;
}

core::vec3d extent(const config::mesh& m) {
  return {m.base_width * m.base_blocks[0], m.base_width * m.base_blocks[1], m.base_width * m.base_blocks[2]};
}

void expect_fits(const config::input& in, const config::mesh& m, core::vec3d n, double period, const char* key) {
  for (int d = 0; d < 3; ++d) {
    if (!periodic(m, d) || n[d] == 0) continue;
    const double advance = extent(m)[d] * std::fabs(n[d]);
    if (period <= 0) {
      core::fail(
          "{}: the state varies along {} and does not repeat, but the mesh is periodic there: set problem.{} or other "
          "mesh.boundaries",
          in.place("mesh", "boundaries"), axis[d], key);
    }
    const double waves = advance / period;
    if (std::fabs(waves - std::round(waves)) > 1e-9 * waves) {
      core::fail("{}: problem.{} = {} fits {} times into the periodic domain along {}: set it to {} for a whole number",
                 in.place("problem", key), key, period, waves, axis[d], advance / std::fmax(1.0, std::round(waves)));
    }
  }
}

void expect_star_inside(const config::input& in, const config::mesh& m, core::vec3d centre, double radius,
                        const char* key) {
  const auto open = [&](int side) {
    const config::boundary b = m.boundaries[static_cast<std::size_t>(side)];
    return b == config::boundary::outflow || b == config::boundary::zero_gradient;
  };
  for (int d = 0; d < 3; ++d) {
    const double lower = m.lower[static_cast<std::size_t>(d)], upper = lower + extent(m)[d];
    const bool below = open(2 * d) && centre[d] - radius < lower, above = open(2 * d + 1) && centre[d] + radius > upper;
    if (!below && !above && centre[d] >= lower && centre[d] <= upper) continue;
    core::fail(
        "{5}: the star does not lie in the domain: its centre is at {0} = {1:g} and its radius is {2:g}, the domain "
        "goes from {0} = {3:g} to {4:g}; change problem.{6}, or mesh.lower and mesh.base_width",
        axis[d], centre[d], radius, lower, upper, in.place("problem", key), key);
  }
}

void expect_inside(const config::input& in, const config::mesh& m, const std::array<double, 3>& x, int dimensions,
                   const char* key) {
  for (int d = 0; d < dimensions; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double lower = m.lower[i], upper = lower + extent(m)[d];
    if (x[i] >= lower && x[i] <= upper) continue;
    core::fail(
        "{}: problem.{} has {} = {:g}, but the domain goes from {:g} to {:g}: move it, or set mesh.lower and "
        "mesh.base_width",
        in.place("problem", key), key, axis[d], x[i], lower, upper);
  }
}

core::vec3d nearest_image(const config::mesh& m, core::vec3d x, core::vec3d centre) {
  core::vec3d r = x - centre;
  for (int d = 0; d < 3; ++d) {
    if (periodic(m, d)) r[d] -= extent(m)[d] * std::round(r[d] / extent(m)[d]);
  }
  return r;
}

core::vec3d turned(core::vec3d a, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * a.x - s * a.y, s * a.x + c * a.y, a.z};
}

}  // namespace rednova::problem
