// Flows and stars of degenerate gas: shock tube, sound, white dwarfs alone and in pairs.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "config/units.hpp"
#include "core/check.hpp"
#include "flow_of_gas.hpp"
#include "problem/star_structure.hpp"

namespace rednova::problem::test {
namespace {

/// rho in g/cm^3 as code units of the Sun.
std::string density(double cgs) {
  return fmt::format("{}", cgs / core::units::self_gravitating(core::solar_radius, core::solar_mass).density());
}

/// The gas of white dwarfs at 2e6 and 2.5e5 g/cm^3: half relativistic. The pressures are 1.8 and 1.2 times those at no
/// temperature, so the shock runs into gas that is all but cold.
const overrides tube{
    "eos.model=\"white_dwarf\"",   "hydro.gamma=1.6666666666666667",          "problem.left_density=" + density(2e6),
    "problem.left_pressure=1.2e7", "problem.right_density=" + density(2.5e5), "problem.right_pressure=3e5",
    "run.end_time=0.025"};

/// Jumps allow no more than order 1; measured 1.04e-2 and 5.8e-3.
TEST(white_dwarf_flow, shock_tube_converges) {
  const double coarse = tube_error(8, tube), fine = tube_error(16, tube);
  std::printf("    L1 errors of density %.3e, %.3e: order %.2f\n", coarse, fine, std::log2(coarse / fine));
  EXPECT_LT(fine, 0.0065);
  EXPECT_GT(std::log2(coarse / fine), 0.75);
}

const overrides sound{"eos.model=\"white_dwarf\"", "problem.density=" + density(2e6), "problem.pressure=1.2e7",
                      "run.end_time=0.14"};

TEST(white_dwarf_flow, sound_converges) {
  const double coarse = sound_error(2, sound), fine = sound_error(4, sound);
  std::printf("    L1 errors of density %.3e, %.3e: order %.2f\n", coarse, fine, std::log2(coarse / fine));
  EXPECT_GT(std::log2(coarse / fine), 2.7);  // the order in time is 3
}

/// Gas that no white dwarf can have is refused, with what to change.
TEST(white_dwarf_flow, colder_than_cold_is_refused) {
  exec::context context;
  try {
    simulated run(context, "sod",
                  {"units.system=\"solar\"", "eos.model=\"white_dwarf\"", "problem.left_density=" + density(2e6),
                   "problem.right_density=" + density(2e6), "problem.left_pressure=1e6"});
    FAIL() << "nothing was said";
  } catch (const core::user_error& e) {
    EXPECT_NE(std::string(e.what()).find("zero temperature"), std::string::npos) << e.what();
  }
}

/// Masses in solar masses and radii in km at no temperature and mu_e = 2. The first was found by another integration
/// (8841 km and 3.207e6 g/cm^3); above 1.456 there is none.
TEST(white_dwarf_star, radius_follows_from_the_mass) {
  config::parameters par;
  par.units.system = config::unit_system::solar;
  par.eos.model = config::gas_model::white_dwarf;
  const core::units u = config::units_of(par.units.system);
  const star_of_gas star = cold_star(par, 0.6, "it");
  EXPECT_NEAR(star.sphere.mass() / 0.6, 1, 1e-12);
  EXPECT_NEAR(star.sphere.radius() * u.length / 8841e5, 1, 1e-4);
  EXPECT_NEAR(star.gas->density(star.sphere.central_enthalpy()) * u.density() / 3.207e6, 1, 2e-4);
  EXPECT_NEAR(cold_star(par, 1.4560, "it").sphere.mass(), 1.4560, 1e-12);
  EXPECT_THROW(cold_star(par, 1.4564, "it"), core::user_error);
  // Light ones are polytropes of index 1.5: R ~ M^(-1/3).
  const double light = cold_star(par, 0.002, "it").sphere.radius(),
               lighter = cold_star(par, 0.001, "it").sphere.radius();
  EXPECT_NEAR(std::log2(lighter / light), 1.0 / 3, 2e-3);
}

}  // namespace
}  // namespace rednova::problem::test
