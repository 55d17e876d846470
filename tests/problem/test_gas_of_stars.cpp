// Flow of ionized gas with recombination energy and radiation (eos.model = "stellar").
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "config/units.hpp"
#include "core/check.hpp"
#include "problem/simulated.hpp"

namespace rednova::problem::test {
namespace {

const core::units solar = config::units_of(config::unit_system::solar);

std::string density(double cgs) { return fmt::format("{:.17g}", cgs / solar.density()); }
std::string pressure(double cgs) { return fmt::format("{:.17g}", cgs / solar.pressure()); }

/// A tube of so many blocks whose left side is ionized and whose right side is neutral: 1e-6 and 2.5e-7 g/cm^3 at
/// 20 000 K and 6000 K or so. The shock ionizes some of the hydrogen, the fan lets some recombine.
overrides tube(int blocks) {
  return {"mesh.max_level=0",
          fmt::format("mesh.base_blocks=[{},1,1]", blocks),
          fmt::format("mesh.base_width={}", 1.0 / blocks),
          "units.system=\"solar\"",
          "eos.model=\"stellar\"",
          "hydro.density_floor=1e-12",
          "hydro.energy_floor=1e-20",
          "problem.left_density=" + density(1e-6),
          "problem.left_pressure=" + pressure(2e6),
          "problem.right_density=" + density(2.5e-7),
          "problem.right_pressure=" + pressure(1e5)};
}

double tube_error(int blocks) {
  exec::context context;
  overrides set = tube(blocks);
  set.push_back(fmt::format("run.end_time={}", 0.2 / std::sqrt(2e12) * solar.velocity()));
  simulated run(context, "sod", set);
  const error_norms e = run.run().error();
  return e.density / e.exact_density;
}

/// Against the exact solution of this gas.
TEST(gas_of_stars, shock_tube_in_the_ionization_zone_converges) {
  const double coarse = tube_error(8), fine = tube_error(16);
  std::printf("    L1 errors of density %.3e, %.3e: order %.2f\n", coarse, fine, std::log2(coarse / fine));
  EXPECT_LT(fine, 0.012);
  EXPECT_GT(std::log2(coarse / fine), 0.75);
}

/// Sound of a small amplitude in half-ionized hydrogen, whose speed is that of Gamma1.
double wave_error(int blocks) {
  exec::context context;
  simulated run(context, "linear_wave",
                {"mesh.base_blocks=[" + std::to_string(blocks) + ",1,1]", "mesh.lower=[0,0,0]",
                 fmt::format("mesh.base_width={}", 1.0 / blocks), "mesh.min_level=0", "mesh.max_level=0",
                 "problem.normal=[1,0,0]", "problem.wavelength=1", "problem.family=\"sound\"", "problem.amplitude=1e-5",
                 "units.system=\"solar\"", "eos.model=\"stellar\"", "hydro.density_floor=1e-12",
                 "hydro.energy_floor=1e-20", "problem.density=" + density(1e-6), "problem.pressure=" + pressure(1.5e6),
                 "problem.velocity=0", fmt::format("run.end_time={}", 0.7 / std::sqrt(1.8e12) * solar.velocity())});
  return run.run().error().density;
}

TEST(gas_of_stars, sound_converges) {
  const double coarse = wave_error(2), fine = wave_error(4);
  std::printf("    L1 errors of density %.3e, %.3e: order %.2f\n", coarse, fine, std::log2(coarse / fine));
  EXPECT_GT(std::log2(coarse / fine), 2.7);  // the order in time is 3
}

/// A state that the table does not hold ends the run, with the place.
TEST(gas_of_stars, outside_of_the_table_is_refused) {
  exec::context context;
  overrides set = tube(8);
  set.push_back("problem.left_density=" + density(1e9));
  try {
    simulated run(context, "sod", set);
    run.run();
    FAIL() << "nothing was said";
  } catch (const core::user_error& e) {
    EXPECT_NE(std::string(e.what()).find("leaves the table"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace rednova::problem::test
