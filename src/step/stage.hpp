// A Runge-Kutta stage, written once: for the processor's cores, where a batch is a few leaves and many coroutines run
// beside each other, and for a device, where a batch is all inner or all outer leaves of a rank and each loop is a
// launch (step/cores.cpp, step/device_step.hpp).
//
// An execution space gives the loops, the memory that lives as long as one of them, and what a batch waits for:
//   view()                             the state, in the memory of the space
//   phase(name)                        an object that lives as long as a phase, for the profile
//   for_cells(b, functor), for_items(b, numbers, functor)     loops over a batch (batch.hpp)
//   for_boundary(b, numbers, functor)  functor(i) for so many numbers of each of the batch's outer faces
//   in_parts(b, body)                  body(part) for parts of a batch that are updated together
//   in_coarse_parts(b, body)           the same of its leaves that have finer ones behind a face
//   flags(b), floor_rows(b)            scratch: [position][cell], [position][row][species]
//   boundary_faces(), invalid()        [boundary face], [own leaf]
//   for_ledger()                       what stages leave for the ledger (ledger_buffers.hpp)
//   ghosted(), rate(), around(), first_order()                scratch of a part
//   star_gas()                         which species are whose
//   points(), points_before()          point masses now and at the start of the step
//   gather(part), gather_scalar(u, field, part)               ghost layers, into ghosted() and around()
//   update_rows(part, stage, exchange, first_order)           the row sweep of the hydrodynamics, from ghosted() to
//                                      rate(), boundary_flux(), the registers of fine faces and the mass flow
//   co_await solve(b)                  gravity, of view().work_inputs's density
//   co_await ghosts(b), refluxing(b), potentials(b)         what other leaves and ranks must have made
//   fluxes_made(b)                     who waits for the batch's fluxes may go on
#pragma once

#include "core/check.hpp"
#include "exec/task.hpp"
#include "step/driving_cells.hpp"
#include "step/fixed_state.hpp"
#include "step/floor_cells.hpp"
#include "step/flow_cells.hpp"
#include "step/gas_cells.hpp"
#include "step/invalid_cells.hpp"
#include "step/point_cells.hpp"
#include "step/reflux_cells.hpp"
#include "step/stage_form.hpp"
#include "step/sum_cells.hpp"
#include "step/tracer_cells.hpp"
#include "step/work_cells.hpp"

