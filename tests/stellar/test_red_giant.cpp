// The profile of problems/red_giant.toml, which this program has computed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "eos/stellar_tables.hpp"
#include "stellar/adiabat.hpp"
#include "stellar/profile.hpp"
#include "stellar/profile_file.hpp"

namespace rednova::stellar {
namespace {

/// A star of one solar mass on its way up the giant branch: an envelope of one entropy, 30 solar radii, about a core of
/// helium with 0.3 solar masses, whose 0.3 solar radii are ten times too many for it: nobody sees that at 30. With
/// REDNOVA_PROFILE set, its file is written there instead of compared.
TEST(red_giant, the_example_s_profile_is_this_one) {
  const eos::stellar gas = eos::table_of({}).view(test::solar);
  const adiabatic_star giant = adiabatic_star_of(gas, 0.7, {1.0, 30, {0.3, 0.3}}, "the giant");
  const std::string text = test::profile_text(*giant.gas, giant.sphere, 0.02, 300, [](double) { return 0.7; });
  if (const char* path = std::getenv("REDNOVA_PROFILE")) {
    std::ofstream(path) << text;
    GTEST_SKIP() << "wrote " << path;
  }
  const profile expected = read_mesa_profile(PROBLEMS "/red_giant.data");
  const std::string path = testing::TempDir() + "red_giant.data";
  std::ofstream(path) << text;
  const profile found = read_mesa_profile(path);
  ASSERT_EQ(found.zones(), expected.zones());
  for (std::size_t zone = 0; zone < found.zones(); ++zone) {
    // The tables differ in the last digits between processors.
    EXPECT_NEAR(found.density[zone] / expected.density[zone], 1, 1e-6) << zone;
    EXPECT_NEAR(found.pressure[zone] / expected.pressure[zone], 1, 1e-6) << zone;
    EXPECT_NEAR(found.mass[zone] / expected.mass[zone], 1, 1e-6) << zone;
  }
}

}  // namespace
}  // namespace rednova::stellar
