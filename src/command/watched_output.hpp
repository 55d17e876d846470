// Standard output that may be full.
#pragma once

namespace rednova::command {

/// From here to the end of the process, what cannot be printed is dropped and noted: a run whose log has no room goes
/// on to its end. A closed pipe is no error (reader_may_leave). A terminal, which is never full, stays as it is.
void watch_output();

/// Flushes; gives the errno of what could not be printed first, or 0.
int output_error();

}  // namespace rednova::command
