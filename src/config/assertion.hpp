// The section [test]: what the test suite asserts of a run of an input. The program itself only looks for mistyped
// keys.
#pragma once

#include <string>
#include <vector>

#include "config/parameter.hpp"

namespace rednova::config {

struct assertion {
  static constexpr const char* section = "test";
  std::vector<std::string> coarse, judged;
  double error = 0, order = 0;
  double central_density = 0, centre = 0;

  template <class V>
  void visit(V& v) {
    v("coarse", coarse, any_number(), "overrides (section.key=value) for the coarser of two runs; with `order`");
    v("judged", judged, any_number(), "overrides for the run that is judged");
    v("error", error, not_negative(), "largest L1 error of the density over its mean");
    v("order", order, not_negative(), "least order between the coarser run and one with half its cell width");
    v("central_density", central_density, not_negative(), "largest relative error of the largest density");
    v("centre", centre, not_negative(), "largest error of the centre of mass of the first species, in finest cells");
  }
};

}  // namespace rednova::config
