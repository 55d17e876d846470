// Tracer particles at one time: where they are, and what the gas there is.
#pragma once

#include <string>

#include "output/provenance.hpp"
#include "step/simulation.hpp"

namespace rednova::output {

/// Whether the input asks for any.
inline bool has_tracers(const config::parameters& p) { return p.tracers.count > 0; }

/// Writes all particles, with output.tracer_fields of the cells that hold them, to one HDF5 file; docs/tracers.md says
/// what is in it. The same bits on any number of ranks and threads; all ranks call it.
/// A file of that name appears only when it is complete. Throws core::user_error if it cannot be written.
void write_tracers(const std::string& path, const step::simulation& s, const provenance& from);

}  // namespace rednova::output
