// What was asked of a binary's initial model and what was reached, as a table.
#pragma once

#include <string>

#include "config/parameters.hpp"
#include "stellar/binary_figure.hpp"
#include "stellar/model.hpp"

namespace rednova::stellar {

/// A few lines of text; lengths, masses and times with their units where the system has any.
std::string report(const binary_request& asked, const model& reached, config::unit_system units);

}  // namespace rednova::stellar
