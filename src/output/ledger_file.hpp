// ledger.json: the ledger of the conserved quantities, for people and programs.
#pragma once

#include <string>

#include "output/provenance.hpp"
#include "step/simulation.hpp"

namespace rednova::output {

/// The ledger as JSON: quantity → grid, outflow, floors, regrid, remainder, relative (as in
/// diagnose::relative_remainder), and also initial, magnitude (the sum of absolute values on the grid) and
/// outflow_by_side (x lower, x upper, y lower …). Vectors are arrays. `conserved` is false for an angular momentum that
/// has no law in this box (diagnose::angular_momentum_law); then `conserved_components` and `reason` tell more. `note`
/// says what the scheme loses, if it does. The key `flow` is the angular momentum of the momenta alone; `drift` is its
/// drift as a share of `scale`, with sign (diagnose::flow_drift). The key `run` says where the file comes from.
std::string ledger_json(const step::simulation& s, const provenance& from);

/// Replaces the file at once.
void write_ledger(const std::string& path, const step::simulation& s, const provenance& from);

}  // namespace rednova::output
