// The table of all parameters for the documentation, made from what the configuration structs say of themselves.
#pragma once

#include <string>
#include <vector>

#include "config/section_reader.hpp"

namespace rednova::config {

/// A problem with its own parameters.
struct problem_rows {
  std::string name, summary;
  std::vector<parameter_row> rows;
};

/// The page docs/parameters.md (Markdown).
std::string manual(const std::vector<problem_rows>& problems);

}  // namespace rednova::config
