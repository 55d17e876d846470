// Binaries of stars whose structure a code for the evolution of stars has found.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/check.hpp"
#include "eos/stellar_tables.hpp"
#include "simulated.hpp"
#include "stellar/adiabat.hpp"
#include "stellar/polytropic_star.hpp"
#include "stellar/profile_file.hpp"
#include "step/step.hpp"

namespace rednova::problem::test {
namespace {

namespace fs = std::filesystem;

/// A directory with two profiles and the input that names them: a radiative star of one solar mass and radius whose
/// inner fifth has burnt some of its hydrogen, and a convective one of 0.4 that fills 0.6 of its Roche lobe.
class pair_of_profiles : public ::testing::Test {
 protected:
  pair_of_profiles() {
    fs::create_directories(directory_);
    const stellar::polytropic_star radiative = stellar::polytropic_star_of(3, {1, 1, {1e-9, 0.3}}, "it");
    write("sun.data", *radiative.gas, radiative.sphere, [](double m) { return m < 0.2 ? 0.6 : 0.7; });
    const eos::stellar gas = eos::table_of({}).view(stellar::test::solar);
    const stellar::adiabatic_star convective = stellar::adiabatic_star_of(gas, 0.7, {0.4, 0.5}, "it");
    write("dwarf.data", *convective.gas, convective.sphere, [](double) { return 0.7; });
    std::ofstream(directory_ / "pair.toml") << R"(
[problem]
name = "binary"
accretor_structure = "profile"
accretor_profile = "sun.data"
donor_structure = "profile"
donor_profile = "dwarf.data"
donor_filling = 0.6
tolerance = 1e-4
[units]
system = "solar"
[eos]
model = "stellar"
hydrogen = [0.6, 0.7, 0.7, 0.7, 0.7]
[run]
max_steps = 3
[mesh]
lower = [-8.0, -8.0, -8.0]
base_width = 16.0
min_level = 2
max_level = 5
[refine]
density = 1e-3
[hydro]
species = ["accretor_core", "accretor_envelope", "donor_core", "donor_envelope", "atmosphere"]
[gravity]
enabled = true
)";
  }
  ~pair_of_profiles() override { fs::remove_all(directory_); }

  config::input input(const std::vector<std::string>& set = {}) const {
    return config::input::from_file((directory_ / "pair.toml").string(), set);
  }

 private:
  template <class Hydrogen>
  void write(const char* name, const stellar::barotrope& gas, const stellar::barotropic_sphere& star,
             const Hydrogen& hydrogen) const {
    std::ofstream(directory_ / name) << stellar::test::profile_text(gas, star, 0, 300, hydrogen);
  }

  fs::path directory_ = fs::path(testing::TempDir()) / fmt::format("pair_of_profiles_{}", ::getpid());
};

TEST_F(pair_of_profiles, has_their_masses_and_composition_and_closes_its_books) {
  exec::context context(2);
  simulated pair(context, input());
  const step::simulation& s = *pair.state;
  const std::vector<double> mass = s.ledger().grid.species;
  std::printf("    core %.5f, envelope %.5f, donor's %.1e, %.5f, atmosphere %.1e\n", mass[0], mass[1], mass[2], mass[3],
              mass[4]);
  // The skin that is thinner than the atmosphere is missing; the model is iterated to 1e-4.
  EXPECT_NEAR(mass[0] + mass[1], 1, 2e-3);
  EXPECT_NEAR(mass[3], 0.4, 1e-3);
  // Cells of 0.06 solar radii, to the boundary of which 0.3 belong.
  EXPECT_NEAR(mass[0], 0.2, 0.02);
  EXPECT_EQ(mass[2], 0);
  EXPECT_NE(pair.what->description().find("sun.data: mass 1, outermost layer at 0.99"), std::string::npos)
      << pair.what->description();
  pair.run();
  EXPECT_EQ(s.step(), 3);
  EXPECT_LT(std::fabs(s.ledger().remainder().energy), 1e-12 * s.ledger().magnitude.energy);
}

/// Where the gas knows no composition, all of a star is of its envelope's species.
TEST_F(pair_of_profiles, of_ideal_gas_is_all_envelope) {
  exec::context context(2);
  const simulated pair(context, input({"eos.model=\"ideal\"", "eos.hydrogen=[0.7]", "mesh.max_level=4",
                                       "refine.density=1e-2", "problem.tolerance=1e-2"}));
  const std::vector<double> mass = pair.state->ledger().grid.species;
  EXPECT_EQ(mass[0], 0);
  EXPECT_NEAR(mass[1], 1, 1e-2);
  EXPECT_EQ(mass[2], 0);
  EXPECT_NEAR(mass[3], 0.4, 5e-3);
}

TEST_F(pair_of_profiles, a_run_that_goes_on_knows_their_files_and_does_not_read_them) {
  const std::string text = input().text();
  config::input in = config::input::from_checkpoint(text, "elsewhere/checkpoint.h5", {});
  config::parameters par = in.read_parameters();
  make(in, par);
  EXPECT_EQ(in.files(), (std::vector<std::string>{"sun.data", "dwarf.data"}));
}

TEST_F(pair_of_profiles, what_does_not_suit_is_told) {
  const auto expect = [&](const std::vector<std::string>& set, const std::string& words) {
    try {
      config::input in = input(set);
      config::parameters par = in.read_parameters();
      const auto made = make(in, par);
      made->expect_suits(in, par);
      made->sketched(par);
      FAIL() << words;
    } catch (const core::user_error& e) {
      EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
    }
  };
  expect({"problem.donor_mass=0.5"}, "problem.donor_mass: leave it out, the profile has it");
  expect({"problem.donor_profile=\"\""}, "needs the file's name: set problem.donor_profile");
  expect({"problem.donor_structure=\"polytrope\""}, "problem.donor_profile is that of a star with");
  expect({"eos.hydrogen=[0.7]"}, "the profile has mass fractions of hydrogen from 0.600 to 0.700");
  expect({"problem.donor_filling=0.9"}, "the accretor of the profile's radius of 1 is larger than its Roche lobe");
  expect({"problem.donor_structure=\"adiabat\"", "problem.donor_profile=\"\"", "problem.donor_mass=0.4",
          "problem.donor_radius=0.5"},
         "problem.donor_profile is that of a star with");
  expect({"problem.surface=\"contact\""}, "set problem.surface = \"separate\"");
  expect({"units.system=\"code\"", "eos.model=\"ideal\"", "eos.hydrogen=[0.7]"}, "set units.system = \"solar\"");
}

}  // namespace
}  // namespace rednova::problem::test
