// Flow of ionized gas with recombination energy and radiation (eos.model = "stellar").
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "config/units.hpp"
#include "core/check.hpp"
#include "problem/flow_of_gas.hpp"

namespace rednova::problem::test {
namespace {

const core::units solar = config::units_of(config::unit_system::solar);

std::string density(double cgs) { return fmt::format("{:.17g}", cgs / solar.density()); }
std::string pressure(double cgs) { return fmt::format("{:.17g}", cgs / solar.pressure()); }

/// A tube whose left side is ionized and whose right side is neutral: 1e-6 and 2.5e-7 g/cm^3 at
/// 20 000 K and 6000 K or so. The shock ionizes some of the hydrogen, the fan lets some recombine.
const overrides tube{"eos.model=\"stellar\"",
                     "hydro.density_floor=1e-12",
                     "hydro.energy_floor=1e-20",
                     "problem.left_density=" + density(1e-6),
                     "problem.left_pressure=" + pressure(2e6),
                     "problem.right_density=" + density(2.5e-7),
                     "problem.right_pressure=" + pressure(1e5),
                     fmt::format("run.end_time={}", 0.2 / std::sqrt(2e12) * solar.velocity())};

/// Against the exact solution of this gas.
TEST(gas_of_stars, shock_tube_in_the_ionization_zone_converges) {
  const double coarse = tube_error(8, tube), fine = tube_error(16, tube);
  std::printf("    L1 errors of density %.3e, %.3e: order %.2f\n", coarse, fine, std::log2(coarse / fine));
  EXPECT_LT(fine, 0.012);
  EXPECT_GT(std::log2(coarse / fine), 0.75);
}

/// Half-ionized hydrogen.
const overrides sound{"eos.model=\"stellar\"",
                      "hydro.density_floor=1e-12",
                      "hydro.energy_floor=1e-20",
                      "problem.density=" + density(1e-6),
                      "problem.pressure=" + pressure(1.5e6),
                      fmt::format("run.end_time={}", 0.7 / std::sqrt(1.8e12) * solar.velocity())};

TEST(gas_of_stars, sound_converges) {
  const double coarse = sound_error(2, sound), fine = sound_error(4, sound);
  std::printf("    L1 errors of density %.3e, %.3e: order %.2f\n", coarse, fine, std::log2(coarse / fine));
  EXPECT_GT(std::log2(coarse / fine), 2.7);  // the order in time is 3
}

/// A state that the table does not hold ends the run, with the place.
TEST(gas_of_stars, outside_of_the_table_is_refused) {
  overrides set = tube;
  set.push_back("problem.left_density=" + density(1e9));
  try {
    tube_error(8, set);
    FAIL() << "nothing was said";
  } catch (const core::user_error& e) {
    EXPECT_NE(std::string(e.what()).find("leaves the table"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace rednova::problem::test
