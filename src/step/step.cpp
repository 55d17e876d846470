#include "step/step.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "exchange/restrict.hpp"
#include "regrid/criteria.hpp"
#include "regrid/transfer.hpp"
#include "step/stage.hpp"
#include "step/sums.hpp"
#include "step/workspace.hpp"

namespace rednova::step {

namespace {

double courant_step(const simulation& s) {
  const double rate = exec::reduce(
      *s.where, "time step", s.tree.leaves(), 0.0,
      [&](int leaf) {
        const double h = s.tree.cell_width(leaf);
        return s.work->update.signal_speed(s.u.at(leaf), s.tree.corner(leaf), h, s.rotation) / h;
      },
      [](double a, double b) { return !(b <= a) ? b : a; });  // NaN wins, to be seen
  if (!(rate > 0) || !std::isfinite(rate)) {
    core::fail(
        "step {}, time {:.6g}: the signal speed over the cell width is {}: the state is no longer physical; "
        "try a smaller hydro.cfl, hydro.riemann = \"kt\" or hydro.reconstruction = \"plm\"",
        s.step, s.time, rate);
  }
  return s.par.hydro.cfl / rate;
}

void update_grid_sums(simulation& s) {
  const grid_sums sums = sum_grid(s);
  s.books.grid = sums.value;
  s.books.magnitude = sums.magnitude;
}

}  // namespace

void prepare(simulation& s) {
  EXPECT(s.u.nodes() == s.tree.size() && s.u.fields() == s.fields.size());
  s.work = std::make_unique<workspace>(s);
  exchange::restrict_all(*s.where, s.tree, s.fields, s.u);
  if (s.par.gravity.enabled) {
    s.gravity_solver.emplace(s.par.gravity, s.tree);
    s.gravity = mesh::block_data(s.tree.leaves(), gravity::result_fields);
    gravity_phase(s, s.u);
  }
  update_grid_sums(s);
  if (s.step == 0 && s.time == 0) s.books.initial = s.books.grid;
}

void advance(simulation& s, double dt_max) {
  workspace& w = *s.work;
  const bool gravity = s.par.gravity.enabled;
  const double dt = std::min(courant_step(s), dt_max);
  const std::vector<stage_form> scheme = stages(s.par.hydro.time_integrator);

  std::swap(w.start, s.u);
  std::copy_n(w.start.at(0), static_cast<std::ptrdiff_t>(w.start.bytes() / sizeof(double)), s.u.at(0));
  if (gravity) {
    exec::for_each(*s.where, "gravity work", s.tree.leaves(), [&](int leaf) {
      std::copy_n(s.gravity.at(leaf, gravity::potential), mesh::cells, w.start_potential.at(leaf));
      std::fill_n(w.gravity_work.at(leaf), mesh::cells, 0.0);
    });
  }
  for (int stage = 0; stage < static_cast<int>(scheme.size()); ++stage) {
    const stage_form& form = scheme[static_cast<std::size_t>(stage)];
    const bool last = stage + 1 == static_cast<int>(scheme.size());
    const double begin_angle = s.rotation * (s.time + form.begins * dt);
    const double end_angle =
        s.rotation * (last ? s.time + dt : s.time + scheme[static_cast<std::size_t>(stage) + 1].begins * dt);
    hydro_phase(s, form, dt, stage);
    flux_correction_phase(s, form, dt, nullptr);
    positivity_phase(s, form, dt, stage);
    const auto outflow = boundary_sums(s);
    for (std::size_t face = 0; face < mesh::faces; ++face) {
      s.books.outflow[face].add(form.flux_weight * dt, outflow[face].rotated(begin_angle));
    }
    s.books.floors.add(form.floor_weight, density_floor_phase(s, form, stage).rotated(end_angle));
    if (gravity) {
      gravity_phase(s, w.next);
      work_phase(s, dt, stage);
    }
    s.books.floors.add(form.floor_weight, energy_phase(s, last).rotated(end_angle));
    exchange::restrict_all(*s.where, s.tree, s.fields, w.next);
    std::swap(s.u, w.next);
    if (last && gravity) {
      const auto potential = boundary_potential(s, stage);
      for (std::size_t face = 0; face < mesh::faces; ++face) s.books.outflow[face].energy += dt * potential[face];
      s.books.floors.energy += floor_potential(s);
    }
  }
  s.time += dt;
  s.dt = dt;
  ++s.step;
  update_grid_sums(s);
}

bool adapt(simulation& s) {
  const regrid::criteria criteria(s.par.mesh, s.par.refine, s.par.hydro);
  const std::vector<int> wish = criteria.wishes(*s.where, s.tree, s.fields, s.eos, s.work->ghosts, s.u);
  mesh::tree next(s.tree.box(), s.tree.adapted(wish));
  if (next.size() == s.tree.size() && next.leaves() == s.tree.leaves()) {
    bool same = true;
    for (int n = 0; n < next.leaves() && same; ++n) same = next[n].id == s.tree[n].id;
    if (same) return false;
  }
  mesh::block_data u = regrid::transfer(*s.where, s.tree, next, s.fields, s.u);
  const totals before = s.books.grid;
  s.tree = std::move(next);
  s.u = std::move(u);
  prepare(s);
  totals change = s.books.grid;
  s.books.regrid += change.add(-1, before);
  return true;
}

}  // namespace rednova::step
