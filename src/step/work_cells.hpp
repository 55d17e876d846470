// Gravity's work as a functor, a thread for each cell of a batch, and its books, a thread for each leaf
// (step/batch.hpp).
#pragma once

#include "gravity/result_field.hpp"
#include "hydro/primitives.hpp"
#include "step/batch.hpp"
#include "step/work_formulas.hpp"

namespace rednova::step {

REDNOVA_FN weighed_view weighed(const state_view& s) { return {s.tree, s.weighed, s.faces, s.fields.evolved()}; }

/// As set_density.
struct density_cells {
  state_view s;
  const int* list;

  REDNOVA_FN void operator()(int i) const {
    const batch_cell at(list, i);
    s.weighed.at(at.leaf, weighed_density)[at.cell] =
        hydro::mass_density<double>(s.u.at(at.leaf) + at.cell, mesh::cells, s.fields.species());
  }
};

/// As set_acceleration.
struct acceleration_cells {
  state_view s;
  const int* list;

  REDNOVA_FN void operator()(int i) const {
    const batch_cell at(list, i);
    for (int d = 0; d < 3; ++d) {
      s.u.at(at.leaf, s.fields.acceleration(d))[at.cell] = s.gravity.at(at.leaf, gravity::acceleration + d)[at.cell];
    }
  }
};

/// As set_mean_potential.
struct mean_potential_cells {
  state_view s;
  const int* list;

  REDNOVA_FN void operator()(int i) const {
    const batch_cell at(list, i);
    s.weighed.at(at.leaf, weighed_psi)[at.cell] =
        twice_mean(s.start_potential.at(at.leaf)[at.cell], s.gravity.at(at.leaf, gravity::potential)[at.cell]);
  }
};

/// The cells of a leaf in the row of one of them along a direction, and what lies beyond its ends.
struct weighed_row {
  static constexpr int N = mesh::N;

  weighed_view s;
  int leaf, direction, a, b;  ///< place across the direction
  int before, after;          ///< leaves of the same level at the ends, or what else tree_view::neighbour says

  REDNOVA_FN weighed_row(const weighed_view& of, int l, int d, int cell)
      : s(of),
        leaf(l),
        direction(d),
        a(exchange::place_along(exchange::transverse_a(d), cell)),
        b(exchange::place_along(exchange::transverse_b(d), cell)),
        before(s.tree.neighbour(l, exchange::side_of_face(mesh::face(d, 0)))),
        after(s.tree.neighbour(l, exchange::side_of_face(mesh::face(d, 1)))) {}

  /// i: from -2 to N+1
  REDNOVA_FN double psi(int i) const {
    if (i >= 0 && i < N) return s.psi(leaf)[cell(i)];
    const int m = i < 0 ? before : after;
    if (level(m)) return s.psi(m)[cell(i < 0 ? i + N : i - N)];
    return i < 0 ? psi_beyond(psi(0), psi(1), psi(2)) : psi_beyond(psi(N - 1), psi(N - 2), psi(N - 3));
  }
  /// i: from -1 to N, where leaves of the level are
  REDNOVA_FN double density(int i) const {
    if (i >= 0 && i < N) return s.density(leaf)[cell(i)];
    return s.density(i < 0 ? before : after)[cell(i < 0 ? i + N : i - N)];
  }
  /// psi at face f, the lower one of cell f.
  REDNOVA_FN double at_face(int f) const {
    if (f == 0 && !level(before)) return at_end(before, 0);
    if (f == N && !level(after)) return at_end(after, 1);
    return psi_between(psi(f - 2), psi(f - 1), psi(f), psi(f + 1), density(f - 1), density(f));
  }

 private:
  REDNOVA_FN bool level(int m) const { return m >= 0 && s.tree.leaf(m); }
  REDNOVA_FN int cell(int i) const { return exchange::cell_at(direction, i, a, b); }
  /// At a face with no leaf of the level behind it.
  REDNOVA_FN double at_end(int behind, int upper) const {
    const int face = mesh::face(direction, upper);
    const double* mine = s.psi(leaf);
    const double here = mine[exchange::face_cell(face, a, b)];
    if (behind != mesh::no_block) return here;
    const auto near = [&](int p) { return mine[exchange::face_cell(face, (a & ~1) + (p & 1), (b & ~1) + (p >> 1))]; };
    const double four = exchange::mean_of_four(near(0), near(1), near(2), near(3));
    const mesh::node& n = s.tree[leaf];
    const int coarse = s.tree.neighbour(n.parent, exchange::side_of_face(face));
    return psi_where_levels_meet(here, four, s.psi(coarse)[coarse_cell_behind(n.id.octant(), face, a, b)]);
  }
};

/// As add_work: first the flow through the leaf's own faces along x, y and z, then that through finer ones.
struct work_cells {
  state_view s;
  double dt;
  int stage;
  const int* list;

  REDNOVA_FN void operator()(int i) const {
    const batch_cell at(list, i);
    const weighed_view v = weighed(s);
    const double w = 0.5 * dt / s.tree.cell_width(at.leaf);
    double work = 0;
    for (int d = 0; d < 3; ++d) {
      const weighed_row row(v, at.leaf, d, at.cell);
      const int here = exchange::place_along(d, at.cell);
      const double* flow = s.flow(stage % 2, at.leaf, d) + (mesh::N + 1) * (row.a + mesh::N * row.b) + here;
      work -= work_along(w, row.psi(here), flow[0], row.at_face(here), flow[1], row.at_face(here + 1));
    }
    for (int n = s.faces.first[at.leaf]; n < s.faces.first[at.leaf + 1]; ++n) {
      const exchange::coarse_face& q = s.faces.coarse[n];
      if (!exchange::before_face(q.face, at.cell)) continue;
      work += work_at_coarse_cell(v, dt, q, exchange::place_along(exchange::transverse_a(q.face / 2), at.cell),
                                  exchange::place_along(exchange::transverse_b(q.face / 2), at.cell));
    }
    s.gravity_work.at(at.leaf)[at.cell] = work;
    s.u.at(at.leaf, s.fields.energy())[at.cell] += work;
  }
};

/// As book_potential: energy that is to be booked, a thread for each leaf of a list.
struct potential_books {
  state_view s;
  double dt;
  int stage;
  const int* list;
  const double* floor_density;  ///< [own leaf][cell]: density added by floors in this step
  double* through_faces;        ///< [position][face]; zero where the domain does not end
  double* of_floors;            ///< [position]

  REDNOVA_FN void operator()(int i) const {
    const int leaf = list[i];
    const double h = s.tree.cell_width(leaf);
    const double* psi = s.weighed.at(leaf, weighed_psi);
    for (int face = 0; face < mesh::faces; ++face) {
      through_faces[i * mesh::faces + face] =
          on_boundary(s.tree, leaf, face) ? potential_through_face(h, dt, face, s.flow(stage % 2, leaf, face / 2), psi)
                                          : 0.0;
    }
    const double* added = floor_density + static_cast<std::ptrdiff_t>(leaf - s.first_leaf) * mesh::cells;
    of_floors[i] = potential_of_added(h, added, psi);
  }
};

}  // namespace rednova::step
