// Fluxes of light that come from faster leaves of the same level behind a face.
#include <cstddef>

#include "radiation/light_cells.hpp"
#include "radiation/solver.hpp"

namespace rednova::radiation {

using mesh::N;

/// The fluxes of a stage of faster leaves of the same level, as these calculate them: light beside the face as it
/// stands, and what transport makes of it.
void solver::take_fluxes_beside(const light_view& v, int leaf, int length) {
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
            const int cell = ghosted_of(inside), ghost = cell + (2 * layer + 1) * ghosted_outward(face);
            light[cell] = here[inside];
            light[ghost] = there[beyond];
          }
    }
    transport_.through_face(v.input_of(leaf, mine.light.data()), face, mine.transport);
    const double weight = 0.5 * length / pace_.length(leaf);
    const double* const through = mine.transport.through[direction].data();
    double* const sum = v.sum_of(leaf, face);
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

}  // namespace rednova::radiation
