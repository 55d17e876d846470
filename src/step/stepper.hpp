// Who carries out the phases of a step: the processor's cores, or a device. step.cpp says what is done, in which order.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/check.hpp"
#include "core/compensated.hpp"
#include "core/vec3.hpp"
#include "mesh/local_partition.hpp"
#include "mesh/partition.hpp"
#include "regrid/migrate.hpp"

namespace rednova::regrid {
class criteria;
}

namespace rednova::step {

class simulation;
struct gas_place;
struct stage_now;
struct star_velocities;
class step_ledger;

/// What the gravity of a refined node costs, in steps of a leaf, where that is not measured (docs/scaling.md,
/// docs/gpu.md).
inline constexpr double refined_node_cost = 2;

/// From a simulation's tree to the next.
struct tree_change {
  const mesh::tree* next;
  mesh::local_partition before_migration;                ///< this rank's share of it, if the curve is cut as now
  std::optional<mesh::local_partition> after_migration;  ///< and as it will be cut; none: as now
  std::vector<mesh::migration> moves;                    ///< from the one cut to the other
  regrid::migration_counts* counts = nullptr;            ///< where blocks that move are counted
  const mesh::local_partition& own() const { return after_migration ? *after_migration : before_migration; }
};

/// The fields of own leaves on the way from one tree to the next, wherever the stepper keeps numbers.
class transferred_fields {
 public:
  virtual ~transferred_fields() = default;
};

/// Made by prepare() for a simulation's tree and own leaves, whose fields it finds in simulation::u(), or in what the
/// stepper of the tree before has left. Of the simulation it writes the fields alone.
class stepper {
 public:
  virtual ~stepper() = default;

  /// Derives what follows from the fields of own leaves: refined nodes, and gravity.
  virtual void derive() = 0;
  /// The largest signal speed over the cell width of own leaves. NaN may be lost within a block; the sums show it.
  virtual double signal_rate() = 0;
  /// First the end of the stage `before`, which has left no invalid cells: ledger, floors, gravity and its work. Then
  /// the hydrodynamics of the stage `now`. Null: none. Together, for a leaf may begin its next stage before others have
  /// ended theirs.
  virtual void finish_and_update(const stage_now* before, const stage_now* now) = 0;
  /// Where the stage has made invalid cells, repeats it around them with first-order fluxes.
  virtual void keep_positive(const stage_now& now) = 0;
  /// What the stage has made becomes the state.
  virtual void swap_states() = 0;
  /// After the last stage: the entropy tracer, and refined nodes.
  virtual void complete() = 0;

  /// Light at the start of a run, whose first step is dt. Contract, of this and the next two: the run has radiation.
  virtual void light_up(double dt) = 0;
  /// Between the last stage and complete(): light and its exchange with the gas, to the time `ends`. uncut: the step
  /// that the gas would have borne.
  virtual void radiate(double dt, double uncut, double ends) = 0;
  /// Energy, momentum and angular momentum that light took from an own leaf through the domain's sides in the last
  /// step: radiation::outflow_numbers of them.
  virtual const double* radiated(int leaf) const = 0;

  /// What the step adds to the ledger: empty before it, complete after complete().
  virtual step_ledger& additions() = 0;
  /// Adds up own leaves, for sums(), but for light: that is brought up to date for whoever adds it up.
  virtual void sum() = 0;
  /// What an own leaf contributes to the last sums that were asked for: [numbers_of_sums] (step/sum_cells.hpp) of
  /// sum().
  virtual const core::compensated* sums(int leaf) const = 0;

  /// Adds up the motion of the two stars' gas on own leaves, for sums(): numbers_of_motions (step/driving_cells.hpp) of
  /// each leaf.
  virtual void sum_motions() = 0;
  /// Between the last stage and complete(): changes the velocities of the two stars' gas, and adds up what own leaves
  /// gain by that, for sums(): numbers_of_gains of each leaf.
  virtual void drive(const star_velocities& by) = 0;

  /// What an own leaf's gas does to the point masses: [numbers_of_pulls], as the last derive() or end of a stage found
  /// it.
  virtual const core::compensated* pulls(int leaf) const = 0;

  /// Velocities of the gas, with components along the grid's axes, at places in own leaves (step/particle_cells.hpp),
  /// which stand together by leaf and count these. Between steps; all ranks call it.
  virtual std::vector<core::vec3d> velocities(const std::vector<gas_place>& places) = 0;

  /// Between steps: simulation::rotation() has changed.
  virtual void rotation_changed() {}

  /// What the refinement criteria ask of own leaves: +1, 0 or -1 for each.
  virtual std::vector<int> refinement_flags(const regrid::criteria& by) = 0;

  /// The fields as they are on the next tree, after refinement_flags(): the last that is asked of this stepper. Throws
  /// no_memory (step/device_memory.hpp), and has done nothing then, where a device has none for the next tree.
  virtual std::unique_ptr<transferred_fields> transfer(const tree_change& to) = 0;

  /// What an own node has cost so far, by which ranks share the work; of one unit on all ranks.
  virtual double cost(int node) const = 0;

  /// Brings simulation::u() of own leaves, gravity() and light() up to date, for whoever reads them between steps.
  virtual void fetch() {}
  /// Bytes of a device's memory that it holds; 0 where there is none.
  virtual double device_bytes() const { return 0; }
};

/// from: null, or what another stepper of the same kind has left.
using stepper_maker = std::function<std::unique_ptr<stepper>(simulation&, std::unique_ptr<transferred_fields> from)>;

/// On the processor's cores, by batches of leaves as tasks.
std::unique_ptr<stepper> stepper_on_cores(simulation& s, std::unique_ptr<transferred_fields> from);

}  // namespace rednova::step
