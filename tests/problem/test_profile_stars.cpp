// Binaries of stars whose structure a code for the evolution of stars has found.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/check.hpp"
#include "eos/stellar_tables.hpp"
#include "problem/star_structure.hpp"
#include "simulated.hpp"
#include "stellar/adiabat.hpp"
#include "stellar/polytropic_star.hpp"
#include "stellar/profile_file.hpp"
#include "step/step.hpp"

namespace rednova::problem::test {
namespace {

namespace fs = std::filesystem;

/// What star_of_file and description_of give.
struct profile_star_of_run {
  stellar::profile_star star;
  std::string words;
};

/// A directory with two profiles and the input that names them: a radiative star of one solar mass and radius whose
/// inner fifth has burnt some of its hydrogen, and a convective one of 0.4 that fills 0.6 of its Roche lobe.
class pair_of_profiles : public ::testing::Test {
 protected:
  pair_of_profiles() {
    fs::create_directories(directory_);
    const stellar::polytropic_star radiative = stellar::polytropic_star_of(3, {1, 1, {1e-9, 0.3}}, "it");
    write("sun.data", *radiative.gas, radiative.sphere, [](double m) { return m < 0.2 ? 0.6 : 0.7; },
          {{"z_mass_fraction_metals", [](double, double, double) { return 0.015; }}});
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
             const Hydrogen& hydrogen, const std::vector<stellar::test::more_columns>& more = {}) const {
    std::ofstream(directory_ / name) << stellar::test::profile_text(gas, star, 0, 300, hydrogen, more);
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
  const auto& rows = pair.reached->rows;
  const auto row = [&](const char* what) {
    return std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.what == what; });
  };
  ASSERT_NE(row("metals of the accretor"), rows.end());
  EXPECT_NEAR(row("metals of the accretor")->asked, 0.015, 1e-12);
  EXPECT_NEAR(row("metals of the accretor")->reached, 0.02, 1e-12);
  EXPECT_NEAR(row("helium of the accretor")->asked, 0.305, 1.5e-3);  // but for a zone's mass
  EXPECT_EQ(row("metals of the donor"), rows.end());
  pair.run();
  EXPECT_EQ(s.step(), 3);
  EXPECT_LT(std::fabs(s.ledger().remainder().energy), 1e-12 * s.ledger().magnitude.energy);
}

/// A convective star of half a solar mass in a file that says what its gas is: the table's at the same density and
/// pressure, but for what is changed.
class profile_of_gas : public ::testing::Test {
 protected:
  struct change {
    double metals = 0.02, heavier = 1;
    double inner_weight = 1;  ///< of the inner tenth of the mass
  };
  profile_star_of_run read(const change& by, bool with_weight = true) const {
    const eos::stellar gas = eos::table_of({}).view(stellar::test::solar);
    const stellar::adiabatic_star star = stellar::adiabatic_star_of(gas, 0.7, {0.5, 0.6}, "it");
    std::vector<stellar::test::more_columns> more{
        {"y_mass_fraction_He", [&](double, double, double) { return 0.3 - by.metals; }},
        {"z_mass_fraction_metals", [&](double, double, double) { return by.metals; }}};
    if (with_weight)
      more.push_back({"mu", [&](double m, double rho, double p) {
                        const double e = gas.energy_from_pressure(rho, p, 0.7);
                        return gas.particles(rho, e, 0.7).mean_weight * by.heavier * (m < 0.1 ? by.inner_weight : 1);
                      }});
    const std::string path = testing::TempDir() + fmt::format("profile_of_gas_{}.data", ::getpid());
    std::ofstream(path) << stellar::test::profile_text(
        *star.gas, star.sphere, 0, 200, [](double) { return 0.7; }, more);
    config::parameters par;
    par.eos.model = config::gas_model::stellar;
    par.units.system = config::unit_system::solar;
    const stellar::profile_star found = star_of_file(par, path, 0, "it");
    fs::remove(path);
    return {found, description_of("it.data", found)};
  }
};

/// Numbers in the file have 11 digits, of which the inverse of p(e) loses two at most.
TEST_F(profile_of_gas, that_is_the_run_s_is_told_and_no_reason_for_a_warning) {
  const auto [star, words] = read({});
  const stellar::profile_gas& g = star.compared;
  EXPECT_NEAR(g.metals.asked, 0.02, 1e-12);
  EXPECT_NEAR(g.metals.reached, 0.02, 1e-12);
  EXPECT_NEAR(g.helium.asked, 0.28, 1e-12);
  EXPECT_NEAR(g.helium.reached, 0.28, 1e-12);
  EXPECT_NEAR(g.mean_weight.reached / g.mean_weight.asked, 1, 1e-8);
  EXPECT_GT(g.mean_weight.reached, 0.6);  // ionized
  EXPECT_LT(g.mean_weight.reached, 0.65);
  EXPECT_LT(g.largest_weight_off, 1e-6);
  EXPECT_NE(words.find("its gas: helium 0.28 (asked 0.28), metals 0.02 (asked 0.02), mean molecular weight 0.6"),
            std::string::npos)
      << words;
  EXPECT_EQ(words.find("warning"), std::string::npos) << words;
  const auto rows = composition_rows(star, "the donor");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[1].what, "metals of the donor");
  EXPECT_NEAR(rows[1].asked, rows[1].reached, 1e-12);
}

