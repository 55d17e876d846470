// The velocity of the gas between cells, for cores and devices.
#pragma once

#include <cstddef>
#include <vector>

#include "hydro/primitives.hpp"
#include "mesh/fields.hpp"
#include "mesh/view.hpp"

namespace rednova::step {

/// A place in a leaf; block: of that leaf in the list of those that are looked at.
struct gas_place {
  core::vec3d x;
  int leaf, block;
};

/// A thread for each place: linear in each direction between the centres of the eight cells around it.
struct interpolate_velocities {
  mesh::tree_view tree;
  mesh::field_numbers fields;
  const double* ghosted;  ///< conserved fields, from block `first_block` on: [block][field][ghosted cell]
  int first_block;
  const gas_place* places;
  core::vec3d* velocities;  ///< [place], with components along the grid's axes

  REDNOVA_FN void operator()(int n) const {
    const gas_place& at = places[n];
    const double h = tree.cell_width(at.leaf);
    const core::vec3d corner = tree.corner(at.leaf);
    const double* const u =
        ghosted + static_cast<std::ptrdiff_t>(at.block - first_block) * fields.size() * mesh::ghosted_cells;
    int lower[3], outer = 0;
    double weight[3];  // of the upper cells
    bool at_corner = true;
    for (int d = 0; d < 3; ++d) {
      const double place = (at.x[d] - corner[d]) / h - 0.5;
      lower[d] = static_cast<int>(place + 1) - 1;
      weight[d] = place - lower[d];
      at_corner = at_corner && (lower[d] < 0 || lower[d] == mesh::N - 1);
      if (lower[d] >= 0) outer += 1 << d;
    }
    core::vec3d around[8];
    for (int p = 0; p < 8; ++p) {
      if (!at_corner || p != outer) around[p] = velocity(u, lower[0] + p % 2, lower[1] + p / 2 % 2, lower[2] + p / 4);
    }
    if (at_corner) {
      // No ghost layers beyond the corner: as if the velocities had no term in xyz.
      core::vec3d beyond{};
      for (int p = 1; p < 8; ++p) {
        const int flips = p % 2 + p / 2 % 2 + p / 4;
        beyond += (flips % 2 == 0 ? -1.0 : 1.0) * around[outer ^ p];
      }
      around[outer] = beyond;
    }
    core::vec3d sum{};
    for (int p = 0; p < 8; ++p) {
      const double wx = p % 2 ? weight[0] : 1 - weight[0], wy = p / 2 % 2 ? weight[1] : 1 - weight[1];
      sum += wx * wy * (p / 4 ? weight[2] : 1 - weight[2]) * around[p];
    }
    velocities[n] = sum;
  }

 private:
  REDNOVA_FN core::vec3d velocity(const double* u, int i, int j, int k) const {
    u += mesh::ghosted(i, j, k);
    const double per_rho = 1 / hydro::mass_density<double>(u, mesh::ghosted_cells, fields.species());
    core::vec3d v;
    for (int d = 0; d < 3; ++d) v[d] = per_rho * u[fields.momentum(d) * mesh::ghosted_cells];
    return v;
  }
};

/// Leaves in a list of places, which stand together by leaf, and where each one's places begin; their end last.
struct leaves_with_places {
  explicit leaves_with_places(const std::vector<gas_place>& places) {
    for (std::size_t n = 0; n < places.size(); ++n) {
      if (leaves.empty() || leaves.back() != places[n].leaf) {
        leaves.push_back(places[n].leaf);
        first.push_back(static_cast<int>(n));
      }
    }
    first.push_back(static_cast<int>(places.size()));
  }
  int count() const { return static_cast<int>(leaves.size()); }

  std::vector<int> leaves, first;
};

}  // namespace rednova::step
