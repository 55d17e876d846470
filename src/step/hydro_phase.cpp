// The hydrodynamic part of a stage: fluxes, forces, the turn of the frame, and the finer faces' fluxes.
#include <algorithm>

#include "exec/simd.hpp"
#include "step/rotation.hpp"
#include "step/stage.hpp"

namespace rednova::step {

namespace {

using core::vec3d;
using mesh::cells;
using mesh::N;

bool on_boundary(const simulation& s, int leaf, int face) {
  return s.tree[leaf].neighbour[static_cast<std::size_t>(exchange::side_of_face(face))] == mesh::outside;
}

// Outward sums of the fluxes through one face of the domain, per time, in the frame of the grid.
totals face_sums(const simulation& s, int leaf, int face, const double* flux) {
  const mesh::fields& f = s.fields;
  const int d = face / 2, a = exchange::transverse_a(d), b = exchange::transverse_b(d);
  const double h = s.tree.cell_width(leaf), area = (face % 2 ? 1 : -1) * h * h;
  totals sum(f.species());
  for (int fb = 0; fb < N; ++fb) {
    for (int fa = 0; fa < N; ++fa) {
      const auto value = [&](int field) { return area * flux[field * N * N + fa + N * fb]; };
      int at[3];
      at[d] = face % 2 ? N - 1 : 0;
      at[a] = fa;
      at[b] = fb;
      vec3d x = s.tree.centre(leaf, at[0], at[1], at[2]);
      x[d] += (face % 2 ? 0.5 : -0.5) * h;
      const vec3d momentum{value(f.momentum(0)), value(f.momentum(1)), value(f.momentum(2))};
      for (int k = 0; k < f.species(); ++k) sum.species[static_cast<std::size_t>(k)] += value(k);
      sum.momentum += momentum;
      sum.angular_momentum += cross(x, momentum);
      if (s.par.hydro.spin) sum.angular_momentum += vec3d{value(f.spin(0)), value(f.spin(1)), value(f.spin(2))};
      sum.energy += value(f.energy());
    }
  }
  return sum;
}

// Momentum and spin densities of consecutive cells.
template <class T>
struct vectors {
  core::vec3<T> momentum, spin;

