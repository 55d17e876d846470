// Fluxes of light that come from the leaves behind a face: finer ones, and those that take shorter substeps.
#include <algorithm>
#include <cstddef>

#include "exchange/refluxing.hpp"
#include "radiation/solver.hpp"

namespace rednova::radiation {

using mesh::N;

/// The fluxes of a stage of faster leaves of the same level, as these calculate them: light beside the face as it
/// stands, and what transport makes of it.
void solver::take_fluxes_beside(int leaf, int length, const gas_rules& gas) {
  thread_memory& mine = memory_.local();
  mine.light.resize(static_cast<std::size_t>(moment::count) * mesh::ghosted_cells);
  for (int face = 0; face < mesh::faces; ++face) {
    const int other = pace_.faster_beside(leaf, face), direction = face / 2;
    if (other == mesh::no_block || pace_.length(other) != length) continue;
    const bool upper = face % 2 == 1;
    for (int m = 0; m < moment::count; ++m) {
      double* const light = mine.light.data() + m * mesh::ghosted_cells;
      const double *here = work_.at(leaf, m), *there = work_.at(other, m);
      for (int b = 0; b < N; ++b)
        for (int a = 0; a < N; ++a)
          for (int layer = 0; layer < mesh::ghosts; ++layer) {
            const int last = N - 1 - layer;
            const int inside = exchange::cell_at(direction, upper ? last : layer, a, b);
            const int beyond = exchange::cell_at(direction, upper ? layer : last, a, b);
            const int cell = mesh::ghosted(inside % N, inside / N % N, inside / (N * N));
            const int ghost = cell + (upper ? 1 : -1) * (2 * layer + 1) * ghosted_step(direction);
            light[cell] = here[inside];
            light[ghost] = there[beyond];
          }
    }
    transport_.through_face(input_of(leaf, gas), face, mine.transport);
    const double weight = 0.5 * length / pace_.length(leaf);
    const double* const through = mine.transport.through[direction].data();
    double* const sum = sum_of(leaf, face);
    for (int b = 0; b < N; ++b)
      for (int a = 0; a < N; ++a) {
        const int at = block_transport::value_of_face(face, exchange::face_cell(face, a, b));
        double value[moment::count];
        for (int m = 0; m < moment::count; ++m) value[m] = through[m * values_of_faces + at];
        block_transport::add_rates_of_face(direction, upper, value, tree_.cell_width(leaf),
                                           [&](int f, double rate) { sum[f * N * N + a + N * b] += weight * rate; });
      }
  }
}

/// The fluxes of a stage of faster leaves of the level below.
void solver::take_finer_fluxes(int leaf, int length) {
  const double weight = 0.5 * length / pace_.length(leaf);
  for (const exchange::coarse_face& q : faces_.coarse_faces(leaf)) {
    if (pace_.sum(leaf, q.face) < 0) continue;
    double* const sum = sum_of(leaf, q.face);
    reflux_face(
        q, [&](int fine) { return pace_.length(fine) == length; },
        [&](int f, int place, int, double rate) { sum[f * N * N + place] += weight * rate; });
  }
}

/// A rate by the fluxes of other leaves; the torques of each of a substep's stages count by a half.
void solver::add_rate(int leaf, int rate, int cell, double value, double dt) {
  if (rate < rate_spins) {
    rate_.at(leaf, rate)[cell] += value;
  } else {
    torque_.at(leaf, rate - rate_spins)[cell] += 0.5 * dt * value;
  }
}

/// The mean of what faster leaves had through their faces in the substep.
void solver::add_sums(int leaf, int stage, double dt) {
  for (int face = 0; face < mesh::faces; ++face) {
    if (pace_.sum(leaf, face) < 0) continue;
    double* const sum = sum_of(leaf, face);
    for (int f = 0; f < rates; ++f)
      for (int b = 0; b < N; ++b)
        for (int a = 0; a < N; ++a) add_rate(leaf, f, exchange::face_cell(face, a, b), sum[f * N * N + a + N * b], dt);
    if (stage == 1) std::fill_n(sum, numbers_of_sum, 0.0);
  }
}

/// The rates of the cells before a face by the fluxes of those finer leaves behind it of which takes(leaf) is true:
/// calls add(rate's number, a + N b, cell, rate).
template <class Takes, class Add>
void solver::reflux_face(const exchange::coarse_face& q, const Takes& takes, const Add& add) {
  const double h = tree_.cell_width(q.leaf);
  const int direction = q.face / 2;
  const bool upper = q.face % 2 == 1;
  const double sign = (upper ? -1 : 1) / h;
  for (int b = 0; b < N; ++b)
    for (int a = 0; a < N; ++a) {
      const int fine = q.fine[exchange::quarter(a, b)];
      if (!takes(fine)) continue;
      const int cell = exchange::face_cell(q.face, a, b);
      const double* from = registers_.at(faces_.slot(fine, q.face ^ 1));
      const int fa = exchange::first_fine(a), fb = exchange::first_fine(b);
      const auto value = [&](int m, int p) { return from[m * N * N + fa + (p & 1) + N * (fb + (p >> 1))]; };
      for (int m = 0; m < moment::count; ++m)
        add(m, a + N * b, cell, sign * exchange::mean_of_four(value(m, 0), value(m, 1), value(m, 2), value(m, 3)));
      core::vec3d torque;
      for (int p = 0; p < 4; ++p) {
        core::vec3d arm;
        arm[direction] = (upper ? 0.5 : -0.5) * h;
        arm[exchange::transverse_a(direction)] = ((p & 1) != 0 ? 0.25 : -0.25) * h;
        arm[exchange::transverse_b(direction)] = ((p >> 1) != 0 ? 0.25 : -0.25) * h;
        torque += 0.25 * cross(arm, core::vec3d{value(moment::flux(0), p), value(moment::flux(1), p),
                                                value(moment::flux(2), p)});
      }
      for (int d = 0; d < 3; ++d) add(rate_spin(d), a + N * b, cell, sign * torque[d]);
    }
}

/// The cells before finer leaves that step with this one take the fluxes and torques of their faces.
void solver::reflux(int leaf, double dt) {
  for (const exchange::coarse_face& q : faces_.coarse_faces(leaf))
    reflux_face(
        q, [&](int fine) { return pace_.length(fine) == pace_.length(leaf); },
        [&](int f, int, int cell, double value) { add_rate(leaf, f, cell, value, dt); });
}

}  // namespace rednova::radiation
