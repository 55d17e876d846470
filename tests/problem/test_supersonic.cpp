// Gas that is faster than its sound, beside gas that is a million times thinner.
#include <gtest/gtest.h>

#include "simulated.hpp"
#include "step/step.hpp"

namespace rednova::problem::test {
namespace {

// A star and its atmosphere leave a boundary at three times the star's sound speed, along an axis and across the mesh.
// Steep edges of the star then drain thin cells or leave momentum in them without mass, which first-order fluxes mend;
// a cell that they miss ends with the density floor's mass and any velocity, and takes the time step with it.
TEST(supersonic_star, keeps_its_time_step) {
  exec::context context;
  for (const char* velocity : {"[3,1,0]", "[6,2,0]", "[3,3,3]"}) {
    simulated r(context, "star_in_motion", {fmt::format("problem.velocity={}", velocity)});
    step::advance(*r.state, 1e9);
    const double first = r.state->dt();
    for (int n = 0; n < 5; ++n) step::advance(*r.state, 1e9);
    // Gas that falls into the void behind the star is a little faster than the star.
    EXPECT_GT(r.state->dt(), 0.5 * first) << velocity;
    EXPECT_LT(std::abs(r.state->ledger().remainder().energy), 1e-12 * r.state->ledger().magnitude.energy) << velocity;
  }
}

}  // namespace
}  // namespace rednova::problem::test
