#include "stellar/rotating_figure.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "core/constants.hpp"

namespace rednova::stellar {

using mesh::N;

rotating_figure::rotating_figure(const rotating_request& r) : r_(r), star_(r.made_of, r.mass) {
  EXPECT(r.mass > 0 && r.equatorial_radius > 0 && r.axis_ratio > 0 && r.axis_ratio <= 1);
}

bool rotating_figure::touches(core::vec3d lower, double width) const {
  const double radius = r_.equatorial_radius;
  for (int d = 0; d < 3; ++d) {
    if (lower[d] >= radius || lower[d] + width <= -radius) return false;
  }
  return true;
}

/// A spheroid of density (1 - m²)², about that of a polytrope of index 1.5.
void rotating_figure::guess(exec::context& context, model& m) const {
  const double a = r_.equatorial_radius, b = a * r_.axis_ratio;
  const double central = r_.mass * 105 / (32 * core::pi * a * a * b);
  exec::for_each(context, "stellar guess", m.tree.leaves(), [&](int leaf) {
    for (int c = 0; c < mesh::cells; ++c) {
      const core::vec3d r = m.tree.centre(leaf, c % N, c / N % N, c / (N * N));
      const double f = std::max(1 - (r.x * r.x + r.y * r.y) / (a * a) - r.z * r.z / (b * b), 0.0);
      m.cells.at(leaf, envelope_of_0)[c] = central * f * f;
    }
  });
}

bool rotating_figure::find(exec::context& context, const mesh::block_data& gravity, model& m) {
  effective_potential phi{m.tree, gravity};
  const double equator = r_.equatorial_radius, pole = equator * r_.axis_ratio;
  const double at_equator = 0.5 * (along_axis(phi, 0).at(equator) + along_axis(phi, 1).at(equator));
  const double at_pole = along_axis(phi, 2).at(pole);
  // A sphere on a lattice may give a tiny difference of either sign.
  phi.omega2 = r_.axis_ratio < 1 ? std::max(2 * (at_equator - at_pole) / (equator * equator), 0.0) : 0;
  star_.constant = r_.axis_ratio < 1 ? at_pole : 0.5 * (at_pole + at_equator);

  std::vector<std::vector<site>> parts(static_cast<std::size_t>(m.tree.leaves()));
  exec::for_each(context, "stellar sites", m.tree.leaves(), [&](int leaf) {
    const double h = m.tree.cell_width(leaf), reach = equator + h;
    for (int c = 0; c < mesh::cells; ++c) {
      const core::vec3d r = m.tree.centre(leaf, c % N, c / N % N, c / (N * N));
      const double value = phi.value(leaf, c, r);
      const site here(value, phi.gradient(leaf, c, r), h, r.x, leaf, c);
      if (dot(r, r) > reach * reach || value - here.spread > star_.constant) continue;
      parts[static_cast<std::size_t>(leaf)].push_back(here);
    }
  });
  star_.sites.clear();
  for (const auto& p : parts) star_.sites.insert(star_.sites.end(), p.begin(), p.end());
  if (star_.sites.empty()) core::fail("the star has no cells: refine the mesh there ([refine] density)");
  ENSURE(star_.fit_mass(context));  // false of cores alone, which it does not have

  m.omega = std::sqrt(phi.omega2);
  m.star[0].radius = std::cbrt(star_.volume_below(context, star_.constant) * 3 / (4 * core::pi));
  exec::for_each(context, "stellar density", m.tree.leaves(),
                 [&](int leaf) { std::fill(m.cells.at(leaf), m.cells.at(leaf, model_potential), 0.0); });
  star_.write(context, 0, m);
  return false;
}

}  // namespace rednova::stellar
