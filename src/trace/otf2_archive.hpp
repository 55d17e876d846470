// A trace as an archive of the Open Trace Format 2, which Vampir, ViTE and Score-P's tools read.
#pragma once

#include <string>
#include <vector>

#include "trace/load.hpp"
#include "trace/trace.hpp"

namespace rednova::trace {

/// Writes traces.otf2 and what belongs to it into a folder, in place of an archive that is there: a location for each
/// thread and each queue of a device, phases as regions, messages as those of MPI, and for each rank a location of what
/// it took of its machine, as metrics. Times are whole microseconds. Tasks of whose time less than trace::shortest is
/// outside of the phases in them are left out, as shorter scopes were before.
/// @throws core::user_error if it cannot be written.
void write_archive(const trace& t, const std::vector<rank_load>& load, const std::string& folder);

}  // namespace rednova::trace
