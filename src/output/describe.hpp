// What `rednova info` says of a file.
#pragma once

#include <string>

namespace rednova::output {

/// A few lines on a file of a run: kind, version, time, mesh by level, species, fields; of a checkpoint also
/// the digests, for which its checksum is verified. Throws core::user_error for what is neither, or damaged.
std::string describe(const std::string& path);

}  // namespace rednova::output
