// Standard output and error that may be full or closed.
#pragma once

namespace rednova::command {

/// From here to the end of the process, what cannot be printed is dropped and noted: a run whose log has no room goes
/// on to its end. A closed pipe is no error (reader_may_leave), nor are streams that are closed from the start. A
/// terminal, which is never full, stays as it is.
void watch_output();

/// Flushes standard output; gives the errno of what could not be printed there first, or 0.
int output_error();

}  // namespace rednova::command
