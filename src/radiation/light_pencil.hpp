// Fluxes of light through faces beside each other, from cells in a line: for the processor's packs and a device's
// threads.
#pragma once

#include "hydro/grid_motion.hpp"
#include "hydro/primitives.hpp"
#include "hydro/reconstruct.hpp"
#include "radiation/block_transport.hpp"
#include "radiation/face_flux.hpp"

namespace rednova::radiation {

/// E and F/(cE) around some faces of lanes<T> lines of cells.
struct light_of_lines {
  const double* energy;   ///< at the cells on the upper sides of the first faces
  const double* reduced;  ///< the same of F/(cE), [3]
  std::ptrdiff_t stride;  ///< from one component of that to the next
  int step;               ///< from a cell to the next along the line
};

/// E and F/(cE) at the edges of cells, for faces beside each other: [quantity][cell].
template <class T, class Edges, int Faces>
struct pencil_edges {
  T minus[moment::count][Faces + 1], plus[moment::count][Faces + 1];

  REDNOVA_FN explicit pencil_edges(const light_of_lines& of) {
    Edges::template edges<T, Faces + 1>(of.energy, of.step, minus[0], plus[0]);
    for (int d = 0; d < 3; ++d)
      Edges::template edges<T, Faces + 1>(of.reduced + d * of.stride, of.step, minus[1 + d], plus[1 + d]);
  }
  REDNOVA_FN face_side<T> lower(int face, int direction) const {
    return side_of(plus[0][face], core::vec3<T>{plus[1][face], plus[2][face], plus[3][face]}, direction);
  }
  REDNOVA_FN face_side<T> upper(int face, int direction) const {
    const int n = face + 1;
    return side_of(minus[0][n], core::vec3<T>{minus[1][n], minus[2][n], minus[3][n]}, direction);
  }
};

/// The flux through a face of a block, which lies below the cell (i, j, k). edges: those of the line, in which it is
/// face number `face`.
template <class T, class Edges, int Faces>
REDNOVA_FN face_flux<T> flux_of_light(double c, const transport_input& in, int direction, int i, int j, int k,
                                      const pencil_edges<T, Edges, Faces>& edges, const light_of_lines& line,
                                      int face) {
  const int above = layered(i, j, k), below = above - layered_step(direction);
  const double* const depth = in.gas + gas_depth * layered_cells;
  const double* const velocity = in.gas + direction * layered_cells;
  const int at = direction * values_of_faces + block_transport::lower_face(direction, i, j, k);
  const T mean_velocity = 0.5 * (exec::load<T>(velocity + below) + exec::load<T>(velocity + above));
  T grid(0.0);
  if (direction == 0) grid = T(hydro::grid_velocity(0, in.rotation, hydro::centre(in.corner.y, in.h, j)));
  if (direction == 1) grid = hydro::grid_velocity(1, in.rotation, T(in.corner.x + in.h * exec::counting<T>(i + 0.5)));
  const double* const energy = line.energy + face * line.step;
  return flux_through(
      c, direction, edges.lower(face, direction), edges.upper(face, direction),
      face_surroundings<T>{exec::load<T>(energy - line.step), exec::load<T>(energy), exec::load<T>(depth + below),
                           exec::load<T>(depth + above), exec::load<T>(in.depth + at), mean_velocity, grid});
}

/// What the fluxes of all directions give lanes<T> cells from (i, j, k) on: calls add(rate's number, sum).
/// through(direction): that direction's.
template <class T, class Through, class Add>
REDNOVA_FN void rates_of_faces(double h, int i, int j, int k, const Through& through, const Add& add) {
  const double per_h = 1.0 / h;
  T sum[rates];
  for (T& s : sum) s = T(0.0);
  for (int direction = 0; direction < 3; ++direction) {
    const double* const at = through(direction) + block_transport::lower_face(direction, i, j, k);
    const int a = (direction + 1) % 3, b = (direction + 2) % 3;
    T lower[moment::count], upper[moment::count];
    for (int m = 0; m < moment::count; ++m) {
      lower[m] = exec::load<T>(at + m * values_of_faces);
      upper[m] = exec::load<T>(at + m * values_of_faces + block_transport::step(direction));
      sum[m] = sum[m] + per_h * (lower[m] - upper[m]);
    }
    // As of one face (add_rates_of_face), but for both at once.
    sum[rate_spin(a)] = sum[rate_spin(a)] + 0.5 * (lower[moment::flux(b)] + upper[moment::flux(b)]);
    sum[rate_spin(b)] = sum[rate_spin(b)] - 0.5 * (lower[moment::flux(a)] + upper[moment::flux(a)]);
  }
  for (int f = 0; f < rates; ++f) add(f, sum[f]);
}

}  // namespace rednova::radiation
