// From an input to the parameters and the problem that it names.
#pragma once

#include <memory>

#include "config/reader.hpp"
#include "problem/problem.hpp"

namespace rednova::command {

struct model {
  config::parameters par;
  std::unique_ptr<problem::problem> problem;
};

/// Reads all sections; what is wrong in any of them is a core::user_error.
model load(config::input& in);

/// Prints a warning where hydro.heat_ceiling lies below the heat that the initial model's stars have (their gas: what
/// is denser than 1e-3 of the densest): it would cool them, and only the ledger's floors would show it.
void warn_of_low_ceiling(const step::simulation& s);

}  // namespace rednova::command
