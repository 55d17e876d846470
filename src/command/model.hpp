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

}  // namespace rednova::command
