// What small files of a run begin with: when it was, in which units, and where it comes from.
#pragma once

#include "output/hdf5.hpp"
#include "output/provenance.hpp"
#include "step/simulation.hpp"

namespace rednova::output {

/// Attributes of the root: version, commit, time, step, orbits, rotation and angle of the grid, units, domain; and the
/// dataset `input`.
void write_file_head(hdf5_file& file, const step::simulation& s, const provenance& from);

}  // namespace rednova::output
