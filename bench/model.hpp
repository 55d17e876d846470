// The simulation of an input at time 0.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "problem/problem.hpp"
#include "step/step.hpp"

namespace rednova {

/// The problem stays with its simulation, for it may be asked again.
struct model {
  std::unique_ptr<problem::problem> problem;
  std::unique_ptr<step::simulation> s;

  model(const std::string& file, const std::vector<std::string>& overrides, exec::context& context) {
    config::input in = config::input::from_file(file, overrides);
    config::parameters par = in.read_parameters();
    problem = problem::make(in, par);
    problem->expect_suits(in, par);
    in.expect_all_read();
    s = std::make_unique<step::simulation>(par, context);
    problem->initialize(*s);
  }
  double cells() const { return static_cast<double>(s->tree().leaves()) * mesh::cells; }
};

}  // namespace rednova
