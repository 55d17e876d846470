// What was asked of a binary's initial model and what was reached, as a table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/parameters.hpp"
#include "stellar/binary_figure.hpp"
#include "stellar/model.hpp"

namespace rednova::stellar {

/// What the run makes of the model, for its report.
struct run_settings {
  int gravity_order = 4;
  double slowdown = 0;  ///< share of the velocity that the gas is short of at time 0
};

/// Lengths, masses and times in the units that the note names; code units where it names none.
struct model_report {
  struct row {
    std::string what;
    double asked;  ///< not a number: left open
    double reached;
    std::string note;  ///< unit or meaning
  };
  int iterations;
  std::int64_t cells;
  int gravity_order;
  double change;  ///< of the density in the last iteration, as a share of the mass
  std::vector<row> rows;
  std::vector<std::string> warnings;

  /// A few lines for people.
  std::string text() const;
};

model_report report(const binary_request& asked, const model& reached, config::unit_system units,
                    const run_settings& settings);

}  // namespace rednova::stellar
