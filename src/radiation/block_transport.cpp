#include "radiation/block_transport.hpp"

#include <algorithm>
#include <cstddef>

#include "hydro/grid_motion.hpp"
#include "hydro/primitives.hpp"
#include "hydro/reconstruct.hpp"
#include "radiation/face_flux.hpp"

namespace rednova::radiation {

namespace {

using mesh::N;
using T = exec::pack;
constexpr int lanes = exec::lanes<T>;

constexpr int ghosted_step(int d) { return d == 0 ? 1 : d == 1 ? mesh::M : mesh::M * mesh::M; }
constexpr int layered_step(int d) { return d == 0 ? 1 : d == 1 ? layered_edge : layered_edge * layered_edge; }

/// E and F/(cE) at the two sides of lanes<T> faces; `above`: the ghosted cells on their upper sides.
template <class Edges>
void sides_at(const double* light, const double* reduced, int above, int direction, face_side<T>& lower,
              face_side<T>& upper) {
  T energy[2];
  core::vec3<T> f[2];
  T minus[2], plus[2];
  Edges::template edges<T, 2>(light + above, ghosted_step(direction), minus, plus);
  energy[0] = plus[0];
  energy[1] = minus[1];
  for (int d = 0; d < 3; ++d) {
    Edges::template edges<T, 2>(reduced + d * mesh::ghosted_cells + above, ghosted_step(direction), minus, plus);
    f[0][d] = plus[0];
    f[1][d] = minus[1];
  }
  lower = side_of(energy[0], f[0], direction);
  upper = side_of(energy[1], f[1], direction);
}

/// F/(cE) of lanes<T> cells.
void reduce(const double* light, double c, int first, double* reduced) {
  const T per = 1.0 / (c * exec::load<T>(light + first));
  for (int d = 0; d < 3; ++d) {
    exec::store(reduced + d * mesh::ghosted_cells + first,
                T(per * exec::load<T>(light + moment::flux(d) * mesh::ghosted_cells + first)));
  }
}

}  // namespace

/// Faces first … last - 1 along the direction.
template <class Edges>
void block_transport::sweep_by(const transport_input& in, int direction, int first, int last,
                               transport_scratch& scratch) const {
  double* const through = scratch.through[direction].data();
  const double* const depth = in.gas + gas_depth * layered_cells;
  const double* const velocity = in.gas + direction * layered_cells;
  const int step_gas = layered_step(direction), step_light = ghosted_step(direction);
  // Faces beside each other along x are a pack; along x itself the last pack overlaps the one before.
  int from[3] = {0, 0, 0}, to[3] = {N, N, N};
  from[direction] = first;
  to[direction] = last;
  const int row = direction == 0 ? N + 1 : N;
  for (int k = from[2]; k < to[2]; ++k) {
    for (int j = from[1]; j < to[1]; ++j) {
      for (int along = from[0]; along < to[0]; along += lanes) {
        const int i = std::min(along, row - lanes);
        const int above = mesh::ghosted(i, j, k), gas_above = layered(i, j, k);
        face_side<T> lower, upper;
        sides_at<Edges>(in.light, scratch.reduced.data(), above, direction, lower, upper);
        const auto light_at = [&](int cell) { return exec::load<T>(in.light + cell); };
        const auto mean_velocity =
            0.5 * (exec::load<T>(velocity + gas_above - step_gas) + exec::load<T>(velocity + gas_above));
        T grid(0.0);
        if (direction == 0) grid = T(hydro::grid_velocity(0, in.rotation, hydro::centre(in.corner.y, in.h, j)));
        if (direction == 1)
          grid = hydro::grid_velocity(1, in.rotation, T(in.corner.x + in.h * exec::counting<T>(i + 0.5)));
        const face_flux<T> f =
            flux_through(by_.k.speed, direction, lower, upper,
                         face_surroundings<T>{light_at(above - step_light), light_at(above),
                                              exec::load<T>(depth + gas_above - step_gas),
                                              exec::load<T>(depth + gas_above), mean_velocity, grid});
        const int at = lower_face(direction, i, j, k);
        exec::store(through + at, f.energy);
        for (int d = 0; d < 3; ++d) exec::store(through + moment::flux(d) * values_of_faces + at, f.momentum[d]);
      }
    }
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

/// Of the fluxes of a direction. Those of other leaves come later.
void block_transport::add_rates(const transport_input& in, int direction, const transport_scratch& scratch,
                                double* rate) const {
  const double* const through = scratch.through[direction].data();
  const bool other_lower = (in.from_others >> mesh::face(direction, 0) & 1) != 0,
             other_upper = (in.from_others >> mesh::face(direction, 1) & 1) != 0;
  const int a = (direction + 1) % 3, b = (direction + 2) % 3;
  for (int c = 0; c < mesh::cells; ++c) {
    const int i = c % N, j = c / N % N, k = c / (N * N), along = direction == 0 ? i : direction == 1 ? j : k;
    const int at = lower_face(direction, i, j, k);
    const double below = other_lower && along == 0 ? 0 : 1, above = other_upper && along == N - 1 ? 0 : 1;
    const auto add = [&](int field, double value) { rate[field * mesh::cells + c] += value; };
    double lower[moment::count], upper[moment::count];
    for (int m = 0; m < moment::count; ++m) {
      lower[m] = below * through[m * values_of_faces + at];
      upper[m] = above * through[m * values_of_faces + at + step(direction)];
      add(m, (lower[m] - upper[m]) / in.h);
    }
    // As of one face (add_rates_of_face), but for both at once.
    add(rate_spin(a), 0.5 * (lower[moment::flux(b)] + upper[moment::flux(b)]));
    add(rate_spin(b), -0.5 * (lower[moment::flux(a)] + upper[moment::flux(a)]));
  }
}

void block_transport::operator()(const transport_input& in, double* rate, transport_scratch& scratch) const {
  scratch.prepare();
  hydro::for_cross<T>(mesh::ghosts, 0,
                      [&](int first) { reduce(in.light, by_.k.speed, first, scratch.reduced.data()); });
  std::fill_n(rate, rates * mesh::cells, 0.0);
  for (int direction = 0; direction < 3; ++direction) {
    sweep(in, direction, 0, N + 1, scratch);
    add_rates(in, direction, scratch, rate);
  }
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
