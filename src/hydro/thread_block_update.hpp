// The update of a block for a device (block_kernel.hpp is the processor's): a block of threads works on a block.
//
// Along each direction the primitive variables of all pencils stand in shared memory, and a thread works on one face
// after the other, with all that belongs to it in registers. Faces meet the formulas of pencil.hpp in the order of the
// processor, so results are the same bits where the arithmetic is.
#pragma once

#include <algorithm>

#include "exec/thread_block.hpp"
#include "hydro/block_update.hpp"
#include "hydro/gravity_stress.hpp"
#include "hydro/grid_motion.hpp"
#include "hydro/hydrostatic.hpp"
#include "hydro/pencil.hpp"
#include "hydro/primitives.hpp"
#include "hydro/spin_feedback.hpp"

namespace rednova::hydro {

/// Where the fluxes through one face go: as pencil_output.
struct face_output {
  double* flux;          ///< of field f at flux + f * field
  std::ptrdiff_t field;  ///< from one to the next
  double* mass;          ///< or null
  bool closed;           ///< no flux passes here

  template <class Body>
  REDNOVA_FN void for_closed(const Body& body) const {
    if (closed) body(0);
  }
  REDNOVA_FN void take_mass(const double* value) const {
    if (mass != nullptr) *mass = *value;
  }
  REDNOVA_FN void take(const double* value, int f) const { flux[f * field] = *value; }
  /// The torque is the cells' to take: see thread_block_update::add_torque.
  REDNOVA_FN void take_torque(const double*, double, int) const {}
};

/// The cells of a block with one layer of ghosts, for which it is found what depends on the cells beside them: the
/// excess of spin and what half of its weight lacks (half_weight).
inline constexpr int one_layer_edge = mesh::N + 2;
inline constexpr int one_layer_cells = one_layer_edge * one_layer_edge * one_layer_edge;
/// Scratch memory of a block in doubles: [excess, what the weight lacks][direction][cell].
inline constexpr int thread_block_scratch = 6 * one_layer_cells;

/// What is updated.
template <class Eos>
struct update_of_blocks {
  mesh::field_numbers fields;
  variables var;
  Eos eos;
  double share;             ///< config::hydro::dual_energy_pressure
  const block_input* in;    ///< [block]
  const block_output* out;  ///< [block]
  double* scratch;          ///< [block] of thread_block_scratch; may be null without spin and gravity
  stage_spin_exchange exchange;
};

/// block_update for many blocks. Scheme: face_scheme. A thread block has Threads threads; results do not depend on it.
template <class Scheme, int Threads>
struct thread_block_update : update_of_blocks<typename Scheme::gas> {
  using base = update_of_blocks<typename Scheme::gas>;
  using base::eos, base::exchange, base::fields, base::in, base::out, base::scratch, base::share, base::var;
  static constexpr int threads = Threads;
  static constexpr int thread_blocks_at_once = 1;

  Scheme scheme;

  /// Doubles of shared memory.
  int memory() const {
    const int sweep = var.size() * variable + fields.evolved() * field,
              gas = (variables::gas + 1) * mesh::ghosted_cells;
    return needs_neighbours() ? std::max(sweep, gas) : sweep;
  }

  REDNOVA_THREAD_BLOCK_FN void operator()(const exec::thread_block& thread_block, int block) const {
    const block_input& from = in[block];
    const block_output& to = out[block];
    double* beside = scratch + (needs_neighbours() ? static_cast<std::ptrdiff_t>(block) * thread_block_scratch : 0);
    if (needs_neighbours()) find_excess_and_lacking(thread_block, from, beside);
    for (int d = 0; d < 3; ++d) {
      thread_block.sync();
      stage(thread_block, d, from, beside);
      thread_block.sync();
      faces(thread_block, d, from, beside, to);
      thread_block.sync();
      write_outer(thread_block, d, to);
      if (to.rate != nullptr) cells(thread_block, d, from.h, to.rate);
    }
  }

 private:
  static constexpr int N = mesh::N, M = mesh::M, pencils = N * N;
  /// From a cell or face of a pencil to the next: odd, so that neither pencils nor cells side by side meet in a bank.
  static constexpr int step = pencils + 1;
  static constexpr int variable = M * step;          ///< from one to the next
  static constexpr int field = pencil_faces * step;  ///< the same for fluxes, which follow the variables

