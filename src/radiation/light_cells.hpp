// A step of light in cells, and before the faces of leaves: functions that cores (solver.cpp) and devices
// (light_kernels.hpp) call for each.
#pragma once

#include "exchange/fixed_cells.hpp"
#include "exchange/refluxing.hpp"
#include "hydro/grid_motion.hpp"
#include "radiation/gas_around.hpp"
#include "radiation/heat_of_table.hpp"

namespace rednova::radiation {

/// The substeps that a cell asks for in a step dt: those that its light bears without being slowed down or carried by
/// gas too far, and where light is as stiff as gas all, since what it does to gas is explicit in time but for a cell
/// alone: waves of both grow by that, in proportion to the substep and to the share of light.
REDNOVA_FN double substeps_needed(const light_view& v, int leaf, int cell, double dt) {
  const double crossed = dt / (v.by.cfl * v.tree.cell_width(leaf));
  const double rho = v.matter.at(leaf, gas_density)[cell], heat = v.matter.at(leaf, gas_heat)[cell];
  const double energy = v.light.at(leaf, field::energy)[cell] * v.light.at(leaf, field::speed)[cell] / v.by.k.speed;
  const core::vec3d x = v.tree.centre(leaf, cell);
  double fastest = v.by.k.speed * fastest_face(v, leaf, cell);
  for (int d = 0; d < 3; ++d) {
    const double velocity = v.matter.at(leaf, gas_momentum + d)[cell] / rho;
    const double grid = d == 2 ? 0 : hydro::grid_velocity(d, v.gas.rotation, d == 0 ? x.y : x.x);
    fastest = exec::max(fastest, 4.0 / 3 * exec::abs(velocity - grid));
  }
  return exec::max(v.by.substeps * energy / (energy + heat), crossed * fastest);
}

/// The cell's speed of light for substeps dt.
REDNOVA_FN double speed_of_light(const light_view& v, int leaf, int cell, double dt) {
  return reduced_light_speed(v.by.k.speed, v.by.cfl, v.tree.cell_width(leaf), dt, fastest_face(v, leaf, cell));
}

/// Turns E and F, which stand in the places of U and Q, into these. dt: of substeps.
REDNOVA_FN void begin_light(const light_view& v, int leaf, int cell, double dt) {
  const double speed = speed_of_light(v, leaf, cell, dt), c = v.by.k.speed;
  v.light.at(leaf, field::speed)[cell] = speed;
  v.light.at(leaf, field::energy)[cell] *= c / speed;
  for (int d = 0; d < 3; ++d) v.light.at(leaf, field::momentum(d))[cell] /= c * speed;
}

/// E and F of a cell at the start of a step, with the speed of light for substeps dt, which is twice that of the step
/// before at most.
REDNOVA_FN void take_light(const light_view& v, int leaf, int cell, double dt) {
  const double c = v.by.k.speed;
  const double speed = exec::min(speed_of_light(v, leaf, cell, dt), 2 * v.light.at(leaf, field::speed)[cell]);
  v.couple.at(leaf, couple_speed)[cell] = speed;
  v.work.at(leaf, moment::energy)[cell] = v.light.at(leaf, field::energy)[cell] * (speed / c);
  for (int d = 0; d < 3; ++d) {
    v.work.at(leaf, moment::flux(d))[cell] = v.light.at(leaf, field::momentum(d))[cell] * (speed * c);
    v.work.at(leaf, exchanged::velocity(d))[cell] =
        v.matter.at(leaf, gas_momentum + d)[cell] / v.matter.at(leaf, gas_density)[cell];
    v.torque.at(leaf, d)[cell] = 0;
  }
}

/// Whether a leaf needs the gas's velocity anew beyond a face: where a substep of its own or of a faster leaf behind
/// begins. begun: the substeps of length 1 that have passed.
REDNOVA_FN bool refreshes_beyond(const light_view& v, int leaf, int face, int begun) {
  const int faster = v.faster_beside(leaf, face);
  return begun % v.length[leaf] == 0 || (faster != mesh::no_block && begun % v.length[faster] == 0);
}
/// The gas's velocity as light has left it, beyond the cell (a, b) before a face. With that of the step's start waves
/// of gas and trapped light grow, as by Euler's explicit method. Beyond the domain it changes as it does before the
/// boundary. A leaf in the middle of its substep needs that of faster ones, with whose fluxes its own must agree.
///
/// prolonged: [3][ghosted cell], read where the leaf behind is coarser.
REDNOVA_FN void refresh_velocity_beyond(const light_view& v, int leaf, int face, int a, int b,
                                        const double* prolonged) {
  const int node = v.behind(leaf, face), cell = exchange::face_cell(face, a, b);
  const int here = layered_of(cell), beyond = here + layered_outward(face);
  const bool mirror = v.boundaries[static_cast<std::size_t>(face)] == config::boundary::reflecting;
  for (int d = 0; d < 3; ++d) {
    double* const to = v.gas_around(leaf) + d * layered_cells;
    if (node >= 0) {
      to[beyond] = v.work.at(node, exchanged::velocity(d))[exchange::face_cell(face ^ 1, a, b)];
    } else if (node == mesh::no_block) {
      to[beyond] = prolonged[d * mesh::ghosted_cells + ghosted_of(cell) + ghosted_outward(face)];
    } else {
      const double change = v.work.at(leaf, exchanged::velocity(d))[cell] - to[here];
      to[beyond] += mirror && face / 2 == d ? -change : change;
    }
  }
}
/// The same of an own cell, once that is done beyond the leaf's faces.
REDNOVA_FN void refresh_velocity(const light_view& v, int leaf, int cell, int begun) {
  if (begun % v.length[leaf] != 0) return;
  for (int d = 0; d < 3; ++d)
    v.gas_around(leaf)[d * layered_cells + layered_of(cell)] = v.work.at(leaf, exchanged::velocity(d))[cell];
}

/// What stands beyond the end of the domain, as a share of what is before it.
inline constexpr double vacuum_share = 1e-6;

/// Light beyond the cell (a, b) before a face at the end of the domain: it leaves there and none comes in, but where
/// gas is mirrored, too, or keeps its gradient or state, as it is then when the ghost layers have been gathered.
REDNOVA_FN void fill_boundary(config::boundary kind, int face, int a, int b, double* light) {
  if (kind == config::boundary::zero_gradient || kind == config::boundary::fixed) return;
  const int direction = face / 2, outward = face % 2 == 1 ? 1 : -1, step = ghosted_outward(face);
  const int nearest = ghosted_of(exchange::face_cell(face, a, b));
  const bool mirror = kind == config::boundary::reflecting;
  for (int layer = 0; layer < mesh::ghosts; ++layer) {
    const int ghost = nearest + (1 + layer) * step, mirrored = nearest - layer * step;
    for (int m = 0; m < moment::count; ++m) {
      double* const values = light + m * mesh::ghosted_cells;
      values[ghost] = mirror ? values[mirrored] : vacuum_share * values[nearest];
    }
    double& normal = light[moment::flux(direction) * mesh::ghosted_cells + ghost];
    normal = mirror ? -normal : outward * exec::max(outward * normal, 0.0);
  }
}

/// What leaves the domain through a row of cells before a face of a leaf, the b-th, but for the area, the time and the
/// sign. through: the fluxes of the face's direction, [moment::count][values_of_faces].
REDNOVA_FN void outflow_of_row(const light_view& v, int leaf, int face, int b, const double* through,
                               double (&out)[outflow_numbers]) {
  constexpr int n = mesh::N;
  const double h = v.tree.cell_width(leaf);
  const core::vec3d corner = v.tree.corner(leaf);
  const int direction = face / 2;
  for (double& sum : out) sum = 0;
  for (int a = 0; a < n; ++a) {
    const int cell = exchange::face_cell(face, a, b), at = block_transport::value_of_face(face, cell);
    const int place[3] = {cell % n, cell / n % n, cell / (n * n)};
    core::vec3d x{corner.x + (place[0] + 0.5) * h, corner.y + (place[1] + 0.5) * h, corner.z + (place[2] + 0.5) * h};
    x[direction] = corner[direction] + (face % 2 == 1 ? n * h : 0.0);
    const auto value = [&](int m) { return through[m * values_of_faces + at]; };
    const core::vec3d turn =
        cross(x, core::vec3d{value(moment::flux(0)), value(moment::flux(1)), value(moment::flux(2))});
    for (int m = 0; m < moment::count; ++m) out[m] += value(m);
    for (int d = 0; d < 3; ++d) out[moment::count + d] += turn[d];
  }
}
/// Books a number of the rows' sum, [N][outflow_numbers], in a stage: each of a substep's two counts by a half.
REDNOVA_FN void book_outflow(const light_view& v, int leaf, int face, int number, double dt, const double* rows) {
  const double h = v.tree.cell_width(leaf), sign = face % 2 == 1 ? 1 : -1;
  double sum = 0;
  for (int b = 0; b < mesh::N; ++b) sum += rows[b * outflow_numbers + number];
  v.outflow_of(leaf, face)[number] += 0.5 * dt * sign * h * h * sum;
}

/// What of a cell's floor and cut, given by volume, goes to one of the leaf's numbers.
REDNOVA_FN double booked_floor(const light_view& v, int leaf, int cell, int number, double energy,
                               const core::vec3d& momentum) {
  const double h = v.tree.cell_width(leaf), volume = h * h * h;
  if (number == 0) return volume * energy;
  if (number < 4) return volume * momentum[number - 1];
  return volume * cross(v.tree.centre(leaf, cell), momentum)[number - 4];
}

/// The end of a stage in the cells of a leaf.
REDNOVA_FN substep_cells end_of_stage(const light_view& v, int leaf, int stage, double dt) {
  return {.by = v.by,
          .stage = stage,
          .dt = dt,
          .moments_now = v.work.at(leaf),
          .start = v.start.at(leaf),
          .gas = v.matter.at(leaf),
          .couple = v.couple.at(leaf),
          .rate = v.rate.at(leaf)};
}
/// Calls use(heat_of): the gas as substep_cells asks for it.
template <class T, class Use>
REDNOVA_FN void with_heat(const light_view& v, const Use& use) {
  if (v.gas.eos.tabulated())
    return use([&](const T& rho, const T& hydrogen) { return heat_of_table<T>(v.gas.eos.star.table, rho, hydrogen); });
  const double capacity = v.by.heat_capacity;
  if (v.by.heat_power == 4) return use([&](const T& rho, const T&) { return heat_of_power<T, 4>{T(capacity * rho)}; });
  use([&](const T& rho, const T&) { return heat_of_power<T>{T(capacity * rho)}; });
}

/// U and Q of E and F; momentum, energy, tracer and spin of the gas. The torques of faces are on light, whose spin goes
/// to the gas as its momentum does, by backward Euler at the rate rho kappa_F ĉ: at once in opaque cells, not at all in
/// transparent ones.
REDNOVA_FN void hand_back(const light_view& v, int leaf, int cell, double dt) {
  const double c = v.by.k.speed, speed = v.couple.at(leaf, couple_speed)[cell];
  v.light.at(leaf, field::speed)[cell] = speed;
  v.light.at(leaf, field::energy)[cell] = v.work.at(leaf, moment::energy)[cell] * (c / speed);
  for (int d = 0; d < 3; ++d)
    v.light.at(leaf, field::momentum(d))[cell] = v.work.at(leaf, moment::flux(d))[cell] / (c * speed);

  const auto of_gas = [&](int f) -> double& { return v.u.at(leaf, f)[cell]; };
  const double absorbed = v.couple.at(leaf, couple_flux)[cell] * speed * dt;
  const double rho = v.matter.at(leaf, gas_density)[cell], heat = v.matter.at(leaf, gas_heat)[cell];
  core::vec3d before, after;
  for (int d = 0; d < 3; ++d) {
    before[d] = of_gas(v.fields.momentum(d));
    after[d] = of_gas(v.fields.momentum(d)) = v.matter.at(leaf, gas_momentum + d)[cell];
    if (!v.gas.spin) continue;
    double& turning = v.light.at(leaf, field::spin(d))[cell];
    turning += v.torque.at(leaf, d)[cell];
    const double taken = absorbed / (1 + absorbed) * turning;
    turning -= taken;
    of_gas(v.fields.spin(d)) += taken;
  }
  of_gas(v.fields.energy()) += (hydro::kinetic_energy(rho, after) - hydro::kinetic_energy(rho, before)) +
                               (heat - v.matter.at(leaf, gas_first_heat)[cell]);
  const double hydrogen = v.couple.at(leaf, couple_hydrogen)[cell];
  of_gas(v.fields.entropy()) = v.gas.eos.entropy_tracer(rho, v.gas.eos.energy_of_heat(rho, heat, hydrogen), hydrogen);
}

// What flows into the cells before fixed boundaries has left: these are put back to what they were, and what they were
// given is booked.

/// energy, momentum and spin: by volume
REDNOVA_FN void book_fixed(const light_view& v, int leaf, int cell, int face, double energy,
                           const core::vec3d& momentum, const core::vec3d& spin) {
  const double h = v.tree.cell_width(leaf), volume = h * h * h;
  const core::vec3d turn = cross(v.tree.centre(leaf, cell), momentum) + spin;
  double* const to = v.outflow_of(leaf, face);
  to[0] += volume * energy;
  for (int d = 0; d < 3; ++d) {
    to[1 + d] += volume * momentum[d];
    to[4 + d] += volume * turn[d];
  }
}
/// At the start of a step. Elsewhere U and Q stay when the speed of light changes; here E and F do.
REDNOVA_FN void take_fixed(const light_view& v, int leaf, int cell) {
  const int face = exchange::fixed_face(v.fixed[v.own(leaf)], cell);
  if (face < 0) return;
  const double c = v.by.k.speed;
  const double before = v.light.at(leaf, field::speed)[cell], now = v.couple.at(leaf, couple_speed)[cell];
  const double energy = v.light.at(leaf, field::energy)[cell];
  v.work.at(leaf, moment::energy)[cell] = energy * (before / c);
  core::vec3d momentum;
  for (int d = 0; d < 3; ++d) {
    momentum[d] = v.light.at(leaf, field::momentum(d))[cell];
    v.work.at(leaf, moment::flux(d))[cell] = momentum[d] * (before * c);
  }
  const double gone = 1 - before / now;
  book_fixed(v, leaf, cell, face, gone * energy, gone * momentum, {});
}
/// At the end of a stage. A substep ends as the mean of what its first stage makes and what its second does with that,
/// so that the first counts by a half.
REDNOVA_FN void keep_fixed(const light_view& v, int leaf, int cell, int stage) {
  const int face = exchange::fixed_face(v.fixed[v.own(leaf)], cell);
  if (face < 0) return;
  const double c = v.by.k.speed, weight = stage == 0 ? 0.5 : 1;
  const double speed = v.couple.at(leaf, couple_speed)[cell], rho = v.matter.at(leaf, gas_density)[cell];
  const auto put_back = [&](const mesh::block_view<double>& of, int number, int from) {
    double& value = of.at(leaf, number)[cell];
    const double before = v.start.at(leaf, from)[cell], change = value - before;
    value = before;
    return change;
  };
  double energy = put_back(v.work, moment::energy, moment::energy) * (c / speed);
  core::vec3d momentum, spin;
  for (int d = 0; d < 3; ++d) {
    const double after = v.matter.at(leaf, gas_momentum + d)[cell];
    const double change = put_back(v.matter, gas_momentum + d, start_momentum + d), now = after - change;
    energy += 0.5 * change * (after + now) / rho;
    momentum[d] = change + put_back(v.work, moment::flux(d), moment::flux(d)) / (c * speed);
    v.work.at(leaf, exchanged::velocity(d))[cell] = now / rho;
    double& torque = v.torque.at(leaf, d)[cell];  // with the stage's weight
    if (v.gas.spin) spin[d] = torque;
    torque = 0;
  }
  energy += put_back(v.matter, gas_heat, start_heat);
  book_fixed(v, leaf, cell, face, weight * energy, weight * momentum, spin);
}

// Fluxes of light that come from the leaves behind a face: finer ones, and those that take shorter substeps.

/// The rates of the cell (a, b) before a face by the fluxes of the finer leaf behind it: calls add(rate's number,
/// rate).
template <class Add>
REDNOVA_FN void reflux_light(const light_view& v, const exchange::coarse_face& q, int a, int b, const Add& add) {
  constexpr int n = mesh::N;
  const double h = v.tree.cell_width(q.leaf);
  const int direction = q.face / 2;
  const bool upper = q.face % 2 == 1;
  const double sign = (upper ? -1 : 1) / h;
  const double* const from = v.faces.at(q.fine[exchange::quarter(a, b)], q.face ^ 1);
  const int fa = exchange::first_fine(a), fb = exchange::first_fine(b);
  const auto value = [&](int m, int p) { return from[m * n * n + fa + (p & 1) + n * (fb + (p >> 1))]; };
  for (int m = 0; m < moment::count; ++m)
    add(m, sign * exchange::mean_of_four(value(m, 0), value(m, 1), value(m, 2), value(m, 3)));
  core::vec3d torque;
  for (int p = 0; p < 4; ++p) {
    core::vec3d arm;
    arm[direction] = (upper ? 0.5 : -0.5) * h;
    arm[exchange::transverse_a(direction)] = ((p & 1) != 0 ? 0.25 : -0.25) * h;
    arm[exchange::transverse_b(direction)] = ((p >> 1) != 0 ? 0.25 : -0.25) * h;
    torque +=
        0.25 * cross(arm, core::vec3d{value(moment::flux(0), p), value(moment::flux(1), p), value(moment::flux(2), p)});
  }
  for (int d = 0; d < 3; ++d) add(rate_spin(d), sign * torque[d]);
}

/// Adds to a sum of fluxes what faster leaves of the level below have through the cell (a, b) before a face.
REDNOVA_FN void add_finer_fluxes(const light_view& v, const exchange::coarse_face& q, int a, int b, int length) {
  if (!v.adds_up(q.leaf, q.face) || v.length[q.fine[exchange::quarter(a, b)]] != length) return;
  const double weight = 0.5 * length / v.length[q.leaf];
  double* const sum = v.sum_of(q.leaf, q.face) + a + mesh::N * b;
  reflux_light(v, q, a, b, [&](int f, double rate) { sum[f * mesh::N * mesh::N] += weight * rate; });
}

/// The rates of a cell by the fluxes of other leaves: of finer ones that step with this one, and the mean of what
/// faster ones had through their faces in the substep. The torques of each of its stages count by a half.
/// others: v.from_others(leaf)
REDNOVA_FN void add_rates_of_others(const light_view& v, int leaf, int cell, unsigned others, double dt) {
  bool any = false;
  for (int face = 0; face < mesh::faces; ++face)
    any = any || ((others >> face & 1U) != 0 && exchange::before_face(face, cell));
  if (!any) return;
  const auto add = [&](int f, double value) {
    if (f < rate_spins) {
      v.rate.at(leaf, f)[cell] += value;
    } else {
      v.torque.at(leaf, f - rate_spins)[cell] += 0.5 * dt * value;
    }
  };
  const auto across = [&](int face, int& a, int& b) {
    a = exchange::place_along(exchange::transverse_a(face / 2), cell);
    b = exchange::place_along(exchange::transverse_b(face / 2), cell);
  };
  int a = 0, b = 0;
  for (int n = v.faces.first[leaf]; n < v.faces.first[leaf + 1]; ++n) {
    const exchange::coarse_face& q = v.faces.coarse[n];
    if (!exchange::before_face(q.face, cell)) continue;
    across(q.face, a, b);
    if (v.length[q.fine[exchange::quarter(a, b)]] == v.length[leaf]) reflux_light(v, q, a, b, add);
  }
  for (int face = 0; face < mesh::faces; ++face) {
    if (!v.adds_up(leaf, face) || !exchange::before_face(face, cell)) continue;
    across(face, a, b);
    const double* const sum = v.sum_of(leaf, face) + a + mesh::N * b;
    for (int f = 0; f < rates; ++f) add(f, sum[f * mesh::N * mesh::N]);
  }
}

}  // namespace rednova::radiation
