// A run's whole state, and what the driver does with it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "config/parameters.hpp"
#include "core/units.hpp"
#include "eos/gas.hpp"
#include "exchange/halo_exchange.hpp"
#include "exec/for_each.hpp"
#include "mesh/block_data.hpp"
#include "mesh/fields.hpp"
#include "mesh/partition.hpp"
#include "mesh/tree.hpp"
#include "regrid/migrate.hpp"
#include "step/ledger.hpp"
#include "step/particles.hpp"
#include "step/point_masses.hpp"
#include "step/rotation.hpp"
#include "step/stars.hpp"
#include "step/stepper.hpp"

namespace rednova::step {

/// How far a run has come: what a checkpoint holds beside the tree and the fields.
struct epoch {
  double time = 0;
  double dt = 0;  ///< of the last step
  std::int64_t step = 0;
  grid_turn turn;  ///< of the grid
  step::ledger ledger;
  orbit_count orbit;
  point_masses points;
  std::vector<tracer_particle> particles = {};
};

/// The state of a run. All ranks hold the tree and the numbers; of the fields each holds its own blocks, and halo
/// copies of what it reads of others. Anyone may read it, and fill the fields of own leaves; time, ledger and mesh
/// change by advance(), adapt(), rebalance() and rotate_grid() (step/step.hpp).
///
/// It starts with the uniform tree of par().mesh.min_level and all fields zero. A problem or a checkpoint sets another
/// tree by adopt() and its numbers by begin() or restore(), fills u() on the rank's own leaves and calls prepare().
class simulation {
 public:
  simulation(const config::parameters& p, exec::context& c);
  simulation(const simulation&) = delete;
  simulation& operator=(const simulation&) = delete;
  ~simulation();

  const config::parameters& par() const { return par_; }
  /// From the next step on. Contract: [refine], [output], [run], mesh.regrid_interval and hydro.cfl alone may differ.
  void set_parameters(const config::parameters& p) { par_ = p; }
  exec::context& context() const { return *context_; }
  const core::units& units() const { return units_; }  ///< code units → cgs
  const mesh::fields& fields() const { return fields_; }
  const eos::gas& eos() const { return eos_; }

  double time() const { return now_.time; }
  double dt() const { return now_.dt; }  ///< of the last step
  std::int64_t step() const { return now_.step; }
  double rotation() const { return now_.turn.rate; }           ///< angular velocity of the grid
  double grid_angle() const { return grid_angle(now_.time); }  ///< by which it has turned since time 0
  /// The same at another time since rotation() is what it is.
  double grid_angle(double time) const { return now_.turn.at(time); }
  const step::ledger& ledger() const { return now_.ledger; }
  const orbit_count& orbit() const { return now_.orbit; }
  /// Orbits since time 0: turns of the line between two stars' centres in the inertial frame; those of the grid where
  /// there are no two stars, and from where they have merged on. Negative if they go the other way.
  double orbits() const;
  double orbits_before() const { return orbits_before_; }  ///< the last step
  const epoch& now() const { return now_; }
  /// Before prepare(): time 0, on a grid that rotates so, with the point masses of par() and further ones. Contract: at
  /// most max_point_masses in all.
  void begin(double rotation, const std::vector<point_mass>& more = {});
  /// Before prepare(), of a start with light: the pressure of u() is that of a model in balance, of which the light
  /// that the gas will trap bears a part.
  void share_pressure_with_light() { light_shares_pressure_ = true; }
  bool light_shares_pressure() const { return light_shares_pressure_; }
  /// Before prepare(): the numbers of a checkpoint.
  void restore(epoch e) {
    now_ = std::move(e);
    dark_ = false;
  }

  const point_masses& points() const { return now_.points; }
  const point_masses& points_before() const { return points_before_; }  ///< at the start of the last step
  const gas_pulls& pulls() const { return pulls_; }  ///< of the gas on the points, after prepare() and advance()

  const std::vector<tracer_particle>& particles() const { return now_.particles; }

