// The substeps of light on a device: functors of an execution space's for_each, which call those of light_cells.hpp
// for a cell, or for a cell before a face, each. All arrays are in its memory.
//
// Each has operator()(position, leaf, number): position of the leaf among those of the launch, a number of so many that
// a leaf has.
#pragma once

#include "radiation/light_cells.hpp"
#include "radiation/light_pencil.hpp"

namespace rednova::radiation {

/// Numbers of a leaf: cells before its faces, and rows of these; faces of its cells; rows of cells.
inline constexpr int cells_before_faces = mesh::faces * mesh::N * mesh::N;
inline constexpr int rows_before_faces = mesh::faces * mesh::N;
inline constexpr int faces_of_cells = 3 * values_of_faces, rows_of_cells = mesh::N * mesh::N;

/// A functor as it is launched.
template <class Functor>
struct of_leaves {
  Functor functor;
  const int* leaves;
  int numbers;  ///< of a leaf

  REDNOVA_FN void operator()(int i) const {
    const int position = i / numbers;
    functor(position, leaves[position], i % numbers);
  }
};

/// The cell (a, b) before a face.
struct before_a_face {
  REDNOVA_FN explicit before_a_face(int number)
      : face(number / (mesh::N * mesh::N)), a(number % mesh::N), b(number / mesh::N % mesh::N) {}
  int face, a, b;
};

/// [layered_cells]
struct look_at_gas_cells {
  light_view v;
  const double* ghosted;  ///< [position][fields][ghosted cell]

  REDNOVA_FN void operator()(int position, int leaf, int n) const {
    const int i = n % layered_edge - 1, j = n / layered_edge % layered_edge - 1,
              k = n / (layered_edge * layered_edge) - 1;
    if (!hydro::in_cross(i, j, k, 1, 0)) return;
    look_at_gas(v, leaf, i, j, k,
                ghosted + static_cast<std::ptrdiff_t>(position) * v.fields.size() * mesh::ghosted_cells);
  }
};

/// [faces_of_cells]
struct look_at_faces {
  light_view v;
  const double* ghosted;  ///< as of look_at_gas_cells

  REDNOVA_FN void operator()(int position, int leaf, int n) const {
    const face_of_cells face(n);
    const double* const u = ghosted + static_cast<std::ptrdiff_t>(position) * v.fields.size() * mesh::ghosted_cells +
                            mesh::ghosted(face.cell[0], face.cell[1], face.cell[2]);
    if (mean_depth(v, leaf, face))
      depth_at_one_temperature(v, leaf, face, of_gas(u - ghosted_step(face.direction)), of_gas(u));
  }
  REDNOVA_FN gas_of_opacity of_gas(const double* u) const {
    return {v.by, v.gas.eos, place_of_gas(u, mesh::ghosted_cells, v.fields, v.gas)};
  }
};

/// [rows_of_cells]: the most substeps that cells of a row need.
struct needed_by_rows {
  light_view v;
  double dt;
  double* needed;  ///< [own leaf][row]

  REDNOVA_FN void operator()(int, int leaf, int row) const {
    double most = 1;
    for (int i = 0; i < mesh::N; ++i) most = exec::max(substeps_needed(v, leaf, row * mesh::N + i, dt), most);
    needed[v.own(leaf) * rows_of_cells + row] = most;
  }
};
/// [1]
struct needed_by_leaves {
  light_view v;
  const double* rows;
  double* needed;  ///< [own leaf]

  REDNOVA_FN void operator()(int, int leaf, int) const {
    double most = 1;
    for (int row = 0; row < rows_of_cells; ++row) most = exec::max(most, rows[v.own(leaf) * rows_of_cells + row]);
    needed[v.own(leaf)] = most;
  }
};

/// [cells]
struct begin_light_cells {
  light_view v;
  double dt;

  REDNOVA_FN void operator()(int, int leaf, int cell) const { begin_light(v, leaf, cell, dt); }
};
/// [cells] uncut: as for solver::advance.
struct take_light_cells {
  light_view v;
  double uncut;

