#include "diagnose/gravitational_wave.hpp"

#include <cmath>

#include "core/check.hpp"
#include "core/compensated.hpp"
#include "diagnose/star_sums.hpp"
#include "gravity/result_field.hpp"
#include "step/leaf_sums.hpp"
#include "step/point_motion.hpp"

namespace rednova::diagnose {
namespace {

constexpr int components = 6;  // in the order of symmetric_tensor

/// Adds m (2 v v + x g + g x). momentum: m v; force: m g.
template <class Number>
void add(Number* sum, const core::vec3d& x, const core::vec3d& velocity, const core::vec3d& momentum,
         const core::vec3d& force) {
  const auto term = [&](int i, int j) { return 2 * velocity[i] * momentum[j] + x[i] * force[j] + force[i] * x[j]; };
  sum[0] += term(0, 0);
  sum[1] += term(1, 1);
  sum[2] += term(2, 2);
  sum[3] += term(0, 1);
  sum[4] += term(0, 2);
  sum[5] += term(1, 2);
}

void add_leaf(const step::simulation& s, int leaf, core::compensated* row) {
  double sum[components]{};
  for (int c = 0; c < mesh::cells; ++c) {
    const gas_cell cell(s, leaf, c);
    if (!(cell.rho > 0)) continue;
    core::vec3d g;
    for (int d = 0; d < 3; ++d) g[d] = s.gravity().at(leaf, gravity::acceleration + d)[c];
    add(sum, cell.x, (1 / cell.rho) * cell.momentum, cell.volume * cell.momentum, cell.volume * cell.rho * g);
  }
  for (int i = 0; i < components; ++i) row[i] += sum[i];
}

}  // namespace

symmetric_tensor symmetric_tensor::rotated(double angle) const {
  const double c = std::cos(angle), s = std::sin(angle);
  return {.xx = c * c * xx - 2 * c * s * xy + s * s * yy,
          .yy = s * s * xx + 2 * c * s * xy + c * c * yy,
          .zz = zz,
          .xy = c * s * (xx - yy) + (c * c - s * s) * xy,
          .xz = c * xz - s * yz,
          .yz = s * xz + c * yz};
}

symmetric_tensor quadrupole_acceleration(const step::simulation& s) {
  s.expect_fields();
  EXPECT(s.par().gravity.enabled);
  auto sum =
      step::add_leaves(s, "diagnose", components, [&](int leaf, core::compensated* row) { add_leaf(s, leaf, row); });
  core::vec3d force[step::max_point_masses];
  step::forces_on(s.points(), s.pulls(), force);
  for (int k = 0; k < s.points().count; ++k) {
    const step::point_mass& p = s.points()[k];
    add(sum.data(), p.position, p.velocity(), p.momentum, force[k]);
  }
  const symmetric_tensor on_grid{sum[0].value(), sum[1].value(), sum[2].value(),
                                 sum[3].value(), sum[4].value(), sum[5].value()};
  return on_grid.rotated(s.grid_angle());
}

gravitational_wave gravitational_wave::of(const symmetric_tensor& q, double light_speed) {
  const double strength = std::pow(light_speed, -4);
  return {.plus_z = strength * (q.xx - q.yy),
          .cross_z = strength * 2 * q.xy,
          .plus_x = strength * (q.yy - q.zz),
          .cross_x = strength * 2 * q.yz};
}

}  // namespace rednova::diagnose
