// What was asked of a binary's initial model and what was reached, as a table.
#pragma once

#include <string>

#include "config/parameters.hpp"
#include "stellar/binary_figure.hpp"
#include "stellar/model.hpp"

namespace rednova::stellar {

/// What the run makes of the model, for its report.
struct run_settings {
  int gravity_order = 4;
  double slowdown = 0;  ///< share of the velocity that the gas is short of at time 0
};

/// A few lines of text; lengths, masses and times with their units where the system has any.
std::string report(const binary_request& asked, const model& reached, config::unit_system units,
                   const run_settings& settings);

}  // namespace rednova::stellar