  REDNOVA_FN void operator()(int, int leaf, int cell) const {
    take_light(v, leaf, cell, v.length[leaf] * uncut / v.by.substeps);
  }
};
/// [1]: what is booked adds up.
struct take_fixed_cells {
  light_view v;

  REDNOVA_FN void operator()(int, int leaf, int) const {
    for (int cell = 0; cell < mesh::cells; ++cell) take_fixed(v, leaf, cell);
  }
};
struct keep_fixed_light {
  light_view v;
  int stage, length;

  REDNOVA_FN void operator()(int, int leaf, int) const {
    if (v.length[leaf] != length) return;
    for (int cell = 0; cell < mesh::cells; ++cell) keep_fixed(v, leaf, cell, stage);
  }
};

/// [cells_before_faces]
struct refresh_velocities_beyond {
  light_view v;
  int begun;
  const double* prolonged;  ///< [position][3][ghosted cell]

  REDNOVA_FN void operator()(int position, int leaf, int number) const {
    const before_a_face at(number);
    if (!refreshes_beyond(v, leaf, at.face, begun)) return;
    refresh_velocity_beyond(v, leaf, at.face, at.a, at.b,
                            prolonged + static_cast<std::ptrdiff_t>(position) * 3 * mesh::ghosted_cells);
  }
};
/// [cells]
struct refresh_velocity_cells {
  light_view v;
  int begun;

  REDNOVA_FN void operator()(int, int leaf, int cell) const { refresh_velocity(v, leaf, cell, begun); }
};

/// Calls use(scheme of edges).
template <class Use>
REDNOVA_FN void with_edges(config::reconstruction edges, const Use& use) {
  if (edges == config::reconstruction::ppm) return use(hydro::reconstruct_ppm());
  if (edges == config::reconstruction::plm) return use(hydro::reconstruct_plm());
  use(hydro::reconstruct_constant());
}

/// [cells_before_faces]: the fluxes of a stage of faster leaves of the same level, as these calculate them: light
/// beside the face as it stands, and what transport makes of it.
struct add_fluxes_beside {
  light_view v;
  int length;

  REDNOVA_FN void operator()(int, int leaf, int number) const {
    constexpr int n = mesh::N, cells = 2 * mesh::ghosts;
    const before_a_face at(number);
    const int other = v.faster_beside(leaf, at.face), direction = at.face / 2;
    if (other == mesh::no_block || v.length[other] != length) return;
    const bool upper = at.face % 2 == 1;
    double energy[cells], reduced[3][cells];
    for (int i = 0; i < cells; ++i) {
      const int from_face = i - mesh::ghosts;  // cells from here on are on the face's upper side
      const bool own = (from_face < 0) == upper;
      const int place = from_face < 0 ? n + from_face : from_face;
      const int cell = exchange::cell_at(direction, place, at.a, at.b), block = own ? leaf : other;
      energy[i] = v.work.at(block, moment::energy)[cell];
      const double per = 1.0 / (v.by.k.speed * energy[i]);
      for (int d = 0; d < 3; ++d) reduced[d][i] = per * v.work.at(block, moment::flux(d))[cell];
    }
    const int before = exchange::face_cell(at.face, at.a, at.b);
    int place[3] = {before % n, before / n % n, before / (n * n)};
    if (upper) ++place[direction];
    const light_of_lines line{energy + mesh::ghosts, reduced[0] + mesh::ghosts, cells, 1};
    const double weight = 0.5 * length / v.length[leaf];
    double* const sum = v.sum_of(leaf, at.face) + at.a + n * at.b;
    with_edges(v.by.edges, [&](auto edges) {
      const pencil_edges<double, decltype(edges), 1> at_edges(line);
      const face_flux<double> f = flux_of_light(v.by.k.speed, v.input_of(leaf, nullptr), direction, place[0], place[1],
                                                place[2], at_edges, line, 0);
      const double value[moment::count] = {f.energy, f.momentum[0], f.momentum[1], f.momentum[2]};
      block_transport::add_rates_of_face(direction, upper, value, v.tree.cell_width(leaf),
                                         [&](int r, double rate) { sum[r * n * n] += weight * rate; });
    });
  }
};
/// [cells_before_faces]
struct add_fluxes_of_finer {
  light_view v;
  int length;

