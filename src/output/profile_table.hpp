// The profile for people.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rednova::output {

/// Of the ranks of profile.json (docs/profile.md): phases by their share of the threads' time, those of devices by
/// their share of the wall time, and what ranks took of their machines.
std::string profile_table(const std::vector<nlohmann::ordered_json>& ranks);

}  // namespace rednova::output
