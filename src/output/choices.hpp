// What an input's section [output] chooses, looked at before the run begins.
#pragma once

#include <functional>
#include <string>

#include "config/parameters.hpp"

namespace rednova::output {

/// A user_error where [output] names fields, planes or axes that this run does not have, or a cadence of nothing.
/// place("section.key") says where a key was set.
void expect_choices(const config::parameters& p, const std::function<std::string(const std::string&)>& place);

}  // namespace rednova::output
