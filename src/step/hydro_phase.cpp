// The hydrodynamic part of a stage: fluxes, forces, the turn of the frame, and the finer faces' fluxes.
#include <algorithm>

#include "exchange/fine_fluxes.hpp"
#include "exec/simd.hpp"
#include "step/cell_update.hpp"
#include "step/flow_cells.hpp"
#include "step/stage.hpp"

namespace rednova::step {

namespace {

using core::vec3d;
using mesh::cells;
using mesh::N;

totals through_face(const simulation& s, int leaf, int face, const double* flux) {
  const int species = s.fields.species();
  std::vector<double> sum(static_cast<std::size_t>(species + vector_and_energy));
  face_sums(mesh::view(s.tree), s.fields, s.par.hydro.spin, leaf, face, flux, sum.data());
  return totals(sum.data(), species);
}

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
  const turn here = stage_turns(s.rotation, form, dt).from_here;
  for_scalars(f, [&](int field) {
    for (int c = field * cells; c < (field + 1) * cells; ++c) next[c] = with_rate(w, next[c], rate[c]);
  });
  for_packs<T>(s.tree, leaf, [&](int c, const core::vec3<T>& x) {
    const vectors<T> sum = with_rate(w, here, f, x, next + c, vectors<T>::load(f, rate + c));
    sum.store_momentum(f, next + c);
    if (s.par.hydro.spin) sum.store_spin(f, next + c);
  });
}

// Adds gravity's force, torque and power to the rates.
void add_force(const simulation& s, int leaf, double* rate) {
  using T = exec::pack;
  const mesh::fields& f = s.fields;
  const double* g = s.gravity.at(leaf, gravity::acceleration);
  const double* torque = s.gravity.at(leaf, gravity::torque);
  double rho[cells];
  for (int c = 0; c < cells; ++c) rho[c] = s.density(leaf, c);
  for (int d = 0; d < 3; ++d) {
    double *momentum = rate + f.momentum(d) * cells, *spin = rate + f.spin(d) * cells;
    for (int c = 0; c < cells; ++c) momentum[c] = with_force(momentum[c], rho[c], g[d * cells + c]);
    for (int c = 0; c < cells; ++c) spin[c] += torque[d * cells + c];
  }
  if (s.rotation == 0) return;
  double* energy = rate + f.energy() * cells;
  for_packs<T>(s.tree, leaf, [&](int c, const core::vec3<T>& x) {
    const auto at = [&](const double* v, int d) { return exec::load<T>(v + d * cells + c); };
    const T power = power_of_grid(s.rotation, x, at(rho, 0), at(g, 0), at(g, 1), at(torque, 2));
    exec::store(energy + c, at(energy, 0) + power);
  });
}

// next = a G(from_start) start + b G(from_here)(u + dt rate).
void combine(const simulation& s, const stage_form& form, double dt, int leaf, const double* rate) {
  using T = exec::pack;
  const mesh::fields& f = s.fields;
  const double *start = s.work->start.at(leaf), *u = s.u.at(leaf);
  double* next = s.work->next.at(leaf);
  for_scalars(f, [&](int field) {
    for (int c = field * cells; c < (field + 1) * cells; ++c) next[c] = combined(form, dt, start[c], u[c], rate[c]);
  });
  if (!s.gravity.empty()) {
    const double* work = s.work->gravity_work.at(leaf);
    double* energy = next + f.energy() * cells;
    for (int c = 0; c < cells; ++c) energy[c] = without_work(form, energy[c], work[c]);
  }
  const stage_turns turns(s.rotation, form, dt);
  for_packs<T>(s.tree, leaf, [&](int c, const core::vec3<T>& x) {
    vectors<T> sum =
        combined(form, dt, turns, f, x, start + c, vectors<T>::load(f, u + c), vectors<T>::load(f, rate + c));
    sum.store_momentum(f, next + c);
    if (!s.par.hydro.spin) sum.spin = {};
    sum.store_spin(f, next + c);
  });
}

// Leaves the mass that has flowed through a fine face where the coarse leaf behind it looks for it.
void leave_flow(workspace& w, int n_fields, int leaf, int face, int into) {
  const double* flow = w.flow(into, leaf, face / 2);
  double* to = w.registers.at(w.faces.slot(leaf, face)) + n_fields * N * N;
  for (int i = 0; i < N * N; ++i) to[i] = flow_at_end(flow, face, i);
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
  const auto face_size = static_cast<std::size_t>(s.fields.evolved()) * N * N;
  for (int face = 0; face < mesh::faces; ++face) {
    const int slot = w.faces.slot(leaf, face);
    if (slot >= 0) {
      out.outer_flux[face] = w.registers.at(slot);
    } else if (on_boundary(mesh::view(s.tree), leaf, face)) {
      out.outer_flux[face] = mine.outer.data() + static_cast<std::size_t>(face) * face_size;
    }
  }
  const int into = stage % 2;
  if (!s.gravity.empty()) out.mass_flux = w.flow(into, leaf, 0);
  w.update(in, out, exchange_of(form, dt), mine.hydro);
  if (!s.gravity.empty()) {
    double* flow = w.flow(into, leaf, 0);
    const double* before = w.flow(1 - into, leaf, 0);
    for (int i = 0; i < 3 * face_values; ++i) flow[i] = flow_so_far(form, stage, before[i], flow[i]);
  }
  for (int face = 0; face < mesh::faces; ++face) {
    if (w.faces.slot(leaf, face) >= 0 && !s.gravity.empty()) leave_flow(w, s.fields.evolved(), leaf, face, into);
    if (!on_boundary(mesh::view(s.tree), leaf, face)) continue;
    const std::size_t at = w.own(leaf) * mesh::faces + static_cast<std::size_t>(face);
    w.leaf_outflow[at] = through_face(s, leaf, face, out.outer_flux[face]);
    unbound_through_face(view(s), leaf, face, out.outer_flux[face], w.leaf_unbound[at].data());
  }
  if (!s.gravity.empty()) add_force(s, leaf, mine.rate.data());
  combine(s, form, dt, leaf, mine.rate.data());
}

}  // namespace

void start_step(simulation& s, int leaf) {
  workspace& w = *s.work;
  std::copy_n(s.u.at(leaf), s.fields.evolved() * cells, w.start.at(leaf));
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
  const std::span<const exchange::coarse_face> faces = s.work->faces.coarse_faces(leaf);
  if (faces.empty()) return;
  double* rate = s.work->scratch().rate.data();
  std::fill_n(rate, s.fields.evolved() * cells, 0.0);
  for (const exchange::coarse_face& q : faces) {
    exchange::for_fine_fluxes(s.work->faces.view(s.work->registers), q, s.fields, s.tree.cell_width(leaf),
                              s.par.hydro.spin,
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
    if (!on_boundary(mesh::view(s.tree), leaf, face)) continue;
    const std::size_t at = w.own(leaf) * mesh::faces + static_cast<std::size_t>(face);
    w.sums.add(leaf, face, form.flux_weight * dt, w.leaf_outflow[at].rotated(angle));
    w.sums.add_unbound(leaf, form.flux_weight * dt, w.leaf_unbound[at]);
  }
}

}  // namespace rednova::step