  static vectors load(const mesh::fields& f, const double* block, int c) {
    const auto read = [&](int field) { return exec::load<T>(block + field * cells + c); };
    return {{read(f.momentum(0)), read(f.momentum(1)), read(f.momentum(2))},
            {read(f.spin(0)), read(f.spin(1)), read(f.spin(2))}};
  }
  friend vectors operator+(const vectors& a, const vectors& b) { return {a.momentum + b.momentum, a.spin + b.spin}; }
  friend vectors operator*(double w, const vectors& a) { return {T(w) * a.momentum, T(w) * a.spin}; }
};

// Calls body(first cell, centres) for every pack of cells of a leaf.
template <class T, class Body>
void for_packs(const mesh::tree& t, int leaf, const Body& body) {
  static_assert(N % exec::lanes<T> == 0);
  double x[N];
  for (int i = 0; i < N; ++i) x[i] = t.centre(leaf, i, 0, 0).x;
  for (int k = 0; k < N; ++k) {
    for (int j = 0; j < N; ++j) {
      const vec3d row = t.centre(leaf, 0, j, k);
      for (int i = 0; i < N; i += exec::lanes<T>) {
        body(mesh::cell(i, j, k), core::vec3<T>{exec::load<T>(x + i), T(row.y), T(row.z)});
      }
    }
  }
}

// next += b G(from_here)(dt rate): what fluxes that come later add to a stage.
void add_rate(const simulation& s, const stage_form& form, double dt, int leaf, const double* rate, double* next) {
  using T = exec::pack;
  const mesh::fields& f = s.fields;
  const double w = form.b * dt;
  const turn here = turn::of_frame(s.rotation, form.from_here * dt);
  for (int field = 0; field < f.spin(); ++field) {
    if (f[field].kind != mesh::field_kind::scalar) continue;
    for (int c = field * cells; c < (field + 1) * cells; ++c) next[c] += w * rate[c];
  }
  for_packs<T>(s.tree, leaf, [&](int c, const core::vec3<T>& x) {
    vectors<T> v = vectors<T>::load(f, rate, c);
    turn_cell(here, x, v.momentum, v.spin);
    const vectors<T> sum = vectors<T>::load(f, next, c) + w * v;
    for (int d = 0; d < 3; ++d) exec::store(next + f.momentum(d) * cells + c, sum.momentum[d]);
    if (!s.par.hydro.spin) return;
    for (int d = 0; d < 3; ++d) exec::store(next + f.spin(d) * cells + c, sum.spin[d]);
  });
}

// Adds gravity's force and torque to the rates, and the power that they have because the grid carries the gas along:
// (Omega × x)·rho g + Omega·t_g. It moves heat between the leading and the trailing side of a star and adds up to
// Omega times the net torque, which is zero. The power of the flow relative to the grid is work_phase's.
void add_force(const simulation& s, int leaf, double* rate) {
  using T = exec::pack;
  const mesh::fields& f = s.fields;
  const double* g = s.gravity.at(leaf, gravity::acceleration);
  const double* torque = s.gravity.at(leaf, gravity::torque);
  double rho[cells];
  for (int c = 0; c < cells; ++c) rho[c] = s.density(leaf, c);
  for (int d = 0; d < 3; ++d) {
    double *momentum = rate + f.momentum(d) * cells, *spin = rate + f.spin(d) * cells;
    for (int c = 0; c < cells; ++c) momentum[c] += rho[c] * g[d * cells + c];
    for (int c = 0; c < cells; ++c) spin[c] += torque[d * cells + c];
  }
  if (s.rotation == 0) return;
  double* energy = rate + f.energy() * cells;
  for_packs<T>(s.tree, leaf, [&](int c, const core::vec3<T>& x) {
    const auto at = [&](const double* v, int d) { return exec::load<T>(v + d * cells + c); };
    const T orbital = at(rho, 0) * (x.x * at(g, 1) - x.y * at(g, 0));
    exec::store(energy + c, at(energy, 0) + T(s.rotation) * (orbital + at(torque, 2)));
  });
}

// next = a G(from_start) start + b G(from_here)(u + dt rate).
void combine(const simulation& s, const stage_form& form, double dt, int leaf, const double* rate) {
  using T = exec::pack;
  const mesh::fields& f = s.fields;
  const double *start = s.work->start.at(leaf), *u = s.u.at(leaf);
  double* next = s.work->next.at(leaf);
  for (int field = 0; field < f.spin(); ++field) {
    if (f[field].kind != mesh::field_kind::scalar) continue;
    for (int c = field * cells; c < (field + 1) * cells; ++c) {
      next[c] = form.a * start[c] + form.b * (u[c] + dt * rate[c]);
    }
  }
  if (!s.gravity.empty()) {  // gravity's work belongs to the state it was done on; stages carry the gas's own energy
    const double* work = s.work->gravity_work.at(leaf);
    double* energy = next + f.energy() * cells;
    for (int c = 0; c < cells; ++c) energy[c] -= form.b * work[c];
  }
  const turn from_start = turn::of_frame(s.rotation, form.from_start * dt);
  const turn from_here = turn::of_frame(s.rotation, form.from_here * dt);
  for_packs<T>(s.tree, leaf, [&](int c, const core::vec3<T>& x) {
    vectors<T> here = vectors<T>::load(f, u, c) + dt * vectors<T>::load(f, rate, c);
    turn_cell(from_here, x, here.momentum, here.spin);
    vectors<T> sum = form.b * here;
    if (form.a != 0) {
      vectors<T> before = vectors<T>::load(f, start, c);
      turn_cell(from_start, x, before.momentum, before.spin);
      sum = form.a * before + sum;
    }
    for (int d = 0; d < 3; ++d) {
      exec::store(next + f.momentum(d) * cells + c, sum.momentum[d]);
      exec::store(next + f.spin(d) * cells + c, s.par.hydro.spin ? sum.spin[d] : T(0.0));
    }
  });
}

// Leaves the mass that has flowed through a fine face where the coarse leaf behind it looks for it.
void leave_flow(workspace& w, int n_fields, int leaf, int face, int into) {
  const double* flow = w.flow(into, leaf, face / 2) + (face % 2 ? N : 0);
  double* to = w.registers.at(w.faces.slot(leaf, face)) + n_fields * N * N;
  for (int i = 0; i < N * N; ++i) to[i] = flow[(N + 1) * i];
}

void update(simulation& s, const stage_form& form, double dt, int stage, int leaf, const mesh::block_data* troubled) {
  workspace& w = *s.work;
  const exec::stopwatch timed(w.seconds[w.own(leaf)]);
  thread_scratch& mine = w.scratch();
  w.ghosts.gather(s.u, leaf, s.rotation, mine.ghosted.data());
  hydro::block_input in{.u = mine.ghosted.data(),
                        .corner = s.tree.corner(leaf),
                        .h = s.tree.cell_width(leaf),
                        .rotation = s.rotation,
                        .finer_faces = w.faces.finer(leaf)};
  if (troubled) {
    std::ranges::fill(mine.rate, 0.0);  // a field of ghosted cells fits: there are at least 9 fields of cells
    w.ghosts.gather_scalar(*troubled, leaf, 0, mine.rate.data());
    for (std::size_t c = 0; c < mesh::ghosted_cells; ++c) mine.first_order[c] = mine.rate[c] > 0;
    in.first_order = mine.first_order.data();
  }
  hydro::block_output out{.rate = mine.rate.data()};
  const auto face_size = static_cast<std::size_t>(s.fields.size()) * N * N;
  for (int face = 0; face < mesh::faces; ++face) {
    const int slot = w.faces.slot(leaf, face);
    if (slot >= 0) {
      out.outer_flux[face] = w.registers.at(slot);
    } else if (on_boundary(s, leaf, face)) {
      out.outer_flux[face] = mine.outer.data() + static_cast<std::size_t>(face) * face_size;
    }
  }
  const int into = stage % 2;
  if (!s.gravity.empty()) out.mass_flux = w.flow(into, leaf, 0);
  w.update(in, out, mine.hydro);
  if (!s.gravity.empty()) {
    double* flow = w.flow(into, leaf, 0);
    const double* before = w.flow(1 - into, leaf, 0);
    for (int i = 0; i < 3 * face_values; ++i) flow[i] = form.b * ((stage == 0 ? 0 : before[i]) + flow[i]);
  }
  for (int face = 0; face < mesh::faces; ++face) {
    if (w.faces.slot(leaf, face) >= 0 && !s.gravity.empty()) leave_flow(w, s.fields.size(), leaf, face, into);
    if (!on_boundary(s, leaf, face)) continue;
    w.leaf_outflow[w.own(leaf) * mesh::faces + static_cast<std::size_t>(face)] =
        face_sums(s, leaf, face, out.outer_flux[face]);
  }
  if (!s.gravity.empty()) add_force(s, leaf, mine.rate.data());
  combine(s, form, dt, leaf, mine.rate.data());
}

}  // namespace

void start_step(simulation& s, int leaf) {
  workspace& w = *s.work;
  std::copy_n(s.u.at(leaf), s.fields.size() * cells, w.start.at(leaf));
  if (s.gravity.empty()) return;
  std::copy_n(s.gravity.at(leaf, gravity::potential), cells, w.start_potential.at(leaf));
  std::fill_n(w.gravity_work.at(leaf), cells, 0.0);
}

void update_leaf(simulation& s, const stage_form& form, double dt, int stage, int leaf) {
  update(s, form, dt, stage, leaf, nullptr);
  for (int face = 0; face < mesh::faces; ++face) {
    if (s.work->faces.slot(leaf, face) >= 0) s.work->filling(leaf, face).arrive();
  }
}

void add_flux_inputs(simulation& s, int leaf, std::vector<exec::event*>& to) {
  for (const exchange::coarse_face& q : s.work->faces.coarse_faces(leaf)) {
    for (const int fine : q.fine) to.push_back(&s.work->filling(fine, q.face ^ 1));
  }
}

void correct_fluxes(simulation& s, const stage_form& form, double dt, int leaf) {
  const exchange::face_plan& plan = s.work->faces;
  const std::span<const exchange::coarse_face> faces = plan.coarse_faces(leaf);
  if (faces.empty()) return;
  double* rate = s.work->scratch().rate.data();
  std::fill_n(rate, s.fields.size() * cells, 0.0);
  for (const exchange::coarse_face& q : faces) {
    exchange::for_fine_fluxes(plan, q, s.work->registers, s.fields, s.tree.cell_width(leaf), s.par.hydro.spin,
                              [&](int field, int cell, double value) { rate[field * cells + cell] += value; });
  }
  add_rate(s, form, dt, leaf, rate, s.work->next.at(leaf));
}

void hydro_phase_again(simulation& s, const stage_form& form, double dt, int stage, const std::vector<char>& again,
                       const mesh::block_data& troubled) {
  std::vector<int> list;
  for (int leaf = s.own_leaves()[0]; leaf < s.own_leaves()[1]; ++leaf) {
    if (again[static_cast<std::size_t>(leaf)] != 0) list.push_back(leaf);
  }
  exchange::for_list(*s.where, "hydro again", list, [&](int leaf) { update(s, form, dt, stage, leaf, &troubled); });
  s.work->exchange_fluxes();
  exchange::for_list(*s.where, "hydro again", list, [&](int leaf) { correct_fluxes(s, form, dt, leaf); });
}

void book_boundary(simulation& s, const stage_form& form, double dt, double begins, int leaf) {
  workspace& w = *s.work;
  const double angle = s.rotation * begins;
  for (int face = 0; face < mesh::faces; ++face) {
    if (!on_boundary(s, leaf, face)) continue;
    const totals& out = w.leaf_outflow[w.own(leaf) * mesh::faces + static_cast<std::size_t>(face)];
    w.sums.add(leaf, face, form.flux_weight * dt, out.rotated(angle));
  }
}

}  // namespace rednova::step