  /// A cell by its number n and its pencil's p = a + N b, as in block_output; and back.
  struct place {
    int n, p;
  };
  REDNOVA_THREAD_BLOCK_FN static core::vec3i cell_of(int d, place at) {
    const int a = at.p % N, b = at.p / N;
    return d == 0 ? core::vec3i{at.n, a, b} : d == 1 ? core::vec3i{a, at.n, b} : core::vec3i{a, b, at.n};
  }
  REDNOVA_THREAD_BLOCK_FN static place place_of(int d, int i, int j, int k) {
    return d == 0 ? place{i, j + N * k} : d == 1 ? place{j, i + N * k} : place{k, i + N * j};
  }
  /// The i-th of a direction's cells in an order in which neighbours stand side by side in a block's arrays.
  REDNOVA_THREAD_BLOCK_FN static place staged(int d, int i) {
    return d == 0 ? place{i % M - mesh::ghosts, i / M} : place{i / pencils - mesh::ghosts, i % pencils};
  }
  REDNOVA_THREAD_BLOCK_FN static int one_layer_place(int i, int j, int k) {
    return ((k + 1) * one_layer_edge + j + 1) * one_layer_edge + i + 1;
  }
  /// The grid's velocity along d at a cell.
  REDNOVA_THREAD_BLOCK_FN static double grid_at(int d, const block_input& from, const core::vec3i& x) {
    if (d == 2) return 0.0;
    return grid_velocity(d, from.rotation,
                         d == 0 ? centre(from.corner.y, from.h, x.y) : centre(from.corner.x, from.h, x.x));
  }
  REDNOVA_FN bool balances() const { return scheme.well_balanced && var.has_weight(); }
  REDNOVA_FN bool needs_neighbours() const { return var.has_spin() || balances(); }
  REDNOVA_THREAD_BLOCK_FN double* fluxes(const exec::thread_block& thread_block) const {
    return thread_block.memory + var.size() * variable;
  }

  /// What depends on the cells beside a cell, for the block and its first ghost layer, by way of the gas there and
  /// beyond.
  REDNOVA_THREAD_BLOCK_FN void find_excess_and_lacking(const exec::thread_block& thread_block, const block_input& from,
                                                       double* beside) const {
    constexpr int reach = 2, edge = N + 2 * reach;
    constexpr std::ptrdiff_t stride = mesh::ghosted_cells;
    for (int i = thread_block.thread(); i < edge * edge * edge; i += threads) {
      const int x = i % edge - reach, y = i / edge % edge - reach, z = i / (edge * edge) - reach;
      if (!in_cross(x, y, z, reach, 1)) continue;
      const int c = mesh::ghosted(x, y, z);
      gas_variables<double>(from.u + c, stride, fields, share, eos, thread_block.memory + c, stride);
    }
    thread_block.sync();
    const gravity_stress stress{from.h};
    for (int i = thread_block.thread(); i < one_layer_cells; i += threads) {
      const int x = i % one_layer_edge - 1, y = i / one_layer_edge % one_layer_edge - 1,
                z = i / (one_layer_edge * one_layer_edge) - 1;
      if (!in_cross(x, y, z, 1, 0)) continue;
      const int c = mesh::ghosted(x, y, z);
      const double* rho = thread_block.memory + variables::density * stride + c;
      if (balances()) {
        const double* g = from.u + fields.acceleration() * stride + c;
        stress.forces<double>(rho, g, stride, [&](int d, double force) {
          const half_weight<double> weight(d, from.h, from.rotation, g[d * stride], grid_at(d, from, {x, y, z}),
                                           thread_block.memory + c, stride);
          beside[(3 + d) * one_layer_cells + i] = weight.lacking(force);
        });
      }
      if (!var.has_spin()) continue;
      const double per_rho = 1.0 / *rho;
      const double sound = exec::sqrt(thread_block.memory[variables::p_over_rho * stride + c]);
      cell_excess<double>(
          thread_block.memory + c, stride, from.h, sound,
          [&](int d) { return from.u[fields.spin(d) * stride + c] * per_rho; },
          [&](int d, double value) { beside[d * one_layer_cells + i] = value; });
    }
  }

  /// The variables of all cells that the sweep along d reads.
  REDNOVA_THREAD_BLOCK_FN void stage(const exec::thread_block& thread_block, int d, const block_input& from,
                                     const double* beside) const {
    for (int i = thread_block.thread(); i < M * pencils; i += threads) {
      const place at = staged(d, i);
      const core::vec3i x = cell_of(d, at);
      const int c = mesh::ghosted(x.x, x.y, x.z);
      double* q = thread_block.memory + (at.n + mesh::ghosts) * step + at.p;
      cell_variables<double>(from.u + c, mesh::ghosted_cells, fields, var, share, eos, q, variable);
      if (balances()) {
        const half_weight<double> weight(d, from.h, from.rotation,
                                         from.u[fields.acceleration(d) * mesh::ghosted_cells + c], grid_at(d, from, x),
                                         q, variable);
        q[var.weight() * variable] = weight.of_averages();
      }
      if (from.first_order != nullptr) q[var.flags() * variable] = from.first_order[c];
      if (!var.has_spin() || at.n < -1 || at.n > N) continue;
      for (int component = 0; component < 3; ++component) {
        q[var.excess(component) * variable] = beside[component * one_layer_cells + one_layer_place(x.x, x.y, x.z)];
      }
    }
  }