  const star_species& star_gas() const { return star_gas_; }  ///< which species are whose
  const star_pair& stars() const { return stars_; }           ///< where the stars are, after each step and prepare()

  const mesh::tree& tree() const { return tree_; }
  const mesh::partition& owners() const { return owners_; }  ///< whose the blocks are
  /// This rank's part of the tree and its exchange with the others'; another after adopt().
  exchange::halo_exchange& halo() const { return *halo_; }
  /// First and last+1 of this rank's leaves.
  const std::array<int, 2>& own_leaves() const { return halo_->partition().leaves(); }
  /// Which halo copies of others' blocks this rank stores.
  exchange::reach reach() const {
    const config::refine& by = par_.refine;
    const bool slopes = by.gradient > 0 || by.cells_per_scale_height > 0 || by.photosphere_level > 0;
    return slopes ? exchange::reach::parents : exchange::reach::ghosts;
  }
  /// Takes a tree with its fields zero. The leaves are divided evenly among the ranks, or as `p` says. Plans and halo
  /// copies of the tree before are given up. All ranks call it.
  void adopt(mesh::tree t);
  void adopt(mesh::tree t, const mesh::partition& p);
  /// As adopt() without the fields: u() and gravity() stay what they were, of no use but for their memory.
  void change_tree(mesh::tree t, const mesh::partition& p);

  /// Conserved fields (mesh::fields) of all nodes: evolved on leaves, restricted on refined nodes. Where a device
  /// carries out the steps they are up to date after stepper::fetch(), and of another tree between adapt() and that.
  const mesh::block_data& u() const { return u_; }
  mesh::block_data& u() { return u_; }
  /// gravity::result_field on leaves; empty without gravity. On a device as u().
  const mesh::block_data& gravity() const { return gravity_; }
  mesh::block_data& gravity() { return gravity_; }
  /// radiation::field::count on own leaves; empty without radiation. Of a run's start prepare() makes it. On a device
  /// as u(), and up to date after stepper::sum(), too.
  const mesh::block_data& light() const { return light_; }
  mesh::block_data& light() { return light_; }
  /// Contract: u(), gravity() and light() are those of the present tree, for who reads them.
  void expect_fields() const;
  /// Mass density of a leaf's cell: the sum of the species.
  double density(int leaf, int cell) const;

  /// What carries out the steps; made by prepare(), on cores unless other makers are given before.
  step::stepper& stepper() const { return *stepper_; }
  void step_with(stepper_maker make) { make_stepper_ = std::move(make); }

  /// Blocks that changed their rank.
  const regrid::migration_counts& migrations() const { return migrations_; }
  /// Owners of blocks that were looked up since the start, and what that took.
  struct owner_lookups {
    std::int64_t resolved = 0;
    double seconds = 0;
  };
  const owner_lookups& lookups() const { return lookups_; }

 private:
  friend void prepare(simulation& s, std::unique_ptr<transferred_fields> from);
  friend void advance(simulation& s, double dt_max, std::optional<double> lands_at);
  friend void change_mesh(simulation& s, mesh::tree next, const mesh::partition& owners);
  friend void rotate_grid(simulation& s, double rate);

  /// This rank's part of a tree that is cut so; counts in lookups().
  mesh::local_partition look_up(const mesh::tree& t, const mesh::partition& p);

  config::parameters par_;
  exec::context* context_;
  core::units units_;
  mesh::fields fields_;
  eos::gas eos_;
  mesh::tree tree_;
  epoch now_;
  bool light_shares_pressure_ = false;
  bool dark_ = true;  ///< the next prepare() makes the light of a start
  double orbits_before_ = 0;
  point_masses points_before_;
  gas_pulls pulls_;
  star_species star_gas_;
  star_pair stars_;
  mesh::partition owners_;
  std::unique_ptr<exchange::halo_exchange> halo_;
  mesh::block_data u_, gravity_, light_;
  regrid::migration_counts migrations_;
  owner_lookups lookups_;
  stepper_maker make_stepper_ = stepper_on_cores;
  std::unique_ptr<step::stepper> stepper_;
};

}  // namespace rednova::step
