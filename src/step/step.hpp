// One step of the simulation as a list of phases.
#pragma once

#include <memory>
#include <optional>

#include "regrid/criteria.hpp"
#include "step/simulation.hpp"

namespace rednova::step {

/// Derives what follows from the leaves' conserved fields: refined nodes, gravity, the ledger's sums. Called
/// after the initial model, after a restart and after the mesh was adapted. Same input, same bits.
/// from: the fields of own leaves in place of simulation::u(), by adapt().
void prepare(simulation& s, std::unique_ptr<transferred_fields> from = nullptr);

/// Advances by one time step of at most dt_max; updates time, dt, step and the ledger.
/// lands_at: the time, to the last bit, that a step of dt_max ends at.
void advance(simulation& s, double dt_max, std::optional<double> lands_at = {});

/// Those of par.refine, and spheres about the point masses that are to have par.point_masses.cells to their softening.
regrid::criteria refinement_criteria(const simulation& s);

/// Adapts the mesh by these criteria; true if it changed. The ledger notes what that changes. On a device
/// fields are the host's again after stepper::fetch().
bool adapt(simulation& s);

/// On several ranks moves blocks to where the steps since the mesh changed say that they should be, if that lowers the
/// largest load by more than this share. The mesh and its fields stay.
void rebalance(simulation& s, double threshold);

/// Between steps: goes on on the next tree, whose blocks have these owners. The ledger notes what that changes.
/// Contract: after stepper::refinement_flags(), if it is another tree.
void change_mesh(simulation& s, mesh::tree next, const mesh::partition& owners);

/// From now on the grid rotates at another rate. Gas stays as it is, for its momenta are those of the inertial frame;
/// the axes go on from where they are. All ranks call it, between steps.
void rotate_grid(simulation& s, double rate);

}  // namespace rednova::step
