// Parameters that had another name in an earlier version.
#pragma once

#include <string>
#include <vector>

#include "config/value.hpp"

namespace rednova::config {

/// Gives keys of earlier versions their present names and adds a warning for each. Throws core::user_error where both
/// names are given.
void rename_old_keys(document& given, std::vector<std::string>& warnings);

/// The same for "section.key=value" of the command line.
std::string with_present_name(const std::string& assignment, std::vector<std::string>& warnings);

}  // namespace rednova::config
