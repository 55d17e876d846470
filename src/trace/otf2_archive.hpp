// A trace as an archive of the Open Trace Format 2, which Vampir, ViTE and Score-P's tools read.
#pragma once

#include <string>

#include "trace/trace.hpp"

namespace rednova::trace {

/// Writes traces.otf2 and what belongs to it into a folder, in place of an archive that is there: a location for each
/// thread and each queue of a device, phases as regions, messages as those of MPI. Tasks shorter than trace::shortest
/// are left out, as other scopes were before.
/// @throws core::user_error if it cannot be written.
void write_archive(const trace& t, const std::string& folder);

}  // namespace rednova::trace