TEST_F(profile_of_gas, that_is_another_one_is_warned_of) {
  const auto [poor, words_of_poor] = read({.metals = 0.001});
  EXPECT_NEAR(poor.compared.metals_off, 0.019, 1e-12);
  EXPECT_NE(words_of_poor.find("warning: it.data: the profile has a mass fraction of 0.001 in metals, but the gas of "
                               "this run 0.02"),
            std::string::npos)
      << words_of_poor;
  const auto [heavy, words_of_heavy] = read({.heavier = 1.05});
  EXPECT_NEAR(heavy.compared.weight_off, 1 - 1 / 1.05, 1e-8);
  EXPECT_NE(words_of_heavy.find("off the profile's by 4.8 % on average"), std::string::npos) << words_of_heavy;
  // A heavy core alone: 1 - 1/1.3 of a tenth of the mass.
  const auto [core, words_of_core] = read({.inner_weight = 1.3});
  EXPECT_NEAR(core.compared.weight_off, 0.1 * (1 - 1 / 1.3), 2e-3);
  EXPECT_NEAR(core.compared.largest_weight_off, 1 - 1 / 1.3, 1e-6);
  EXPECT_LT(core.compared.its_mass, 0.1);
  EXPECT_NE(words_of_core.find("by 23 % at 0.0"), std::string::npos) << words_of_core;
}

TEST_F(profile_of_gas, whose_weight_is_not_told_is_compared_by_fractions) {
  const auto [star, words] = read({}, false);
  EXPECT_TRUE(std::isnan(star.compared.weight_off));
  EXPECT_EQ(composition_rows(star, "it").size(), 2U);
  EXPECT_EQ(words.find("mean molecular weight"), std::string::npos) << words;
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
  expect({"problem.donor_structure=\"polytrope\""}, "problem.donor_profile: leave it out, it is that of a star with");
  expect({"eos.hydrogen=[0.7]"}, "the profile has mass fractions of hydrogen from 0.600 to 0.700");
  expect({"problem.donor_filling=0.9"}, "the accretor of the profile's radius of 1 is larger than its Roche lobe");
  expect({"problem.donor_structure=\"adiabat\"", "problem.donor_profile=\"\"", "problem.donor_mass=0.4",
          "problem.donor_radius=0.5"},
         "problem.donor_profile: leave it out, it is that of a star with");
  expect({"problem.surface=\"contact\""}, "set problem.surface = \"separate\"");
  expect({"units.system=\"code\"", "eos.model=\"ideal\"", "eos.hydrogen=[0.7]"}, "set units.system = \"solar\"");
}

}  // namespace
}  // namespace rednova::problem::test
