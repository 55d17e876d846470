// What gravity takes from a stage and gives to it: density, acceleration, its work on cells, and the potential energy
// for the ledger.
#pragma once

#include "gravity/result_field.hpp"
#include "hydro/primitives.hpp"
#include "step/batch.hpp"
#include "step/work_formulas.hpp"

namespace rednova::step {

REDNOVA_FN work_input_view work_inputs(const state_view& s) {
  return {s.tree, s.work_inputs, s.faces, s.fields.evolved()};
}

/// The mass density, as gravity takes it.
struct density_cells {
  state_view s;

  template <class T>
  REDNOVA_FN void cells(const batch_cell& at) const {
    exec::store(s.work_inputs.at(at.leaf, work_density) + at.cell,
                hydro::mass_density<T>(s.u.at(at.leaf) + at.cell, mesh::cells, s.fields.species()));
  }
};

/// Puts the acceleration where the update looks for it, among the fields.
struct acceleration_cells {
  state_view s;

  template <class T>
  REDNOVA_FN void cells(const batch_cell& at) const {
    for (int d = 0; d < 3; ++d) {
      exec::store(s.u.at(at.leaf, s.fields.acceleration(d)) + at.cell,
                  exec::load<T>(s.gravity.at(at.leaf, gravity::acceleration + d) + at.cell));
    }
  }
};

/// The potential sum (view.hpp): the potential at the step's start plus that now.
struct potential_sum_cells {
  state_view s;

  template <class T>
  REDNOVA_FN void cells(const batch_cell& at) const {
    const T before = exec::load<T>(s.start_potential.at(at.leaf) + at.cell);
    const T now = exec::load<T>(s.gravity.at(at.leaf, gravity::potential) + at.cell);
    exec::store(s.work_inputs.at(at.leaf, work_potential_sum) + at.cell, twice_mean(before, now));
  }
};

/// What gravity's work takes of the cells of a leaf along a direction, and of what lies beyond the leaf's ends. T: of
/// lanes<T> such lines beside each other along x, where the direction is y or z.
struct line_of_cells {
  static constexpr int N = mesh::N;

  work_input_view s;
  int leaf, direction, a, b;  ///< place across the direction
  int before, after;          ///< leaves of the same level at the ends, or what else tree_view::neighbour says

  /// first: cell on the line, of several the first.
  REDNOVA_FN line_of_cells(const work_input_view& of, int l, int d, int first)
      : s(of),
        leaf(l),
        direction(d),
        a(exchange::place_along(exchange::transverse_a(d), first)),
        b(exchange::place_along(exchange::transverse_b(d), first)),
        before(s.tree.neighbour(l, exchange::side_of_face(mesh::face(d, 0)))),
        after(s.tree.neighbour(l, exchange::side_of_face(mesh::face(d, 1)))) {}

  /// i: from -2 to N+1
  template <class T>
  REDNOVA_FN T potential_sum(int i) const {
    if (i >= 0 && i < N) return exec::load<T>(s.potential_sum(leaf) + cell(i));
    const int m = i < 0 ? before : after;
    if (level(m)) return exec::load<T>(s.potential_sum(m) + cell(i < 0 ? i + N : i - N));
    return i < 0 ? potential_outside(potential_sum<T>(0), potential_sum<T>(1), potential_sum<T>(2))
                 : potential_outside(potential_sum<T>(N - 1), potential_sum<T>(N - 2), potential_sum<T>(N - 3));
  }
  /// i: from -1 to N; that of the last cell where no leaf of the level is behind it
  template <class T>
  REDNOVA_FN T density(int i) const {
    if (i < 0 && level(before)) return exec::load<T>(s.density(before) + cell(i + N));
    if (i >= N && level(after)) return exec::load<T>(s.density(after) + cell(i - N));
    return exec::load<T>(s.density(leaf) + cell(i < 0 ? 0 : i < N ? i : N - 1));
  }
  /// The potential sum at face f, the lower one of cell f.
  template <class T>
  REDNOVA_FN T at_face(int f) const {
    if (ends(f)) return at_end<T>(f);
    return potential_between(potential_sum<T>(f - 2), potential_sum<T>(f - 1), potential_sum<T>(f),
                             potential_sum<T>(f + 1), density<T>(f - 1), density<T>(f));
  }
  /// Whether no leaf of the level is behind face f.
  REDNOVA_FN bool ends(int f) const { return (f == 0 && !level(before)) || (f == N && !level(after)); }
  /// The potential sum at such a face.
  template <class T>
  REDNOVA_FN T at_end(int f) const {
    double value[exec::lanes<T>];
    for (int lane = 0; lane < exec::lanes<T>; ++lane) value[lane] = at_end_of_line(f == 0 ? 0 : 1, a + lane);
    return exec::load<T>(value);
  }

 private:
  REDNOVA_FN bool level(int m) const { return m >= 0 && s.tree.leaf(m); }
  REDNOVA_FN int cell(int i) const { return exchange::cell_at(direction, i, a, b); }
  REDNOVA_FN double at_end_of_line(int upper, int along) const {
    const int face = mesh::face(direction, upper), behind = upper ? after : before;
    const double* mine = s.potential_sum(leaf);
    const double here = mine[exchange::face_cell(face, along, b)];
    if (behind != mesh::no_block) return here;
    const auto near = [&](int p) {
      return mine[exchange::face_cell(face, (along & ~1) + (p & 1), (b & ~1) + (p >> 1))];
    };
    const double four = exchange::mean_of_four(near(0), near(1), near(2), near(3));
    const mesh::node& n = s.tree[leaf];
    const int coarse = s.tree.neighbour(n.parent, exchange::side_of_face(face));
    return potential_where_levels_meet(here, four,
                                       s.potential_sum(coarse)[coarse_cell_behind(n.id.octant(), face, along, b)]);
  }
};

/// Gravity's work since the step's start, added to the energy of u: the two-state form of docs/conservation.md. First
/// the flow through the leaf's own faces along x, y and z, then that through finer ones.
struct work_cells {
  state_view s;
  double dt;
  int stage;

