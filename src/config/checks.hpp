// What must hold between sections of the input.
#pragma once

#include <functional>
#include <string>

#include "config/parameters.hpp"

namespace rednova::config {

/// Largest number of passive species.
inline constexpr int max_species = 8;

/// Throws core::user_error where parameters contradict each other. place("section.key") says where a key was
/// set, for the message.
void check(const parameters& p, const std::function<std::string(const std::string&)>& place);

}  // namespace rednova::config
