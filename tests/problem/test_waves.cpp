// Plane waves of each family through one period, against the exact solution.
#include <gtest/gtest.h>

#include <cmath>

#include "simulated.hpp"

namespace rednova::problem::test {
namespace {

struct wave {
  const char* family;
  double velocity;
  const char* reconstruction;
  double error;  ///< at 128 cells, relative to the amplitude
  double order;
};

class linear_wave : public testing::TestWithParam<wave> {};

TEST_P(linear_wave, converges) {
  const wave& p = GetParam();
  exec::context context;
  const double amplitude = 1e-7;  // the sound wave steepens by its square, which the exact solution leaves out
  const auto error = [&](int blocks) {
    simulated run(context, "linear_wave",
                  {fmt::format("problem.family=\"{}\"", p.family), fmt::format("problem.velocity={}", p.velocity),
                   fmt::format("problem.amplitude={}", amplitude), "problem.normal=[1,0,0]", "problem.wavelength=1",
                   "run.end_time=1", fmt::format("hydro.reconstruction=\"{}\"", p.reconstruction),
                   fmt::format("mesh.base_blocks=[{},1,1]", blocks), fmt::format("mesh.base_width={}", 1.0 / blocks)});
    return run.run().error().all() / amplitude;
  };
  const double coarse = error(8), fine = error(16);
  std::printf("    L1 error over amplitude %.3e, %.3e: order %.2f\n", coarse, fine, std::log2(coarse / fine));
  EXPECT_LT(fine, p.error);
  EXPECT_GE(std::log2(coarse / fine), p.order);
}

// Linear waves show the order of space (5) and time (3) alone: 3.0 to 3.4 for PPM, less what rounding
// leaves at 1e-7 of the background. PLM comes to 2 from below.
INSTANTIATE_TEST_SUITE_P(families, linear_wave,
                         testing::Values(wave{"sound", 0, "ppm", 1e-5, 2.7}, wave{"entropy", 1, "ppm", 4e-6, 2.7},
                                         wave{"shear", 1, "ppm", 7e-6, 2.7}, wave{"sound", 0, "plm", 4e-3, 1.8}),
                         [](const auto& i) { return std::string(i.param.family) + "_" + i.param.reconstruction; });

}  // namespace
}  // namespace rednova::problem::test