  /// The fluxes through all faces normal to d.
  REDNOVA_THREAD_BLOCK_FN void faces(const exec::thread_block& thread_block, int d, const block_input& from,
                                     const double* beside, const block_output& to) const {
    using sweep = pencil_sweep<double, Scheme, face_output, 1>;
    const sweep face(scheme, fields, var, eos, {from.h, from.rotation}, exchange, d);
    for (int i = thread_block.thread(); i < pencil_faces * pencils; i += threads) {
      const int f = i / pencils, p = i % pencils, a = p % N;
      const double* q = thread_block.memory + (f + mesh::ghosts) * step + p;
      double* flux = fluxes(thread_block) + f * step + p;
      const bool lower = f == 0 && (from.finer_faces >> mesh::face(d, 0) & 1U) != 0;
      const bool upper = f == N && (from.finer_faces >> mesh::face(d, 1) & 1U) != 0;
      double* mass = to.mass_flux == nullptr ? nullptr : to.mass_flux + (d * pencils + p) * pencil_faces + f;
      const double w =
          d == 2 ? 0.0 : grid_velocity(d, from.rotation, centre(d == 0 ? from.corner.y : from.corner.x, from.h, a));
      const core::vec3i x = cell_of(d, {f, p});
      pencil_gravity gravity{};
      if (balances()) {
        gravity = {from.u + fields.acceleration() * mesh::ghosted_cells + mesh::ghosted(x.x, x.y, x.z),
                   mesh::ghosted_cells,
                   d == 0   ? 1
                   : d == 1 ? M
                            : M * M,
                   beside + (3 + d) * one_layer_cells + one_layer_place(x.x, x.y, x.z),
                   d == 0   ? 1
                   : d == 1 ? one_layer_edge
                            : one_layer_edge * one_layer_edge};
      }
      // Species leave their share of the mass flux where the flux itself will stand.
      face({q, variable, step, from.first_order != nullptr, gravity}, w, {flux, field, mass, lower || upper},
           {flux, field});
    }
  }

  /// Fluxes through the block's own faces.
  REDNOVA_THREAD_BLOCK_FN void write_outer(const exec::thread_block& thread_block, int d,
                                           const block_output& to) const {
    for (int side = 0; side < 2; ++side) {
      double* outer = to.outer_flux[mesh::face(d, side)];
      if (outer == nullptr) continue;
      for (int i = thread_block.thread(); i < fields.evolved() * pencils; i += threads) {
        const int f = i / pencils;
        const bool none = f >= fields.spin() && !var.has_spin();
        outer[i] = none ? 0.0 : fluxes(thread_block)[f * field + side * N * step + i % pencils];
      }
    }
  }

  /// What the fluxes along d give to the rates of the cells.
  REDNOVA_THREAD_BLOCK_FN void cells(const exec::thread_block& thread_block, int d, double h, double* rate) const {
    const double per_h = 1.0 / h;
    const int carried = var.has_spin() ? fields.evolved() : fields.spin();
    for (int c = thread_block.thread(); c < mesh::cells; c += threads) {
      const place at = place_of(d, c % N, c / N % N, c / pencils);
      const double* lower = fluxes(thread_block) + at.n * step + at.p;
      for (int f = 0; f < carried; ++f) {
        const double change = rate_between(lower[f * field], lower[f * field + step], per_h);
        double* to = rate + f * mesh::cells + c;
        *to = d == 0 ? change : *to + change;
      }
      for (int f = carried; f < fields.evolved(); ++f) rate[f * mesh::cells + c] = 0.0;
      if (var.has_spin()) add_torque(d, lower, rate + c);
    }
  }
  /// Torque of the momentum fluxes through the faces of a cell.
  REDNOVA_THREAD_BLOCK_FN void add_torque(int d, const double* lower, double* rate) const {
    const int t1 = (d + 1) % 3, t2 = (d + 2) % 3;
    const auto torque = [&](int t, double sign) {
      const double* flux = lower + fields.momentum(t) * field;
      return torque_between(flux[0], flux[step], sign);
    };
    rate[fields.spin(t2) * mesh::cells] -= torque(t1, 1.0);
    rate[fields.spin(t1) * mesh::cells] -= torque(t2, -1.0);
  }
};

}  // namespace rednova::hydro
