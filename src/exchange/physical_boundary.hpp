// Ghost cells beyond the domain, from cells inside it: the rules of its boundaries, for the processor and for devices.
#pragma once

#include <array>

#include "config/parameters.hpp"
#include "core/vec3.hpp"
#include "exchange/sides.hpp"
#include "exec/macros.hpp"
#include "mesh/fields.hpp"

namespace rednova::exchange {

/// What a boundary's rules need to know.
struct walls {
  mesh::field_numbers fields;
  std::array<config::boundary, 6> kinds;  ///< by mesh::face()
  double rotation;                        ///< of the grid about z
};

/// Directions in which a side at offset d lies beyond the domain. neighbour: mesh::node::neighbour of the block.
REDNOVA_FN std::array<bool, 3> across_of(const std::array<int, 3>& d, const int* neighbour) {
  return {d[0] != 0 && neighbour[mesh::side(d[0], 0, 0)] == mesh::outside,
          d[1] != 0 && neighbour[mesh::side(0, d[1], 0)] == mesh::outside,
          d[2] != 0 && neighbour[mesh::side(0, 0, d[2])] == mesh::outside};
}

/// Position in a ghosted array of the cell of the block that is nearest to one of its ghost cells.
REDNOVA_FN int nearest_inside(int i, int j, int k) {
  const auto nearest = [](int p) { return p < 0 ? 0 : p >= mesh::N ? mesh::N - 1 : p; };
  return mesh::ghosted(nearest(i), nearest(j), nearest(k));
}

/// Fills a cell of a side beyond the domain from cells inside it: mirrored ones where the boundary reflects or gas
/// would come in, the nearest elsewhere.
///
/// d: offset of the side; across: directions in which it lies beyond the domain; x: the cell's centre; out:
/// [field][ghosted cell], with all cells within the domain in place.
REDNOVA_FN void boundary_cell(const walls& by, const std::array<int, 3>& cell, const std::array<int, 3>& d,
                              const std::array<bool, 3>& across, const core::vec3d& x, double* out) {
  const mesh::field_numbers& fields = by.fields;
  std::array<int, 3> nearest = cell, mirrored = cell;  // inside the domain
  for (std::size_t a = 0; a < 3; ++a) {
    if (!across[a]) continue;
    nearest[a] = d[a] < 0 ? 0 : mesh::N - 1;
    mirrored[a] = (d[a] < 0 ? 0 : 2 * mesh::N) - 1 - cell[a];
  }
  const auto index = [](const std::array<int, 3>& c) { return mesh::ghosted(c[0], c[1], c[2]); };
  const auto at = [&](int f, int c) -> double& { return out[f * mesh::ghosted_cells + c]; };
  const auto density = [&](int c) {
    double rho = 0;
    for (int f = 0; f < fields.species(); ++f) rho += at(f, c);
    return rho;
  };
  const double wall[3] = {-by.rotation * x.y, by.rotation * x.x, 0};  // velocity of the boundary along each normal
  bool mirror[3];
  std::array<int, 3> from = nearest;
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    const config::boundary kind = by.kinds[static_cast<std::size_t>(mesh::face(a, d[axis] > 0))];
    const double relative = at(fields.momentum(a), index(nearest)) - density(index(nearest)) * wall[a];
    mirror[a] = across[axis] &&
                (kind == config::boundary::reflecting || (kind == config::boundary::outflow && relative * d[axis] < 0));
    if (mirror[a]) from[axis] = mirrored[axis];
  }
  const int to = index(cell), source = index(from);
  for (int f = 0; f < fields.size(); ++f) at(f, to) = at(f, source);
  for (int a = 0; a < 3; ++a) {
    if (!mirror[a]) continue;
    // The normal velocity relative to the moving wall turns round; so does the spin along the wall, an axial vector.
    const double rho = density(to), old = at(fields.momentum(a), to), turned = 2 * rho * wall[a] - old;
    at(fields.momentum(a), to) = turned;
    at(fields.energy(), to) += 0.5 * (turned - old) * (turned + old) / rho;
    at(fields.spin((a + 1) % 3), to) *= -1;
    at(fields.spin((a + 2) % 3), to) *= -1;
  }
  if (!fields.has_acceleration()) return;
  // What the gas weighs, with g - Omega × v (hydro/hydrostatic.hpp), turns round at every boundary: so the pressures on
  // both sides of it agree.
  for (int a = 0; a < 3; ++a) {
    if (!across[static_cast<std::size_t>(a)]) continue;
    double& g = at(fields.acceleration(a), to);
    const double turning = a == 2 ? 0 : by.rotation * at(fields.momentum(1 - a), to) / density(to);
    g = -(g + (a == 0 ? 2 : -2) * turning);
  }
}

}  // namespace rednova::exchange
