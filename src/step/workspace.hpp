// Plans and buffers that belong to a tree, made anew when the mesh changes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "exchange/block_exchange.hpp"
#include "exchange/face_plan.hpp"
#include "exchange/ghosts.hpp"
#include "exchange/halo_requests.hpp"
#include "exec/for_each.hpp"
#include "exec/scheduler.hpp"
#include "hydro/block_update.hpp"
#include "step/simulation.hpp"
#include "step/step_ledger.hpp"
#include "step/view.hpp"

namespace rednova::step {

/// Memory of one thread while it works on a batch.
struct thread_scratch {
  exec::array<double> ghosted;            ///< [field][ghosted cell]
  exec::array<double> around;             ///< [ghosted cell], of one field
  exec::array<double> rate;               ///< [field][cell]
  std::vector<std::uint8_t> first_order;  ///< [ghosted cell]
  exec::array<std::uint8_t> flags;        ///< [position][cell]
  exec::array<double> floor_rows;         ///< [position][row of cells][species]
  hydro::block_scratch hydro;
};

/// What a batch of own leaves, a run along the curve, waits for: its ghosts, its flux correction, gravity's leaves and
/// gravity's work.
struct batch_inputs {
  bool outer;  ///< its ghosts need halo copies: the other ranks wait for what it makes
  std::vector<exec::event*> around = {}, fluxes = {}, expansions = {}, potentials = {};
};

/// A few leaves, half a millisecond or so: short enough to share them out evenly, long enough for what a task costs.
inline constexpr std::size_t leaves_of_batch = 2;

struct workspace {
  /// What the memory of own leaves is for: all that a step writes, or plans alone where a device holds the fields.
  enum class holds { fields, plans };
  explicit workspace(const simulation& s, holds what = holds::fields);

  exchange::ghosts ghosts;
  exchange::face_plan faces;
  hydro::block_update update;
  exchange::flux_registers registers;

  mesh::block_data start;  ///< conserved fields at the start of the step, of own leaves
  mesh::block_data next;   ///< what the stage makes
  /// With gravity only: potential at the step's start and gravity's work since then [own leaves][1], and the mass that
  /// flowed through each face since then over dt, by the Runge-Kutta weights, before and after this stage [own
  /// leaves][3][face_values].
  mesh::block_data start_potential, gravity_work;
  std::array<exec::zeroed_array<double>, 2> mass_flow;
  /// [leaves][work_input_fields], with halo copies of the cells behind own faces; null without gravity.
  mesh::block_data work_inputs;
  mesh::slots work_input_places;

  /// The registers' last field, with gravity, is the mass that has flowed through the fine face.
  exchange::block_exchange refluxing, behind_faces;

  exec::scheduler tasks;
  /// Lists of own leaves that a thread works on without a pause but for what it waits for, outer ones first.
  std::vector<std::vector<int>> batches;
  std::vector<batch_inputs> inputs;   ///< [batch]
  std::vector<std::uint8_t> invalid;  ///< [own leaf]: the stage made invalid cells

  mesh::block_data floor_density;  ///< [own leaf][1]: that floors added in this step
  step_ledger sums;                ///< what this step adds to the ledger
  std::vector<double> seconds;     ///< [own leaf]: that loops by parts of batches have taken so far

  /// The calling thread's scratch, of full size whichever phase the thread joins first.
  thread_scratch& scratch() const;

  /// Index of an own leaf in what is kept for own leaves.
  std::size_t own(int leaf) const { return static_cast<std::size_t>(leaf - first_leaf_); }

  /// Brings the fine faces' fluxes to the coarse leaves behind them.
  void exchange_fluxes();
  /// The same as tasks, which bring about fluxes_ready().
  void add_flux_tasks(std::vector<exec::task>& to);
  /// Brings density and potential sum behind own faces, as tasks, which bring about work_inputs_ready().
  void add_potential_tasks(std::vector<exec::task>& to);
  /// Happens when density and potential sum of a leaf, own or halo copy, are this stage's.
  exec::event& work_inputs_ready(int leaf) {
    return work_inputs_ready_[static_cast<std::size_t>(work_input_places[leaf])];
  }
  /// Happens when the fluxes of a fine leaf through a face are in its register.
  exec::event& fluxes_ready(int fine, int face) {
    return fluxes_ready_[static_cast<std::size_t>(faces.slot(fine, face))];
  }

 private:
  void make_batches(const simulation& s);
  void open_potentials(const simulation& s);
  void request_potentials(const simulation& s, exchange::halo_requests& behind) const;

  std::vector<exec::event> fluxes_ready_;       // [slot]
  std::vector<exec::event> work_inputs_ready_;  // [place]
  int first_leaf_;
  int fields_;
  exec::per_thread<thread_scratch> scratch_;
};

}  // namespace rednova::step
