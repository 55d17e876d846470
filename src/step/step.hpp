// One step of the simulation as a list of phases.
#pragma once

#include "step/simulation.hpp"

namespace rednova::step {

/// Derives what follows from the leaves' conserved fields: refined nodes, gravity, the ledger's sums. Called
/// after the initial model, after a restart and after the mesh was adapted. Same input, same bits.
void prepare(simulation& s);

/// Advances by one time step of at most dt_max; updates time, dt, step and the ledger.
void advance(simulation& s, double dt_max);

/// Adapts the mesh by the criteria of par.refine; true if it changed. The ledger notes what that changes. On a device
/// fields are the host's again after engine::fetch().
bool adapt(simulation& s);

}  // namespace rednova::step
