// Transport of light on a device: kernels as those of light_kernels.hpp, for the leaves of a launch with their ghost
// layers.
#pragma once

#include "radiation/light_kernels.hpp"

namespace rednova::radiation {

/// The light of leaves that are worked on together.
struct gathered_light {
  double* light;    ///< [position][moment::count][ghosted cell]
  double* reduced;  ///< [position][3][ghosted cell]: F/(cE)
  double* through;  ///< [position][3][moment::count][values_of_faces]

  REDNOVA_FN double* light_of(int position) const {
    return light + static_cast<std::ptrdiff_t>(position) * moment::count * mesh::ghosted_cells;
  }
  REDNOVA_FN double* reduced_of(int position) const {
    return reduced + static_cast<std::ptrdiff_t>(position) * 3 * mesh::ghosted_cells;
  }
  REDNOVA_FN double* through_of(int position, int direction) const {
    return through + (static_cast<std::ptrdiff_t>(position) * 3 + direction) * moment::count * values_of_faces;
  }
};

/// [cells_before_faces]
struct fill_boundaries {
  light_view v;
  gathered_light of;

  REDNOVA_FN void operator()(int position, int leaf, int number) const {
    const before_a_face at(number);
    if (v.ends(leaf, at.face))
      fill_boundary(v.boundaries[static_cast<std::size_t>(at.face)], at.face, at.a, at.b, of.light_of(position));
  }
};
/// [ghosted_cells]
struct reduce_cells {
  light_view v;
  gathered_light of;

  REDNOVA_FN void operator()(int position, int, int n) const {
    const int i = n % mesh::M - mesh::ghosts, j = n / mesh::M % mesh::M - mesh::ghosts,
              k = n / (mesh::M * mesh::M) - mesh::ghosts;
    if (!hydro::in_cross(i, j, k, mesh::ghosts, 0)) return;
    const double* const light = of.light_of(position) + n;
    const double per = 1.0 / (v.by.k.speed * light[0]);
    for (int d = 0; d < 3; ++d)
      of.reduced_of(position)[d * mesh::ghosted_cells + n] = per * light[moment::flux(d) * mesh::ghosted_cells];
  }
};

/// [faces_of_cells]: none through faces whose fluxes are others'.
struct find_fluxes {
  light_view v;
  gathered_light of;

  REDNOVA_FN void operator()(int position, int leaf, int number) const {
    const face_of_cells of_cells(number);
    const int direction = of_cells.direction;
    const int* const place = of_cells.cell;
    double* const to = of.through_of(position, direction) + of_cells.at;
    const int along = place[direction], face = 2 * direction + (along == mesh::N ? 1 : 0);
    if ((along == 0 || along == mesh::N) && (v.from_others(leaf) >> face & 1U) != 0) {
      for (int m = 0; m < moment::count; ++m) to[m * values_of_faces] = 0;
      return;
    }
    const int above = mesh::ghosted(place[0], place[1], place[2]);
    const light_of_lines line{of.light_of(position) + above, of.reduced_of(position) + above, mesh::ghosted_cells,
                              ghosted_step(direction)};
    with_edges(v.by.edges, [&](auto edges) {
      const pencil_edges<double, decltype(edges), 1> at_edges(line);
      const face_flux<double> f = flux_of_light(v.by.k.speed, v.input_of(leaf, of.light_of(position)), direction,
                                                place[0], place[1], place[2], at_edges, line, 0);
      to[0] = f.energy;
      for (int d = 0; d < 3; ++d) to[moment::flux(d) * values_of_faces] = f.momentum[d];
    });
  }
};
/// [cells_before_faces]: for coarser leaves behind the faces.
struct register_fluxes {
  light_view v;
  gathered_light of;

  REDNOVA_FN void operator()(int position, int leaf, int number) const {
    const before_a_face at(number);
    if (!v.faces.registered(leaf, at.face)) return;
    const int place = block_transport::value_of_face(at.face, exchange::face_cell(at.face, at.a, at.b));
    for (int m = 0; m < moment::count; ++m)
      v.faces.at(leaf, at.face)[m * mesh::N * mesh::N + at.a + mesh::N * at.b] =
          of.through_of(position, at.face / 2)[m * values_of_faces + place];
  }
};
/// What leaves the domain, by rows of cells before faces: [position][face][N][outflow_numbers].
struct outflow_rows {
  double* numbers;

  REDNOVA_FN double* of(int position, int face) const {
    return numbers + (static_cast<std::ptrdiff_t>(position) * mesh::faces + face) * mesh::N * outflow_numbers;
  }
};
/// [rows_before_faces]
struct find_outflows {
  light_view v;
  gathered_light of;
  outflow_rows rows;

  REDNOVA_FN void operator()(int position, int leaf, int number) const {
    const int face = number / mesh::N, b = number % mesh::N;
    if (!v.ends(leaf, face)) return;
    double out[outflow_numbers];
    outflow_of_row(v, leaf, face, b, of.through_of(position, face / 2), out);
    for (int n = 0; n < outflow_numbers; ++n) rows.of(position, face)[b * outflow_numbers + n] = out[n];
  }
};
/// [mesh::faces * outflow_numbers]
struct book_outflows {
  light_view v;
  outflow_rows rows;
  double dt;

  REDNOVA_FN void operator()(int position, int leaf, int number) const {
    const int face = number / outflow_numbers;
    if (v.ends(leaf, face)) book_outflow(v, leaf, face, number % outflow_numbers, dt, rows.of(position, face));
  }
};
/// [cells]
struct find_rates {
  light_view v;
  gathered_light of;
  double dt;

  REDNOVA_FN void operator()(int position, int leaf, int cell) const {
    constexpr int n = mesh::N;
    rates_of_faces<double>(
        v.tree.cell_width(leaf), cell % n, cell / n % n, cell / (n * n),
        [&](int direction) { return of.through_of(position, direction); },
        [&](int f, double sum) {
          if (f < rate_spins) {
            v.rate.at(leaf, f)[cell] = sum;
          } else {
            v.torque.at(leaf, f - rate_spins)[cell] += 0.5 * dt * sum;
          }
        });
  }
};

}  // namespace rednova::radiation
