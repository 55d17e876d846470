// How a problem is made of its section of the input: for the files of the problems, which instantiate it.
#pragma once

#include "problem/problems.hpp"

namespace rednova::problem {

/// Problem::parameters: the keys of [problem]; Problem is made of these, the other sections, and the input, which says
/// where a key was given.
template <class Problem>
made make_problem(config::input& in, config::parameters& par) {
  typename Problem::parameters p;
  in.read(p);
  return std::make_unique<Problem>(p, par, in);
}

}  // namespace rednova::problem
