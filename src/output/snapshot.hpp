// Snapshots for analysis: HDF5 that yt opens with its Parthenon front end, and an XDMF file for ParaView and VisIt.
#pragma once

#include <string>

#include "output/provenance.hpp"
#include "step/simulation.hpp"

namespace rednova::output {

/// What temperatures of ideal gas without light are for (p = rho k T / (mu m_u)), of which the simulation itself knows
/// none. 0.6: ionised gas of solar composition.
inline constexpr double mean_molecular_weight = 0.6;

/// Writes `path` (which ends in .phdf) and, beside it, the same name with .xdmf. docs/files.md lists what is in it.
///
/// Only leaf blocks are written, along the Morton curve. Lengths, masses and times are in code units, whose values
/// in cgs are in the file. A file of that name appears only when it is complete.
/// Throws core::user_error if it cannot be written.
void write_snapshot(const std::string& path, const step::simulation& s, const provenance& from);

}  // namespace rednova::output