  REDNOVA_FN void operator()(int, int leaf, int number) const {
    const before_a_face at(number);
    for (int q = v.faces.first[leaf]; q < v.faces.first[leaf + 1]; ++q)
      if (v.faces.coarse[q].face == at.face) add_finer_fluxes(v, v.faces.coarse[q], at.a, at.b, length);
  }
};
/// [cells]
struct add_rates_of_other_leaves {
  light_view v;
  double dt;

  REDNOVA_FN void operator()(int, int leaf, int cell) const {
    add_rates_of_others(v, leaf, cell, v.from_others(leaf), dt);
  }
};
/// [cells_before_faces]: no fluxes yet, of leaves that have ended a substep.
struct clear_sums {
  light_view v;

  REDNOVA_FN void operator()(int, int leaf, int number) const {
    const before_a_face at(number);
    if (!v.adds_up(leaf, at.face)) return;
    for (int f = 0; f < rates; ++f) v.sum_of(leaf, at.face)[(f * mesh::N + at.b) * mesh::N + at.a] = 0;
  }
};

/// What floor and cut have added to cells in a stage.
struct added_to_cells {
  double* numbers;      ///< [own leaf][moment::count][cell]
  unsigned char* rows;  ///< [own leaf][row]: whether there is any

  REDNOVA_FN double* of(const light_view& v, int leaf) const {
    return numbers + static_cast<std::ptrdiff_t>(v.own(leaf)) * moment::count * mesh::cells;
  }
  REDNOVA_FN unsigned char& row(const light_view& v, int leaf, int n) const {
    return rows[v.own(leaf) * rows_of_cells + n];
  }
};
/// [cells]
struct end_stage_cells {
  light_view v;
  int stage;
  double dt;
  added_to_cells added;

  REDNOVA_FN void operator()(int, int leaf, int cell) const {
    with_heat<double>(v, [&](const auto& heat_of) {
      const added_light<double> all = end_of_stage(v, leaf, stage, dt).template cells<double>(cell, heat_of);
      double* const to = added.of(v, leaf) + cell;
      to[0] = all.energy;
      for (int d = 0; d < 3; ++d) to[moment::flux(d) * mesh::cells] = all.momentum[d];
    });
  }
};
/// [rows_of_cells]
struct find_added {
  light_view v;
  added_to_cells added;

  REDNOVA_FN void operator()(int, int leaf, int row) const {
    bool any = false;
    for (int m = 0; m < moment::count; ++m)
      for (int i = 0; i < mesh::N; ++i) any = any || added.of(v, leaf)[m * mesh::cells + row * mesh::N + i] != 0;
    added.row(v, leaf, row) = any ? 1 : 0;
  }
};
/// [outflow_numbers]
struct book_added {
  light_view v;
  added_to_cells added;

  REDNOVA_FN void operator()(int, int leaf, int number) const {
    const double* const of = added.of(v, leaf);
    for (int row = 0; row < rows_of_cells; ++row) {
      if (added.row(v, leaf, row) == 0) continue;
      for (int cell = row * mesh::N; cell < (row + 1) * mesh::N; ++cell) {
        const auto at = [&](int m) { return of[m * mesh::cells + cell]; };
        v.floors_of(leaf)[number] +=
            booked_floor(v, leaf, cell, number, at(0), {at(moment::flux(0)), at(moment::flux(1)), at(moment::flux(2))});
      }
    }
  }
};
/// [cells]
struct hand_back_cells {
  light_view v;
  double dt;

  REDNOVA_FN void operator()(int, int leaf, int cell) const { hand_back(v, leaf, cell, dt); }
};
/// For each number of an array.
struct clear_numbers {
  double* values;

  REDNOVA_FN void operator()(int i) const { values[i] = 0; }
};

}  // namespace rednova::radiation