  template <class T>
  REDNOVA_FN void cells(const batch_cell& at) const {
    const work_input_view v = work_inputs(s);
    const double w = 0.5 * dt / s.tree.cell_width(at.leaf);
    T work(0.0);
    work = work - along_x<T>(v, w, at);
    for (int d = 1; d < 3; ++d) work = work - along_y_or_z<T>(v, w, at, d);
    if (s.faces.first[at.leaf] < s.faces.first[at.leaf + 1]) work = work_with_finer_faces(v, at, work);
    exec::store(s.gravity_work.at(at.leaf) + at.cell, work);
    double* energy = s.u.at(at.leaf, s.fields.energy()) + at.cell;
    exec::store(energy, exec::load<T>(energy) + work);
  }

 private:
  /// The lanes lie along the line.
  template <class T>
  REDNOVA_FN T along_x(const work_input_view& v, double w, const batch_cell& at) const {
    constexpr int lanes = exec::lanes<T>;
    const line_of_cells line(v, at.leaf, 0, at.cell);
    const int first = exchange::place_along(0, at.cell);
    double potential_sum[lanes + 4], rho[lanes + 2];
    exec::store(potential_sum + 2, exec::load<T>(v.potential_sum(at.leaf) + at.cell));
    exec::store(rho + 1, exec::load<T>(v.density(at.leaf) + at.cell));
    for (const int i : {0, 1, lanes + 2, lanes + 3}) potential_sum[i] = line.potential_sum<double>(first - 2 + i);
    for (const int i : {0, lanes + 1}) rho[i] = line.density<double>(first - 1 + i);
    const auto between = [&](int i) {
      const auto potential_sum_at = [&](int n) { return exec::load<T>(potential_sum + i + n); };
      return potential_between(potential_sum_at(0), potential_sum_at(1), potential_sum_at(2), potential_sum_at(3),
                               exec::load<T>(rho + i), exec::load<T>(rho + i + 1));
    };
    double lower[lanes], upper[lanes];
    exec::store(lower, between(0));
    exec::store(upper, between(1));
    if (line.ends(first)) lower[0] = line.at_end<double>(first);
    if (line.ends(first + lanes)) upper[lanes - 1] = line.at_end<double>(first + lanes);
    const double* flow = s.flow(stage % 2, at.leaf, 0) + (mesh::N + 1) * (line.a + mesh::N * line.b) + first;
    return work_along(w, exec::load<T>(potential_sum + 2), exec::load<T>(flow), exec::load<T>(lower),
                      exec::load<T>(flow + 1), exec::load<T>(upper));
  }
  /// The lanes are lines beside each other.
  template <class T>
  REDNOVA_FN T along_y_or_z(const work_input_view& v, double w, const batch_cell& at, int d) const {
    const line_of_cells line(v, at.leaf, d, at.cell);
    const int here = exchange::place_along(d, at.cell);
    const double* flow = s.flow(stage % 2, at.leaf, d) + (mesh::N + 1) * (line.a + mesh::N * line.b) + here;
    double lower[exec::lanes<T>], upper[exec::lanes<T>];
    for (int lane = 0; lane < exec::lanes<T>; ++lane) {
      lower[lane] = flow[(mesh::N + 1) * lane];
      upper[lane] = flow[(mesh::N + 1) * lane + 1];
    }
    return work_along(w, line.potential_sum<T>(here), exec::load<T>(lower), line.at_face<T>(here), exec::load<T>(upper),
                      line.at_face<T>(here + 1));
  }
  template <class T>
  REDNOVA_FN T work_with_finer_faces(const work_input_view& v, const batch_cell& at, const T& work) const {
    double sum[exec::lanes<T>];
    exec::store(sum, work);
    for (int lane = 0; lane < exec::lanes<T>; ++lane) {
      const int cell = at.cell + lane;
      for (int n = s.faces.first[at.leaf]; n < s.faces.first[at.leaf + 1]; ++n) {
        const exchange::coarse_face& q = s.faces.coarse[n];
        if (!exchange::before_face(q.face, cell)) continue;
        sum[lane] += work_at_coarse_cell(v, dt, q, exchange::place_along(exchange::transverse_a(q.face / 2), cell),
                                         exchange::place_along(exchange::transverse_b(q.face / 2), cell));
      }
    }
    return exec::load<T>(sum);
  }
};

/// Potential energy for the ledger, of each leaf: what left with the mass flow of the whole step, and that of the mass
/// which floors added.
struct potential_energy_sums {
  state_view s;
  double dt;
  int stage;
  double* through_faces;  ///< [own leaf][face]; zero where the domain does not end
  double* of_floors;      ///< [own leaf]

  REDNOVA_FN void operator()(const batch_item& at) const {
    const double h = s.tree.cell_width(at.leaf);
    const double* potential_sum = s.work_inputs.at(at.leaf, work_potential_sum);
    const int own = at.leaf - s.first_leaf;
    for (int face = 0; face < mesh::faces; ++face) {
      through_faces[own * mesh::faces + face] =
          on_boundary(s.tree, at.leaf, face)
              ? potential_through_face(h, dt, face, s.flow(stage % 2, at.leaf, face / 2), potential_sum)
              : 0.0;
    }
    of_floors[own] = potential_of_added(h, s.floor_density.at(at.leaf), potential_sum);
  }
};

}  // namespace rednova::step
