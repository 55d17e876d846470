// The hydrodynamic part of a stage: fluxes, forces, the turn of the frame, and the finer faces' fluxes.
#include <algorithm>

#include "step/rotation.hpp"
#include "step/stage.hpp"

namespace rednova::step {

namespace {

using core::vec3d;
using mesh::cells;
using mesh::N;

int side_of_face(int face) {
  int d[3] = {0, 0, 0};
  d[face / 2] = face % 2 ? 1 : -1;
  return mesh::side(d[0], d[1], d[2]);
}

bool on_boundary(const simulation& s, int leaf, int face) {
  return s.tree[leaf].neighbour[static_cast<std::size_t>(side_of_face(face))] == mesh::outside;
}

thread_scratch& scratch_of(const simulation& s) {
  thread_scratch& mine = s.work->scratch.local();
  const auto fields = static_cast<std::size_t>(s.fields.size());
  mine.ghosted.resize(fields * mesh::ghosted_cells);
  mine.rate.resize(fields * cells);
  mine.outer.resize(mesh::faces * fields * N * N);
  mine.first_order.resize(mesh::ghosted_cells);
  return mine;
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

// next += b G(from_here)(dt · rate): the part of a stage that is linear in rates of change.
struct rate_adder {
  const simulation& s;
  const stage_form& form;
  double dt;

  void operator()(int leaf, const double* rate, double* next) const {
    const mesh::fields& f = s.fields;
    const double w = form.b * dt;
    const turn r = turn::of_frame(s.rotation, form.from_here * dt);
    for (int field = 0; field < f.size(); ++field) {
      if (field >= f.momentum() && field < f.energy()) continue;
      if (field >= f.spin()) continue;
      for (int c = 0; c < cells; ++c) next[field * cells + c] += w * rate[field * cells + c];
    }
    const double* ds[3] = {rate + f.momentum(0) * cells, rate + f.momentum(1) * cells, rate + f.momentum(2) * cells};
    const double* dl[3] = {rate + f.spin(0) * cells, rate + f.spin(1) * cells, rate + f.spin(2) * cells};
    double* to = next + f.momentum() * cells;
    double* spin = next + f.spin() * cells;
    for (int c = 0; c < cells; ++c) {
      vec3d momentum{ds[0][c], ds[1][c], ds[2][c]}, l{dl[0][c], dl[1][c], dl[2][c]};
      turn_cell(r, s.tree.centre(leaf, c % N, c / N % N, c / N / N), momentum, l);
      for (int d = 0; d < 3; ++d) {
        to[d * cells + c] += w * momentum[d];
        if (s.par.hydro.spin) spin[d * cells + c] += w * l[d];
      }
    }
  }
};

// next = a G(from_start) start + b G(from_here)(u + dt (rate + force)).
void combine(const simulation& s, const stage_form& form, double dt, int leaf, double* rate) {
  const mesh::fields& f = s.fields;
  if (!s.gravity.empty()) {
    const double* g = s.gravity.at(leaf, gravity::acceleration);
    const double* torque = s.gravity.at(leaf, gravity::torque);
    double rho[cells];
    for (int c = 0; c < cells; ++c) rho[c] = s.density(leaf, c);
    for (int d = 0; d < 3; ++d) {
      double* momentum = rate + f.momentum(d) * cells;
      double* spin = rate + f.spin(d) * cells;
      for (int c = 0; c < cells; ++c) momentum[c] += rho[c] * g[d * cells + c];
      for (int c = 0; c < cells; ++c) spin[c] += torque[d * cells + c];
    }
  }
  const double *start = s.work->start.at(leaf), *u = s.u.at(leaf);
  double* next = s.work->next.at(leaf);
  const double* work = s.gravity.empty() ? nullptr : s.work->gravity_work.at(leaf);
  const int energy = f.energy();
  for (int field = 0; field < f.size(); ++field) {
    const int o = field * cells;
    for (int c = 0; c < cells; ++c) next[o + c] = form.a * start[o + c] + form.b * u[o + c];
  }
  if (work) {  // gravity's work belongs to the state it was done on; the stage carries the gas's own energy
    for (int c = 0; c < cells; ++c) next[energy * cells + c] -= form.b * work[c];
  }
  if (s.rotation != 0) {
    const turn r0 = turn::of_frame(s.rotation, form.from_start * dt),
               r1 = turn::of_frame(s.rotation, form.from_here * dt);
    const int m = f.momentum() * cells, l = f.spin() * cells;
    const auto read = [](const double* v, int c) { return vec3d{v[c], v[cells + c], v[2 * cells + c]}; };
    for (int c = 0; c < cells; ++c) {
      const vec3d x = s.tree.centre(leaf, c % N, c / N % N, c / N / N);
      vec3d s0 = read(start + m, c), l0 = read(start + l, c), s1 = read(u + m, c), l1 = read(u + l, c);
      turn_cell(r0, x, s0, l0);
      turn_cell(r1, x, s1, l1);
      for (int d = 0; d < 3; ++d) {
        next[m + d * cells + c] = form.a * s0[d] + form.b * s1[d];
        if (s.par.hydro.spin) next[l + d * cells + c] = form.a * l0[d] + form.b * l1[d];
      }
    }
  }
  rate_adder{s, form, dt}(leaf, rate, next);
}

void update_leaf(simulation& s, const stage_form& form, double dt, int stage, int leaf,
                 const mesh::block_data* troubled) {
  workspace& w = *s.work;
  thread_scratch& mine = scratch_of(s);
  w.ghosts.gather(s.u, leaf, s.rotation, mine.ghosted.data());
  hydro::block_input in{.u = mine.ghosted.data(),
                        .corner = s.tree.corner(leaf),
                        .h = s.tree.cell_width(leaf),
                        .rotation = s.rotation,
                        .finer_faces = w.faces.finer(leaf)};
  if (troubled) {
    w.ghosts.gather_scalar(*troubled, leaf, 0, mine.rate.data() /* large enough: fields ≥ 9 */);
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
    if (!on_boundary(s, leaf, face)) continue;
    w.leaf_outflow[static_cast<std::size_t>(leaf * mesh::faces + face)] =
        face_sums(s, leaf, face, out.outer_flux[face]);
  }
  combine(s, form, dt, leaf, mine.rate.data());
}

}  // namespace

std::vector<stage_form> stages(config::integrator scheme) {
  if (scheme == config::integrator::rk2) {
    return {{.a = 0, .b = 1, .from_start = 1, .from_here = 1, .flux_weight = 0.5, .floor_weight = 0.5, .begins = 0},
            {.a = 0.5, .b = 0.5, .from_start = 1, .from_here = 0, .flux_weight = 0.5, .floor_weight = 1, .begins = 1}};
  }
  const double third = 1.0 / 3, sixth = 1.0 / 6;
  return {{.a = 0, .b = 1, .from_start = 1, .from_here = 1, .flux_weight = sixth, .floor_weight = sixth, .begins = 0},
          {.a = 0.75,
           .b = 0.25,
           .from_start = 0.5,
           .from_here = -0.5,
           .flux_weight = sixth,
           .floor_weight = 2 * third,
           .begins = 1},
          {.a = third,
           .b = 2 * third,
           .from_start = 1,
           .from_here = 0.5,
           .flux_weight = 2 * third,
           .floor_weight = 1,
           .begins = 0.5}};
}

void hydro_phase(simulation& s, const stage_form& form, double dt, int stage) {
  exec::for_each(*s.where, "hydro", s.tree.leaves(), [&](int leaf) { update_leaf(s, form, dt, stage, leaf, nullptr); });
}

void hydro_phase_again(simulation& s, const stage_form& form, double dt, int stage, const std::vector<int>& only,
                       const mesh::block_data& troubled) {
  exec::for_each(*s.where, "hydro again", static_cast<int>(only.size()),
                 [&](int i) { update_leaf(s, form, dt, stage, only[static_cast<std::size_t>(i)], &troubled); });
}

void flux_correction_phase(simulation& s, const stage_form& form, double dt, const std::vector<char>* only) {
  const exchange::face_plan& plan = s.work->faces;
  const auto& leaves = plan.coarse_leaves();
  exec::for_each(*s.where, "flux correction", static_cast<int>(leaves.size()), [&](int i) {
    const auto [begin, end] = leaves[static_cast<std::size_t>(i)];
    const int leaf = plan.coarse_faces()[static_cast<std::size_t>(begin)].leaf;
    if (only && !(*only)[static_cast<std::size_t>(leaf)]) return;
    double* rate = scratch_of(s).rate.data();
    std::fill_n(rate, s.fields.size() * cells, 0.0);
    for (int q = begin; q < end; ++q) {
      exchange::for_fine_fluxes(plan, plan.coarse_faces()[static_cast<std::size_t>(q)], s.work->registers, s.fields,
                                s.tree.cell_width(leaf), s.par.hydro.spin,
                                [&](int field, int cell, double value) { rate[field * cells + cell] += value; });
    }
    rate_adder{s, form, dt}(leaf, rate, s.work->next.at(leaf));
  });
}

std::array<totals, mesh::faces> boundary_sums(const simulation& s) {
  std::array<totals, mesh::faces> sum;
  for (totals& t : sum) t = totals(s.fields.species());
  for (int leaf = 0; leaf < s.tree.leaves(); ++leaf) {
    for (int face = 0; face < mesh::faces; ++face) {
      if (!on_boundary(s, leaf, face)) continue;
      sum[static_cast<std::size_t>(face)] += s.work->leaf_outflow[static_cast<std::size_t>(leaf * mesh::faces + face)];
    }
  }
  return sum;
}

}  // namespace rednova::step
