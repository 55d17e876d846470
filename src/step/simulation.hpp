// A run's whole state, and what the driver does with it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "config/parameters.hpp"
#include "core/units.hpp"
#include "eos/ideal_gas.hpp"
#include "exchange/halo_exchange.hpp"
#include "exec/for_each.hpp"
#include "gravity/solver.hpp"
#include "mesh/block_data.hpp"
#include "mesh/fields.hpp"
#include "mesh/partition.hpp"
#include "mesh/tree.hpp"
#include "regrid/migrate.hpp"
#include "step/engine.hpp"
#include "step/ledger.hpp"
#include "step/stars.hpp"

namespace rednova::step {

struct workspace;

/// The state of a simulation: all that a checkpoint holds, and what prepare() derives from it. All ranks hold the tree
/// and the numbers; of the fields each holds its own blocks, and halo copies of what it reads of others.
///
/// It starts with the uniform tree of par.mesh.min_level and all fields zero. Whoever sets another tree calls adopt(),
/// fills `u` on the rank's own leaves and calls prepare() (step/step.hpp).
struct simulation {
  simulation(const config::parameters& p, exec::context& c);
  simulation(const simulation&) = delete;
  simulation& operator=(const simulation&) = delete;
  ~simulation();

  config::parameters par;
  exec::context* context;
  core::units units;  ///< code units → cgs
  mesh::fields fields;
  eos::ideal_gas eos;
  mesh::tree tree;

  double time = 0;
  double dt = 0;  ///< of the last step
  std::int64_t step = 0;
  double rotation = 0;  ///< angular velocity of the grid; from par.mesh unless the problem sets it
  step::ledger ledger;
  orbit_count orbit;
  double orbits_before = 0;  ///< orbits() at the last look of the driver, before the last step

  star_species star_gas;  ///< which species are whose
  star_pair stars;        ///< where the stars are, after each step and prepare()

  /// Whose the blocks are.
  mesh::partition owners;
  /// This rank's share of the tree and its links with the others'; made by adopt().
  std::unique_ptr<exchange::halo_exchange> halo;
  /// Conserved fields (mesh::fields) of all nodes: evolved on leaves, restricted on refined nodes. Where a device
  /// carries out the steps they are up to date after engine::fetch(), and of another tree between adapt() and that.
  mesh::block_data u;
  /// gravity::result_field on leaves; empty without gravity. On a device as u.
  mesh::block_data gravity;
  std::optional<gravity::solver> gravity_solver;
  regrid::migration_counts migrations;
  /// Owners of blocks that were looked up since the start, and what that took.
  struct {
    std::int64_t resolved = 0;
    double seconds = 0;
  } addresses;
  /// Plans and buffers that belong to the tree, and who carries out its steps; made by prepare().
  std::unique_ptr<workspace> work;
  std::function<std::unique_ptr<engine>(simulation&)> make_engine = processor_engine;
  std::unique_ptr<engine> runs_on;

  /// From the tree before, for prepare(), which takes them in place of `u`.
  std::unique_ptr<transferred_fields> transferred;

  /// Takes a tree with its fields zero. The leaves are divided evenly among the ranks, or as `p` says. Plans and halo
  /// copies of the tree before are given up. All ranks call it.
  void adopt(mesh::tree t);
  void adopt(mesh::tree t, const mesh::partition& p);
  /// The same without the fields: `u` and `gravity` stay what they were, of no use but for their memory.
  void change_tree(mesh::tree t, const mesh::partition& p);

  /// How far from own leaves halo copies of others' blocks are wanted.
  exchange::reach reach() const { return par.refine.gradient > 0 ? exchange::reach::parents : exchange::reach::ghosts; }
  /// Contract: u and gravity are those of the present tree, for who reads them.
  void expect_fields() const;

  /// First and last+1 of this rank's leaves.
  const std::array<int, 2>& own_leaves() const { return halo->partition().leaves(); }
  /// Mass density of a leaf's cell: the sum of the species.
  double density(int leaf, int cell) const;
  /// Orbits since time 0: turns of the line between two stars' centres in the inertial frame; those of the grid where
  /// there are no two stars, and from where they have merged on. Negative if they go the other way.
  double orbits() const;

  /// This rank's share of a tree that is cut so; counts in `addresses`.
  mesh::local_partition look_up(const mesh::tree& t, const mesh::partition& p);
};

}  // namespace rednova::step
