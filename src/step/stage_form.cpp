#include "step/stage_form.hpp"

namespace rednova::step {

std::vector<stage_form> stages(config::integrator scheme) {
  if (scheme == config::integrator::rk2) {
    return {{.a = 0,
             .b = 1,
             .pull = 1,
             .from_start = 1,
             .from_here = 1,
             .flux_weight = 0.5,
             .floor_weight = 0.5,
             .begins = 0},
            {.a = 0.5,
             .b = 0.5,
             .pull = 0,
             .from_start = 1,
             .from_here = 0,
             .flux_weight = 0.5,
             .floor_weight = 1,
             .begins = 1}};
  }
  // The weights of a state add up to one to the last bit, or mass would drift by their defect in every step.
  const double b3 = 2.0 / 3, a3 = 1 - b3;
  return {{.a = 0,
           .b = 1,
           .pull = 1,
           .from_start = 1,
           .from_here = 1,
           .flux_weight = b3 / 4,
           .floor_weight = b3 / 4,
           .begins = 0},
          {.a = 0.75,
           .b = 0.25,
           .pull = 0.25,
           .from_start = 0.5,
           .from_here = -0.5,
           .flux_weight = b3 / 4,
           .floor_weight = b3,
           .begins = 1},
          {.a = a3,
           .b = b3,
           .pull = a3 / 2,
           .from_start = 1,
           .from_here = 0.5,
           .flux_weight = b3,
           .floor_weight = 1,
           .begins = 0.5}};
}

}  // namespace rednova::step
