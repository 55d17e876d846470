// Where a file comes from: written into every file, so that any of them can be repeated.
#pragma once

#include <string>

namespace rednova::output {

struct provenance {
  std::string input;    ///< the effective input (file and overrides) as TOML
  std::string version;  ///< of the program
  std::string commit;   ///< of the sources
};

}  // namespace rednova::output
