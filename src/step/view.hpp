// What the phases of a stage read and write, as plain pointers: functions see this that host and device compile alike.
#pragma once

#include "eos/gas.hpp"
#include "exchange/face_plan.hpp"
#include "hydro/floors.hpp"
#include "mesh/fields.hpp"
#include "mesh/view.hpp"

namespace rednova::step {

class simulation;
struct workspace;

/// Values a face: index f + (N+1)(a + N b) for each direction, as hydro::block_output::mass_flux.
inline constexpr int face_values = (mesh::N + 1) * mesh::N * mesh::N;

/// What gravity's work is made of: the density, which is also what the solver takes, and the potential sum, twice the
/// mean potential of the step so far: that at its start plus that now.
inline constexpr int work_density = 0, work_potential_sum = 1, work_input_fields = 2;

/// A stage's state. Blocks of gravity are null without it.
struct state_view {
  mesh::tree_view tree;
  mesh::field_numbers fields;
  eos::gas eos;
  hydro::floor_limits limits;
  double tracer_share;    ///< config::hydro::dual_energy_update
  double pressure_share;  ///< config::hydro::dual_energy_pressure
  double rotation;        ///< angular velocity of the grid about z
  bool spin;              ///< config::hydro::spin
  bool fixed;             ///< whether a boundary of the domain is

  mesh::block_view<double> u;                              ///< conserved fields of nodes before the stage
  mesh::block_view<double> next;                           ///< and after it
  mesh::block_view<double> start;                          ///< at the start of the step, of own leaves
  mesh::block_view<double> gravity;                        ///< gravity::result_field of own leaves
  mesh::block_view<double> start_potential, gravity_work;  ///< of own leaves
  mesh::block_view<double> work_inputs;                    ///< of own leaves and of those behind them
  mesh::block_view<double> floor_density;    ///< of own leaves: added by floors in this step, by the stages' weights
  mesh::block_view<const double> stiffness;  ///< stiffness_cells' of own leaves; null without light
  /// Mass that flowed through each face since the start of the step over dt, before and after this stage, by the
  /// stage's parity: [own leaf][3][face_values].
  double* mass_flow[2];
  int first_leaf;  ///< of this rank
  exchange::face_view faces;

  REDNOVA_FN bool has_gravity() const { return gravity.values != nullptr; }
  /// The stage's mass flow of a leaf through its faces in a direction.
  REDNOVA_FN double* flow(int which, int leaf, int direction) const {
    return mass_flow[which] + (static_cast<std::ptrdiff_t>(leaf - first_leaf) * 3 + direction) * face_values;
  }
};

/// That of a simulation without what stands in memory; the tree's nodes are the simulation's.
state_view view_without_arrays(const simulation& s);

/// That on the processor's cores as it is now, before simulation::u() and workspace::next change places.
state_view view(simulation& s, workspace& w);

}  // namespace rednova::step
