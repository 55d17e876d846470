// Files of a run with a number in their names, such as checkpoint_000120.h5.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rednova::output {

struct numbered_file {
  std::int64_t number;
  std::string path;

  auto operator<=>(const numbered_file&) const = default;
};

/// All files "<kind>_<digits><ending>" of a directory ("": the current one), by their numbers; none where there is no
/// such directory.
std::vector<numbered_file> numbered_files(const std::string& directory, std::string_view kind, std::string_view ending);

}  // namespace rednova::output
