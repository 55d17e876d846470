// The processor's cores as the execution space of a step: batches of a few leaves as tasks, which go on as soon as
// their own inputs are there.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "exec/run.hpp"
#include "gravity/solver.hpp"
#include "hydro/block_update.hpp"
#include "step/ledger_buffers.hpp"
#include "step/radiation_phase.hpp"
#include "step/stage.hpp"
#include "step/stage_tables.hpp"
#include "step/stepper.hpp"
#include "step/workspace.hpp"

namespace rednova::step {

class cores final : public stepper {
 public:
  /// from: null, or the fields of own leaves, which other cores have left.
  explicit cores(simulation& s, const transferred_fields* from = nullptr);

  void derive() override;
  double signal_rate() override;
  void finish_and_update(const stage_now* before, const stage_now* now) override;
  void keep_positive(const stage_now& now) override;
  void swap_states() override;
  void complete() override;
  void sum() override;
  void sum_motions() override;
  void drive(const star_velocities& by) override;
  const core::compensated* sums(int leaf) const override;
  const core::compensated* pulls(int leaf) const override;
  std::vector<core::vec3d> velocities(const std::vector<gas_place>& places) override;
  std::vector<int> refinement_flags(const regrid::criteria& by) override;
  std::unique_ptr<transferred_fields> transfer(const tree_change& to) override;
  double cost(int node) const override;
  void light_up(double dt) override;
  void radiate(double dt, double uncut, double ends) override;
  const double* radiated(int leaf) const override { return light_->left(leaf).data(); }
  step_ledger& additions() override { return work_.sums; }

  workspace& work() { return work_; }
  /// None without gravity.
  gravity::solver* solver() { return gravity_ ? &*gravity_ : nullptr; }

  /// None without radiation.
  const radiation_phase* light() const { return light_ ? &*light_ : nullptr; }

  /// The tasks of finish_and_update(), one for each batch among them.
  void add_tasks(const stage_now* before, const stage_now* now, std::vector<exec::task>& to);

  // What stage.hpp asks of an execution space.
  const state_view& view() const { return view_; }
  exec::profile::scope phase(const char* name) const { return {s_.context().times(), name}; }
  template <class Functor>
  void for_cells(const batch& b, const Functor& functor) const {
    loop_over_cells(b, functor);
  }
  template <class Functor>
  void for_items(const batch& b, int numbers, const Functor& functor) const {
    loop_over_items(b, numbers, functor);
  }
  template <class Functor>
  void for_boundary(const batch& b, int numbers, const Functor& functor) const {
    const int first = b.first_boundary * numbers, count = b.boundary_count * numbers;
    for (int i = first; i < first + count; ++i) functor(i);
  }
  /// Leaf by leaf: a leaf's neighbourhood fills a good part of the cache.
  template <class Body>
  void in_parts(const batch& b, const Body& body) {
    for (int i = 0; i < b.count; ++i) {
      const exec::stopwatch timed(work_.seconds[work_.own(b.leaves[i])]);
      body(b.part(i, 1));
      s_.context().poll_messages();
    }
  }
  template <class Body>
  void in_coarse_parts(const batch& b, const Body& body) const {
    for (int i = 0; i < b.beside_finer_count; ++i) body(b.coarse_part(i, 1));
  }
  std::uint8_t* flags(const batch&) { return work_.scratch().flags.data(); }
  double* floor_rows(const batch&) { return work_.scratch().floor_rows.data(); }
  const boundary_face* boundary_faces() const { return tables_.boundary_faces.data(); }
  ledger_buffers<host_memory>& for_ledger() { return for_ledger_; }
  std::uint8_t* invalid() { return work_.invalid.data(); }
  double* ghosted() { return work_.scratch().ghosted.data(); }
  const star_species& star_gas() const { return s_.star_gas(); }
  const point_masses& points() const { return s_.points(); }
  const point_masses& points_before() const { return s_.points_before(); }
  double* rate() { return work_.scratch().rate.data(); }
  double* around() { return work_.scratch().around.data(); }
  std::uint8_t* first_order() { return work_.scratch().first_order.data(); }
  void gather(const batch& leaf);
  void gather_scalar(const mesh::block_view<const double>& u, int field, const batch& leaf);
  void update_rows(const batch& leaf, int stage, const hydro::stage_spin_exchange& exchange, bool troubled);
  exec::task solve(batch b);
  exec::all ghosts(const batch& b) const { return exec::all(inputs(b).around); }
  exec::all refluxing(const batch& b) const { return exec::all(inputs(b).fluxes); }
  exec::all potentials(const batch& b);
  void fluxes_made(const batch& b);

 private:
  batch at(std::size_t number) const;
  const batch_inputs& inputs(const batch& b) const { return work_.inputs[static_cast<std::size_t>(b.number)]; }
  void take_fields(const transferred_fields& given);
  /// The view of the state as it is now.
  void look();
  /// What is kept of the gas at the end of a step, in refined nodes, too.
  void find_all_gas();
  void connect_batches();
  exec::task stage_of_batch(stage_now before, stage_now now, batch b);
  void add_to_ledger();
  /// Calls body(batch) for each, in parallel.
  template <class Body>
  void for_batches(const char* phase, const Body& body);
  void run(std::vector<exec::task> tasks);
  const core::compensated* of_leaf(const ledger_buffers<host_memory>::sums_array& all, int leaf) const {
    return &all[work_.own(leaf) * all.size() / static_cast<std::size_t>(tables_.leaf_count())];
  }

  simulation& s_;
  workspace work_;
  std::optional<gravity::solver> gravity_;
  std::optional<radiation_phase> light_;
  stage_tables tables_;
  ledger_buffers<host_memory> for_ledger_;
  state_view view_;                       // of the state before the stage that is under way
  std::vector<stage_now> not_in_ledger_;  // stages of the step that the ledger does not know yet
};

/// The cores that carry out a simulation's steps. Contract: it is cores that do.
cores& cores_of(const simulation& s);

}  // namespace rednova::step