namespace rednova::step {

/// Adds the field of the point masses to gravity's, and finds what the gas does to them.
template <class Space>
void add_point_masses(Space& on, const batch& b) {
  const point_masses& points = on.points();
  if (points.count == 0) return;
  const auto timed = on.phase("point masses");
  const pull_rows rows = on.for_ledger().pull_rows();
  on.for_items(b, rows_of_leaf, point_gravity_rows{on.view(), points, rows});
  on.for_items(b, 4 * points.count, add_pull_rows{rows, 0, on.for_ledger().pulls()});
}

/// The work of the point masses' motion in a step that ends.
template <class Space>
void find_point_work(Space& on, const batch& b) {
  const point_masses& points = on.points();
  if (points.count == 0) return;
  const auto timed = on.phase("point masses");
  const pull_rows rows = on.for_ledger().pull_rows();
  on.for_items(b, rows_of_leaf, point_work_rows{on.view(), on.points_before(), points, rows});
  on.for_items(b, 1, add_pull_rows{rows, 4 * points.count, on.for_ledger().pulls()});
}

/// The densities in u, for gravity and its work.
template <class Space>
void find_density(Space& on, const batch& b) {
  const auto timed = on.phase("gravity density");
  on.for_cells(b, density_cells{on.view()});
}

/// The acceleration beside the fields of u.
template <class Space>
void take_acceleration(Space& on, const batch& b) {
  const auto timed = on.phase("gravity acceleration");
  on.for_cells(b, acceleration_cells{on.view()});
}

/// The potential of the densities in u and of the point masses, and the acceleration beside the fields.
template <class Space>
exec::task solve_gravity(Space& on, batch b) {
  find_density(on, b);
  co_await on.solve(b);
  add_point_masses(on, b);
  take_acceleration(on, b);
}

/// What a stage needs of gravity: after the last one a solve and the second pull, until then the field at the start.
template <class Space>
exec::task gravity_of_stage(Space& on, stage_now now, batch b) {
  if (!now.last) {
    find_density(on, b);
    take_acceleration(on, b);
    co_return;
  }
  co_await solve_gravity(on, b);
  const auto timed = on.phase("gravity acceleration");
  on.for_cells(b, last_pull_cells{on.view(), now.dt});
}

/// Gravity's work since the start of the step, by the potential at its start and that now.
template <class Space>
exec::task add_gravity_work(Space& on, stage_now now, batch b) {
  const state_view v = on.view();
  {
    const auto timed = on.phase("gravity work");
    on.for_cells(b, potential_sum_cells{v});
  }
  co_await on.potentials(b);
  const auto timed = on.phase("gravity work");
  on.for_cells(b, work_cells{v, now.dt, now.number});
}

/// Pressure and ratios of stored gas, beside the fields.
template <class Space>
void find_gas(Space& on, const batch& b, bool end_of_step) {
  const state_view v = on.view();
  if (!v.fields.has_gas()) return;
  const auto timed = on.phase("equation of state");
  on.for_cells(b, gas_cells{v, end_of_step});
}

template <class Space>
void raise_density(Space& on, const stage_now& now, const batch& b) {
  const auto timed = on.phase("floors");
  const state_view v = on.view();
  on.for_cells(b, weigh_floor_density{v, now.form, now.number});
  on.for_cells(b, find_beyond_limits{v, on.flags(b)});
  on.for_items(b, rows_of_leaf, raise_densities{v, now.dt, on.flags(b), on.floor_rows(b)});
  const int species = v.fields.species();
  on.for_items(
      b, species,
      add_rows{on.flags(b), on.floor_rows(b), species, on.for_ledger().floor_masses(now.number), v.first_leaf});
}

template <class Space>
void raise_energy(Space& on, const stage_now& now, const batch& b) {
  const auto timed = on.phase("floors");
  const state_view v = on.view();
  on.for_cells(b, find_beyond_limits{v, on.flags(b)});
  on.for_items(b, rows_of_leaf, raise_energies{v, on.flags(b), on.floor_rows(b)});
  on.for_items(b, 1,
               add_rows{on.flags(b), on.floor_rows(b), 1, on.for_ledger().floor_energy(now.number), v.first_leaf});
}

/// The end of a stage that has left no invalid cells: floors, gravity and its work.
template <class Space>
exec::task finish_stage(Space& on, stage_now now, batch b) {
  const state_view v = on.view();
  raise_density(on, now, b);
  if (v.has_gravity()) {
    co_await gravity_of_stage(on, now, b);
    co_await add_gravity_work(on, now, b);
  }
  raise_energy(on, now, b);
  find_gas(on, b, now.last);
  if (now.last && v.has_gravity()) {
    const auto timed = on.phase("ledger");
    on.for_items(b, 1,
                 potential_energy_sums{v, now.dt, now.number, on.for_ledger().potential_of_flow(),
                                       on.for_ledger().potential_of_floors()});
    find_point_work(on, b);
  }
}

/// u → next by the fluxes of own leaves, the force at the step's start and the rotation of the grid. Where `troubled`
/// has values > 0 in cells, fluxes are of first order around them.
template <class Space>
void update_leaves(Space& on, const stage_now& now, const batch& b, const mesh::block_view<const double>& troubled) {
  const state_view v = on.view();
  const stage_rotations rotations(v.rotation, now.form, now.dt);
  const bool any_troubled = troubled.values != nullptr;
  on.in_parts(b, [&](const batch& part) {
    {
      const auto timed = on.phase("ghosts");
      on.gather(part);
      if (any_troubled) {
        on.gather_scalar(troubled, 0, part);
        on.for_items(part, mesh::ghosted_cells, first_order_cells{on.around(), on.first_order()});
      }
    }
    {
      const auto timed = on.phase("hydro");
      on.update_rows(part, now.number, spin_exchange_of(now.form, now.dt), any_troubled);
    }
    const auto timed = on.phase("sum of states");
    if (v.has_gravity()) {
      on.for_items(part, 3 * face_values, accumulate_mass_flow{v, now.form, now.number});
      on.for_items(part, mesh::faces * mesh::N * mesh::N, register_mass_flow{v, now.number});
    }
    on.for_cells(part, finish_cells{v, now.form, rotations, now.dt, on.rate()});
  });
}

/// Refluxing, and what left the domain; cells before fixed boundaries stay what they were.
template <class Space>
void correct_fluxes(Space& on, const stage_now& now, const batch& b) {
  const auto timed = on.phase("flux correction");
  const state_view v = on.view();
  auto& ledger = on.for_ledger();
  const int numbers = numbers_of_outflow(v.fields.species());
  on.for_boundary(b, rows_of_face,
                  sum_boundary_fluxes{v, on.boundary_faces(), ledger.boundary_flux(), ledger.boundary_rows()});
  on.for_boundary(b, numbers, add_boundary_rows{ledger.boundary_rows(), numbers, ledger.boundary_sums(now.number)});
  const frame_rotation from_here = stage_rotations(v.rotation, now.form, now.dt).from_here;
  on.in_coarse_parts(b, [&](const batch& part) {
    on.for_items(part, mesh::cells, reflux_cells{v, now.form, from_here, now.dt, on.rate()});
  });
  if (v.fixed)
    on.for_boundary(b, 1,
                    keep_fixed_cells{v, on.boundary_faces(), now.form.b * now.dt, ledger.boundary_sums(now.number)});
}

/// Sets invalid() for leaves of which the stage has made invalid cells. With `troubled`, cells that are marked there
/// already do not count; the others are then marked.
template <class Space>
void find_invalid(Space& on, double dt, const batch& b, const mesh::block_view<double>& troubled) {
  const auto timed = on.phase("positivity");
  const state_view v = on.view();
  on.for_cells(b, find_outstanding_cells{v, dt, on.flags(b)});
  on.for_items(b, rows_of_leaf, find_invalid_cells{v, dt, troubled, on.flags(b)});
  on.for_items(b, 1, find_invalid_leaves{v, on.flags(b), troubled, on.invalid()});
}

/// The hydrodynamics of a stage, up to whether it made invalid cells.
template <class Space>
exec::task update(Space& on, stage_now now, batch b) {
  if (now.number == 0) {
    const auto timed = on.phase("start of the step");
    on.for_cells(b, start_cells{on.view()});
  }
  co_await on.ghosts(b);
  update_leaves(on, now, b, {});
  on.fluxes_made(b);
  co_await on.refluxing(b);
  correct_fluxes(on, now, b);
  find_invalid(on, now.dt, b, {});
}

/// After the last stage: the entropy tracer of u where the total energy, in ghost layers too, is the better witness.
template <class Space>
void synchronise(Space& on, const batch& b) {
  const state_view v = on.view();
  on.in_parts(b, [&](const batch& part) {
    const auto timed = on.phase("dual energy");
    on.gather_scalar(v.u, v.fields.energy(), part);
    on.for_cells(part, synchronise_tracers{v, on.around()});
  });
}

/// Notes numbers of each leaf's rows of cells by a functor, made by of_rows(numbers_of_rows), and adds them up in place
/// of the leaf's sums over the grid. The ghosted fields, which nobody reads meanwhile, have room for the rows.
template <class Space, class Make>
void sum_rows_of_leaves(Space& on, const batch& b, int numbers, const Make& of_rows) {
  const state_view v = on.view();
  const auto timed = on.phase("driving");
  const int stride = numbers_of_sums(v.fields.species(), on.star_gas().two());
  EXPECT(numbers <= stride && numbers * rows_of_leaf <= v.fields.size() * mesh::ghosted_cells);
  on.in_parts(b, [&](const batch& part) {
    const numbers_of_rows rows{on.ghosted(), numbers};
    on.for_items(part, rows_of_leaf, of_rows(rows));
    on.for_items(part, numbers, add_numbers_of_rows{rows, v.first_leaf, stride, on.for_ledger().leaf_sums()});
  });
}

/// How the two stars' gas moves as a whole.
template <class Space>
void sum_motions(Space& on, const batch& b) {
  sum_rows_of_leaves(on, b, numbers_of_motions, [&](const numbers_of_rows& rows) {
    return motion_rows{on.view(), on.star_gas(), rows};
  });
}

/// Changes the velocities of the two stars' gas, with what is kept of the gas beside the fields.
template <class Space>
void drive(Space& on, const batch& b, const star_velocities& by) {
  sum_rows_of_leaves(on, b, numbers_of_gains, [&](const numbers_of_rows& rows) {
    return drive_rows{on.view(), on.star_gas(), by, rows};
  });
  find_gas(on, b, true);
}

/// What each leaf contributes to the sums over the grid. The ghosted fields, which nobody reads meanwhile, have room
/// for its rows.
template <class Space>
void sum_leaves(Space& on, const batch& b) {
  const state_view v = on.view();
  const bool stars = on.star_gas().two();
  EXPECT(numbers_of_row(v.fields.species(), stars) * rows_of_leaf <= v.fields.size() * mesh::ghosted_cells);
  on.in_parts(b, [&](const batch& part) {
    const auto timed = on.phase("sums");
    on.for_items(part, rows_of_leaf, sum_rows{v, on.star_gas(), on.ghosted()});
    on.for_items(part, numbers_of_sums(v.fields.species(), stars),
                 add_row_sums{v, stars, on.ghosted(), on.for_ledger().leaf_sums()});
  });
}

}  // namespace rednova::step
