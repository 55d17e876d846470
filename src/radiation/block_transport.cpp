#include "radiation/block_transport.hpp"

#include <algorithm>
#include <cstddef>

#include "hydro/primitives.hpp"
#include "hydro/reconstruct.hpp"
#include "radiation/light_pencil.hpp"

namespace rednova::radiation {

namespace {

using mesh::N;
using T = exec::pack;
constexpr int lanes = exec::lanes<T>;

/// F/(cE) of lanes<T> cells.
void reduce(const double* light, double c, int first, double* reduced) {
  const T per = 1.0 / (c * exec::load<T>(light + first));
  for (int d = 0; d < 3; ++d) {
    exec::store(reduced + d * mesh::ghosted_cells + first,
                T(per * exec::load<T>(light + moment::flux(d) * mesh::ghosted_cells + first)));
  }
}

}  // namespace

/// Of pencils along the direction, `Faces` of their faces from `first` on; along x, where the cells of a pack are
/// beside each other, all up to `last`.
template <class Edges, int Faces>
void block_transport::sweep_pencils(const transport_input& in, int direction, int first, int last,
                                    transport_scratch& scratch) const {
  double* const through = scratch.through[direction].data();
  int from[3] = {0, 0, 0}, to[3] = {N, N, N};
  from[direction] = first;
  to[direction] = direction == 0 ? last : first + 1;
  // Along x the last pack overlaps the one before.
  const int row = direction == 0 ? N + 1 : N;
  for (int k = from[2]; k < to[2]; ++k) {
    for (int j = from[1]; j < to[1]; ++j) {
      for (int along = from[0]; along < to[0]; along += lanes) {
        const int i = std::min(along, row - lanes);
        const int above = mesh::ghosted(i, j, k);
        const light_of_lines line{in.light + above, scratch.reduced.data() + above, mesh::ghosted_cells,
                                  ghosted_step(direction)};
        const pencil_edges<T, Edges, Faces> edges(line);
        for (int face = 0; face < Faces; ++face) {
          const int x = i + (direction == 0 ? face : 0), y = j + (direction == 1 ? face : 0),
                    z = k + (direction == 2 ? face : 0);
          const face_flux<T> f = flux_of_light(by_.k.speed, in, direction, x, y, z, edges, line, face);
          const int at = lower_face(direction, i, j, k) + face * step(direction);
          exec::store(through + at, f.energy);
          for (int d = 0; d < 3; ++d) exec::store(through + moment::flux(d) * values_of_faces + at, f.momentum[d]);
        }
      }
    }
  }
}

/// Faces first … last - 1 along the direction: all, or one.
template <class Edges>
void block_transport::sweep_by(const transport_input& in, int direction, int first, int last,
                               transport_scratch& scratch) const {
  if (direction == 0 || last - first == 1) {
    sweep_pencils<Edges, 1>(in, direction, first, last, scratch);
  } else {
    sweep_pencils<Edges, N + 1>(in, direction, first, last, scratch);
  }
}

void block_transport::sweep(const transport_input& in, int direction, int first, int last,
                            transport_scratch& scratch) const {
  switch (by_.edges) {
    case config::reconstruction::constant:
      return sweep_by<hydro::reconstruct_constant>(in, direction, first, last, scratch);
    case config::reconstruction::plm:
      return sweep_by<hydro::reconstruct_plm>(in, direction, first, last, scratch);
    case config::reconstruction::ppm:
      return sweep_by<hydro::reconstruct_ppm>(in, direction, first, last, scratch);
  }
}

/// Of the fluxes of all directions.
void block_transport::find_rates(const transport_input& in, const transport_scratch& scratch, double* rate,
                                 double* torque) {
  for (int k = 0; k < N; ++k)
    for (int j = 0; j < N; ++j)
      for (int i = 0; i < N; i += lanes) {
        const int cell = mesh::cell(i, j, k);
        rates_of_faces<T>(
            in.h, i, j, k, [&](int direction) { return scratch.through[direction].data(); },
            [&](int f, const T& sum) {
              if (f < rate_spins) return exec::store(rate + f * mesh::cells + cell, sum);
              double* const to = torque + (f - rate_spins) * mesh::cells + cell;
              exec::store(to, T(exec::load<T>(to) + in.weight * sum));
            });
      }
}

/// The fluxes of other leaves come later.
void block_transport::without_face(int face, transport_scratch& scratch) {
  const int direction = face / 2, at = face % 2 == 1 ? N : 0;
  for (int m = 0; m < moment::count; ++m)
    for (int b = 0; b < N; ++b)
      for (int a = 0; a < N; ++a) {
        const int n = direction == 0   ? lower_face(0, at, a, b)
                      : direction == 1 ? lower_face(1, a, at, b)
                                       : lower_face(2, a, b, at);
        scratch.through[direction][static_cast<std::size_t>(m * values_of_faces + n)] = 0;
      }
}

void block_transport::operator()(const transport_input& in, double* rate, double* torque,
                                 transport_scratch& scratch) const {
  scratch.prepare();
  hydro::for_cross<T>(mesh::ghosts, 0,
                      [&](int first) { reduce(in.light, by_.k.speed, first, scratch.reduced.data()); });
  for (int direction = 0; direction < 3; ++direction) sweep(in, direction, 0, N + 1, scratch);
  for (int face = 0; face < mesh::faces; ++face)
    if ((in.from_others >> face & 1) != 0) without_face(face, scratch);
  find_rates(in, scratch, rate, torque);
}

void block_transport::through_face(const transport_input& in, int face, transport_scratch& scratch) const {
  scratch.prepare();
  const int direction = face / 2, at = face % 2 == 1 ? N : 0;
  int from[3] = {0, 0, 0}, to[3] = {N, N, N};
  from[direction] = at - mesh::ghosts;
  to[direction] = at + mesh::ghosts;
  // A pack may be wider than the cells beside the face: what else it makes is not read.
  const int last = std::min(std::max(to[0], from[0] + lanes), N + mesh::ghosts);
  for (int k = from[2]; k < to[2]; ++k)
    for (int j = from[1]; j < to[1]; ++j)
      for (int i = from[0]; i < to[0]; i += lanes)
        reduce(in.light, by_.k.speed, mesh::ghosted(std::min(i, last - lanes), j, k), scratch.reduced.data());
  sweep(in, direction, at, at + 1, scratch);
}

void transport_scratch::prepare() {
  reduced.resize(3 * mesh::ghosted_cells);
  for (auto& values : through) values.resize(moment::count * values_of_faces);
}

}  // namespace rednova::radiation
