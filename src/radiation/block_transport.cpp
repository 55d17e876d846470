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

/// F/(cE) of the cells that the sweeps read.
void reduce(const double* light, double c, double* reduced) {
  const auto cells_of_row = [&](int first) {
    const T per = 1.0 / (c * exec::load<T>(light + first));
    for (int d = 0; d < 3; ++d) {
      exec::store(reduced + d * mesh::ghosted_cells + first,
                  T(per * exec::load<T>(light + moment::flux(d) * mesh::ghosted_cells + first)));
    }
  };
  hydro::for_cross<T>(mesh::ghosts, 0, cells_of_row);
}

}  // namespace

template <class Edges>
void block_transport::sweep(const transport_input& in, int direction, transport_scratch& scratch) const {
  double* const through = scratch.through[direction].data();
  const double* const depth = in.gas + gas_depth * layered_cells;
  const double* const velocity = in.gas + direction * layered_cells;
  const int step_gas = layered_step(direction), step_light = ghosted_step(direction);
  // Faces beside each other along x are a pack; along x itself the last pack overlaps the one before.
  const int row = direction == 0 ? N + 1 : N;
  for (int k = 0; k < (direction == 2 ? N + 1 : N); ++k) {
    for (int j = 0; j < (direction == 1 ? N + 1 : N); ++j) {
      for (int first = 0; first < row; first += lanes) {
        const int i = std::min(first, row - lanes);
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

/// Of the fluxes of a direction. Those of finer leaves come later.
void block_transport::add_rates(const transport_input& in, int direction, const transport_scratch& scratch,
                                double* rate) const {
  const double* const through = scratch.through[direction].data();
  const bool finer_lower = (in.finer >> mesh::face(direction, 0) & 1) != 0,
             finer_upper = (in.finer >> mesh::face(direction, 1) & 1) != 0;
  const int a = (direction + 1) % 3, b = (direction + 2) % 3;
  for (int c = 0; c < mesh::cells; ++c) {
    const int i = c % N, j = c / N % N, k = c / (N * N), along = direction == 0 ? i : direction == 1 ? j : k;
    const int at = lower_face(direction, i, j, k);
    const double below = finer_lower && along == 0 ? 0 : 1, above = finer_upper && along == N - 1 ? 0 : 1;
    const auto add = [&](int field, double value) { rate[field * mesh::cells + c] += value; };
    double lower[moment::count], upper[moment::count];
    for (int m = 0; m < moment::count; ++m) {
      lower[m] = below * through[m * values_of_faces + at];
      upper[m] = above * through[m * values_of_faces + at + step(direction)];
      add(m, (lower[m] - upper[m]) / in.h);
    }
    // -(x_f - x_c) × P* of both faces, x_f - x_c = ± h/2 along the direction.
    add(rate_spin(a), 0.5 * (lower[moment::flux(b)] + upper[moment::flux(b)]));
    add(rate_spin(b), -0.5 * (lower[moment::flux(a)] + upper[moment::flux(a)]));
  }
}

void block_transport::operator()(const transport_input& in, double* rate, transport_scratch& scratch) const {
  scratch.reduced.resize(3 * mesh::ghosted_cells);
  for (auto& values : scratch.through) values.resize(moment::count * values_of_faces);
  reduce(in.light, by_.k.speed, scratch.reduced.data());
  std::fill_n(rate, rates * mesh::cells, 0.0);
  for (int direction = 0; direction < 3; ++direction) {
    switch (by_.edges) {
      case config::reconstruction::constant:
        sweep<hydro::reconstruct_constant>(in, direction, scratch);
        break;
      case config::reconstruction::plm:
        sweep<hydro::reconstruct_plm>(in, direction, scratch);
        break;
      case config::reconstruction::ppm:
        sweep<hydro::reconstruct_ppm>(in, direction, scratch);
        break;
    }
    add_rates(in, direction, scratch, rate);
  }
}

}  // namespace rednova::radiation
