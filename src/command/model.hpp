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

/// A user_error where the mesh that the run begins with cannot fit into this machine's memory.
void expect_memory(const config::input& in, const config::parameters& par);

/// A user_error, said by all ranks, where the input counts turns of a grid that does not turn.
void expect_turning(const config::input& in, const step::simulation& s);

/// A user_error, said by all ranks, where snapshots would follow each other so closely that time stood still.
void expect_snapshots_apart(const config::input& in, step::simulation& s);

/// Prints what a model has come to that was found for this problem, if there is such.
void say_model(const model& m);

/// Prints what was asked of an initial model and what was reached.
void say_reached(const stellar::model_report& reached);

/// Prints a warning where the initial model is not the one that was asked for, as on a mesh that is too coarse.
void warn_of_model(const model& m, const step::simulation& s);

/// Prints a warning where a limit would change the initial model, which only the ledger's floors would show otherwise:
/// where hydro.specific_energy_ceiling is below the heat of what it holds for and is denser than 1e-3 of the densest,
/// or holds for the stars themselves, and where hydro.density_floor or energy_floor is not below its thinnest or
/// coldest gas.
void warn_of_limits(const step::simulation& s);

/// Prints the input's warnings on standard error, once for all ranks.
void say_warnings(const config::input& in);

}  // namespace rednova::command
