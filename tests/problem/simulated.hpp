// A simulation of an input file or text, for tests: made, initialised and run in a line.
#pragma once

#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/reader.hpp"
#include "problem/error.hpp"
#include "problem/problem.hpp"
#include "step/driver.hpp"
#include "step/step.hpp"

namespace rednova::problem::test {

inline const std::filesystem::path problems = PROBLEMS;

using overrides = std::vector<std::string>;

class simulated {
 public:
  simulated(exec::context& context, config::input in) : par_(in.read_parameters()) {
    what = make(in, par_);
    what->expect_suits(in, par_);
    state = std::make_unique<step::simulation>(par_, context);
    reached = what->initialize(*state);
  }
  /// From problems/<name>.toml.
  simulated(exec::context& context, const std::string& name, const overrides& set)
      : simulated(context, config::input::from_file((problems / (name + ".toml")).string(), set)) {}

  simulated& run() {
    const volatile std::sig_atomic_t signal = 0;
    step::run(*state, {}, signal);
    return *this;
  }
  error_norms error() const { return l1_error(*state, *what); }

  std::unique_ptr<problem> what;
  std::unique_ptr<step::simulation> state;
  std::optional<stellar::model_report> reached;  ///< of an initial model that has one

 private:
  config::parameters par_;
};

/// Mass density of a leaf's cell.
inline double density(const step::simulation& s, int leaf, int cell) {
  double rho = 0;
  for (int k = 0; k < s.fields().species(); ++k) rho += s.u().at(leaf, k)[cell];
  return rho;
}

}  // namespace rednova::problem::test
