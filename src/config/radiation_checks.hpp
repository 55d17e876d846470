// What contradicts itself in [radiation].
#pragma once

#include "config/checks.hpp"

namespace rednova::config {

/// Throws core::user_error; by value, since a file of all values gives them all.
void check_radiation(const parameters& p, const std::function<std::string(const std::string&)>& place);

}  // namespace rednova::config
