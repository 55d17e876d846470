// The gas in the cells of a leaf and beyond its faces, as light meets it: looked at once a step, by cores (solver.cpp)
// and devices (light_kernels.hpp).
#pragma once

#include <cmath>

#include "exchange/prolong.hpp"
#include "hydro/grid_motion.hpp"
#include "radiation/face_flux.hpp"
#include "radiation/light_view.hpp"

namespace rednova::radiation {

/// A cell of a block by its number, where arrays have layers around.
REDNOVA_FN int layered_of(int cell) {
  constexpr int n = mesh::N;
  return layered(cell % n, cell / n % n, cell / (n * n));
}
REDNOVA_FN int ghosted_of(int cell) {
  constexpr int n = mesh::N;
  return mesh::ghosted(cell % n, cell / n % n, cell / (n * n));
}
/// The way from a cell before a face to that beyond it.
REDNOVA_FN int layered_outward(int face) { return (face % 2 == 1 ? 1 : -1) * layered_step(face / 2); }
REDNOVA_FN int ghosted_outward(int face) { return (face % 2 == 1 ? 1 : -1) * ghosted_step(face / 2); }

/// Velocity and depth of the gas in a cell of a leaf or beyond its faces; of own cells the opacities and what else is
/// kept of the gas, too. u: the leaf with ghost layers, [field][ghosted cell].
REDNOVA_FN gas_of_opacity look_at_gas(const light_view& v, int leaf, int i, int j, int k, const double* u) {
  const place_of_gas at(u + mesh::ghosted(i, j, k), mesh::ghosted_cells, v.fields, v.gas);
  const gas_of_opacity here(v.by, v.gas.eos, at);
  const mean_opacities kappa = here.opacities(v.by, v.gas.eos, here.temperature);
  double* const near = v.gas_around(leaf) + layered(i, j, k);
  for (int d = 0; d < 3; ++d) near[d * layered_cells] = at.momentum[d] / at.density;
  near[gas_depth * layered_cells] = kappa.flux * v.tree.cell_width(leaf);
  if (!hydro::in_cross(i, j, k, 0, 0)) return here;
  const int c = mesh::cell(i, j, k);
  v.matter.at(leaf, gas_density)[c] = at.density;
  for (int d = 0; d < 3; ++d) v.matter.at(leaf, gas_momentum + d)[c] = at.momentum[d];
  v.matter.at(leaf, gas_heat)[c] = v.matter.at(leaf, gas_first_heat)[c] = at.heat;
  v.couple.at(leaf, couple_planck)[c] = kappa.planck;
  v.couple.at(leaf, couple_flux)[c] = v.work.at(leaf, exchanged::extinction)[c] = kappa.flux;
  v.couple.at(leaf, couple_hydrogen)[c] = at.hydrogen;
  return here;
}

/// Of faces of a leaf: which one number `n` of all directions' [3][values_of_faces] is.
struct face_of_cells {
  int direction, at;  ///< at: number among those of the direction
  int cell[3];        ///< on its upper side

  REDNOVA_FN explicit face_of_cells(int n) : direction(n / values_of_faces), at(n % values_of_faces) {
    // As block_transport::lower_face counts them.
    const int wide = direction == 0 ? mesh::N + 1 : mesh::N, deep = direction == 1 ? mesh::N + 1 : mesh::N;
    cell[0] = at % wide;
    cell[1] = at / wide % deep;
    cell[2] = at / (wide * deep);
  }
  REDNOVA_FN int above() const { return layered(cell[0], cell[1], cell[2]); }
  REDNOVA_FN int below() const { return above() - layered_step(direction); }
};

/// Keeps the mean of two cells' depths as that of the face between them, from centre to centre, once both have been
/// looked at. Whether light diffuses through both: depth_at_one_temperature is then to follow.
REDNOVA_FN bool mean_depth(const light_view& v, int leaf, const face_of_cells& face) {
  constexpr double diffuses = 1e-3;  // a depth whose square is nothing beside one
  const double* const depth = v.gas_around(leaf) + gas_depth * layered_cells;
  const double below = depth[face.below()], above = depth[face.above()];
  v.depth_of(leaf, face.direction, face.at) = 0.5 * (below + above);
  return exec::min(below, above) >= diffuses;
}
/// The depth of such a face is that of both cells' opacities at one temperature, of the mean of aT^4, which is what the
/// light at the face has. Or cold gas that gets transparent as it is heated would be heated only as fast as its cold
/// opacity lets it be. The light of a transparent cell knows nothing of its temperature.
REDNOVA_FN void depth_at_one_temperature(const light_view& v, int leaf, const face_of_cells& face,
                                         const gas_of_opacity& lower, const gas_of_opacity& upper) {
  if (lower.temperature == upper.temperature) return;
  const double* const depth = v.gas_around(leaf) + gas_depth * layered_cells;
  const double a = lower.temperature * lower.temperature, b = upper.temperature * upper.temperature;
  const double t = std::sqrt(std::sqrt(0.5 * (a * a + b * b)));
  const double at_one = 0.5 * v.tree.cell_width(leaf) *
                        (lower.opacities(v.by, v.gas.eos, t).flux + upper.opacities(v.by, v.gas.eos, t).flux);
  // Of its inverse, which is what lets light through.
  const double share = exchange::diffusion_share(exec::min(depth[face.below()], depth[face.above()]));
  const double both = share * share;
  double& to = v.depth_of(leaf, face.direction, face.at);
  to = to * at_one / ((1 - both) * at_one + both * to);
}

/// The largest face_speed of a cell's faces.
REDNOVA_FN double fastest_face(const light_view& v, int leaf, int cell) {
  double fastest = 0;
  for (int face = 0; face < mesh::faces; ++face) {
    fastest = exec::max(fastest, face_speed(v.depth_of(leaf, face / 2, block_transport::value_of_face(face, cell))));
  }
  return fastest;
}

}  // namespace rednova::radiation
