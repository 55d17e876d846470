// Where a file comes from: written into every file, so that any of them can be repeated.
#pragma once

#include <cstdint>
#include <string>

namespace rednova::output {

struct provenance {
  std::string input;    ///< the effective input (file and overrides) as TOML
  std::string version;  ///< of the program
  std::string commit;   ///< of the sources
  /// When this start of the run began, in ns since 1970 by rank 0's clock; 0: nothing was started. Profile and trace
  /// have it, so that those of another start or restart are not taken for theirs.
  std::int64_t started_ns = 0;
};

}  // namespace rednova::output
