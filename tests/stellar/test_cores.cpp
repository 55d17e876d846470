// Stars about a softened point mass, and stars of a profile.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "core/check.hpp"
#include "core/constants.hpp"
#include "gravity/softened_point.hpp"
#include "stellar/lane_emden.hpp"
#include "stellar/polytropic_star.hpp"
#include "stellar/profile_file.hpp"
#include "stellar/profile_star.hpp"

namespace rednova::stellar {
namespace {

using test::solar;

/// Largest imbalance of dp/dr = -rho (m + core's within r)/r² over the largest force, with m of its own sum over
/// shells.
double imbalance(const barotrope& gas, const barotropic_sphere& star, const point_core& core) {
  constexpr int shells = 4000;
  const double dr = star.radius() / shells;
  const auto rho = [&](double r) { return gas.density(star.enthalpy(r)); };
  const auto shell = [&](double r) { return 4 * core::pi * r * r * rho(r); };
  double mass = 0, worst = 0, largest = 0;
  for (int i = 1; i < shells; ++i) {
    const double r = i * dr, d = dr / 2;
    mass += dr / 6 * (shell(r - dr) + 4 * shell(r - d) + shell(r));
    const double slope = (gas.pressure_of(rho(r + d)) - gas.pressure_of(rho(r - d))) / dr;
    const double pull = rho(r) * (mass + core.mass * gravity::softened_mass_within(r / core.softening)) / (r * r);
    worst = std::max(worst, std::fabs(slope + pull));
    largest = std::max(largest, pull);
  }
  return worst / largest;
}

TEST(polytropic_star, about_a_core_is_in_equilibrium) {
  for (const double n : {1.0, 1.5, 3.0}) {
    for (const point_core core : {point_core{0.4, 0.25}, {0.4, 0.05}, {0.05, 0.4}}) {
      const polytropic_star star = polytropic_star_of(n, {1.3, 2.0, core}, "it");
      EXPECT_NEAR(star.sphere.mass(), 1.3, 1e-9);
      EXPECT_NEAR(star.sphere.radius(), 2.0, 1e-9);
      // Differences over a part in 4000 of the radius: 1e-7 of a smooth slope, more where the core's pull bends.
      EXPECT_LT(imbalance(*star.gas, star.sphere, core), core.softening < 0.1 ? 2e-3 : 5e-5)
          << n << " " << core.mass << " " << core.softening;
    }
  }
}

TEST(polytropic_star, about_a_vanishing_core_is_lane_emden_s) {
  const polytropic_star star = polytropic_star_of(1.5, {1, 1, {1e-9, 0.3}}, "it");
  const lane_emden profile(1.5);
  const double concentration = profile.xi1() / (3 * profile.surface_slope());
  EXPECT_NEAR(star.gas->density(star.sphere.central_enthalpy()) / (3 / (4 * core::pi)) / concentration, 1, 1e-6);
}

/// A star as a file that is gone when the test ends.
class file_of_star {
 public:
  template <class Hydrogen>
  file_of_star(const barotrope& gas, const barotropic_sphere& star, double inner, int zones, const Hydrogen& hydrogen)
      : path_((std::filesystem::temp_directory_path() / fmt::format("profile_{}.data", ::getpid())).string()) {
    std::ofstream(path_) << test::profile_text(gas, star, inner, zones, hydrogen);
  }
  ~file_of_star() { std::filesystem::remove(path_); }
  file_of_star(const file_of_star&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

const auto constant = [](double) { return 0.7; };

adiabat_through same_constant(double gamma) {
  return [gamma](double rho, double p, double) {
    return std::make_shared<const polytropic_gas>(1 / (gamma - 1), p / std::pow(rho, gamma));
  };
}

/// The file of a polytrope without a core gives the polytrope back.
TEST(profile_star, is_the_star_that_was_written) {
  const polytropic_star star = polytropic_star_of(3, {1.2, 3.0, {1e-9, 0.3}}, "it");
  const file_of_star file(*star.gas, star.sphere, 0, 200, constant);
  const profile_star found =
      star_of_profile(read_mesa_profile(file.path()), solar, 0, same_constant(5.0 / 3), "the star");
  EXPECT_NEAR(found.sphere.mass(), 1.2, 1e-9);
  EXPECT_EQ(found.core.mass, 0);
  EXPECT_NEAR(found.surface / found.surface_asked, 1, 1e-6);
  EXPECT_EQ(found.mass_left_out, 0);
  EXPECT_NEAR(found.pressure_factor, 1, 1e-5);
  // Power laws between the zones are exact for polytropes; the zones' masses are sums of their middles.
  EXPECT_NEAR(found.sphere.radius() / 3.0, 1, 2e-6);
  for (const double r : {0.5, 1.5, 2.5}) {
    const double rho = star.gas->density(star.sphere.enthalpy(r));
    EXPECT_NEAR(found.gas->density(found.sphere.enthalpy(r)) / rho, 1, 1e-5) << r;
  }
  EXPECT_EQ(found.hydrogen_at(1e-3), 0.7);
}

/// A giant: a core of a tenth of a solar radius in an envelope of 20, of which a point mass with a softening of 2 holds
/// what is within. Outside the softening the star is the profile's.
TEST(profile_star, has_a_point_mass_for_its_core) {
  const polytropic_star giant = polytropic_star_of(1.5, {1.1, 20, {0.35, 0.2}}, "it");
  const file_of_star file(*giant.gas, giant.sphere, 0.004, 500, constant);
  const profile_star found =
      star_of_profile(read_mesa_profile(file.path()), solar, 2, same_constant(5.0 / 3), "the giant");
  EXPECT_NEAR(found.sphere.mass(), 1.1, 1e-9);
  EXPECT_NEAR(found.sphere.radius(), 20, 20e-8);
  EXPECT_EQ(found.core.softening, 2);
  // Of the giant's gas, of the same entropy, less than lay within 2 fits about the softened point.
  EXPECT_NEAR(found.core.mass, 0.3537, 1e-4);
  for (const double r : {2.2, 5.0, 10.0, 18.0}) {
    const double rho = giant.gas->density(giant.sphere.enthalpy(r));
    EXPECT_NEAR(found.gas->density(found.sphere.enthalpy(r)) / rho, 1, 1e-4) << r;
  }
  std::printf("core of %.6f for 0.35\n", found.core.mass);
  EXPECT_NEAR(found.within_core, found.within_core_asked, 1e-3) << "the gas outside is the profile's";
  // The point mass makes up for pressures that do not bear the profile's gas, which is told by the mass within.
  for (const double factor : {0.8, 1.2}) {
    profile off = read_mesa_profile(file.path());
    for (double& p : off.pressure) p *= factor;
    const profile_star wrong = star_of_profile(off, solar, 2, same_constant(5.0 / 3), "the giant");
    EXPECT_GT(std::fabs(wrong.within_core - wrong.within_core_asked), 0.02 * 1.1) << factor;
  }
  profile cut = read_mesa_profile(file.path());
  for (auto* values : {&cut.mass, &cut.radius, &cut.density, &cut.pressure, &cut.hydrogen}) values->resize(200);
  EXPECT_GT(cut.radius.back(), 2 * core::solar_radius);
  EXPECT_THROW(star_of_profile(cut, solar, 2, same_constant(5.0 / 3), "the giant"), core::user_error);
  EXPECT_THROW(star_of_profile(read_mesa_profile(file.path()), solar, 21, same_constant(5.0 / 3), "the giant"),
               core::user_error);
}

/// As codes for the evolution of stars do, which end at the photosphere: the layers that are there stay where they are,
/// and the law of the outermost ones goes on above them.
TEST(profile_star, that_ends_below_the_surface_keeps_its_layers) {
  const polytropic_star giant = polytropic_star_of(1.5, {1.1, 20, {0.35, 0.2}}, "it");
  const file_of_star file(*giant.gas, giant.sphere, 0.004, 500, constant);
  profile cut = read_mesa_profile(file.path());
  const auto first =
      std::find_if(cut.radius.begin(), cut.radius.end(), [](double r) { return r < 19 * core::solar_radius; }) -
      cut.radius.begin();
  const double all = cut.mass[0];
  for (auto* values : {&cut.mass, &cut.radius, &cut.density, &cut.pressure, &cut.hydrogen})
    values->erase(values->begin(), values->begin() + first);
  cut.mass[0] = all;  // what is above weighs nothing to speak of
  const profile_star found = star_of_profile(cut, solar, 2, same_constant(5.0 / 3), "the giant");
  std::printf("core of %.6f, surface at %.5f\n", found.core.mass, found.sphere.radius());
  EXPECT_NEAR(found.surface / found.surface_asked, 1, 1e-8);
  EXPECT_NEAR(found.core.mass, 0.3537, 5e-4);
  EXPECT_NEAR(found.sphere.radius(), 20, 0.02);
  for (const double r : {2.2, 10.0, 18.0}) {
    const double rho = giant.gas->density(giant.sphere.enthalpy(r));
    EXPECT_NEAR(found.gas->density(found.sphere.enthalpy(r)) / rho, 1, 3e-3) << r;
  }
  cut.radius.resize(50);
  for (auto* values : {&cut.mass, &cut.density, &cut.pressure, &cut.hydrogen}) values->resize(50);
  EXPECT_THROW(star_of_profile(cut, solar, 0, same_constant(5.0 / 3), "the giant"), core::user_error);
}

/// Isothermal gas has no surface: such layers are left out.
TEST(profile_star, leaves_out_isothermal_layers) {
  const polytropic_star star = polytropic_star_of(3, {1.2, 3.0, {1e-9, 0.3}}, "it");
  const file_of_star file(*star.gas, star.sphere, 0, 200, constant);
  profile hot = read_mesa_profile(file.path());
  for (std::size_t n = 0; n < 5; ++n) {  // as the fifth, thinner and thinner
    hot.density[n] = hot.density[5] * std::exp(0.1 * (static_cast<double>(n) - 5));
    hot.pressure[n] = hot.pressure[5] * std::exp(0.101 * (static_cast<double>(n) - 5));
  }
  const profile_star found = star_of_profile(hot, solar, 0, same_constant(5.0 / 3), "the star");
  EXPECT_GT(found.density.front(), hot.density[3] / solar.density());
  EXPECT_NEAR(found.sphere.radius(), 3, 0.02);
}

TEST(profile_star, has_the_composition_of_its_layers) {
  const polytropic_star star = polytropic_star_of(2.5, {1, 1, {1e-9, 0.3}}, "it");
  const file_of_star file(*star.gas, star.sphere, 0, 300, [](double m) { return m < 0.3 ? 0.3 : 0.7; });
  const profile_star found =
      star_of_profile(read_mesa_profile(file.path()), solar, 0, same_constant(5.0 / 3), "the star");
  const auto at = [&](double r) { return found.hydrogen_at(found.gas->density(found.sphere.enthalpy(r))); };
  EXPECT_NEAR(at(0.1), 0.3, 1e-15);
  EXPECT_NEAR(at(0.6), 0.7, 1e-15);
}

/// What is wrong with a file is said with its place.
TEST(mesa_profile, damaged_files_are_refused) {
  const std::string path = (std::filesystem::temp_directory_path() / "damaged_profile.data").string();
  const std::string head = "1\nx\n1\n\n1 2 3 4\n", names = "mass logR logRho pressure\n";
  std::string rows;
  for (int i = 0; i < 30; ++i) rows += fmt::format("{} {:.3f} -2.0 1.0D+15\n", 1 - 0.03 * i, -0.03 * i);
  const auto expect = [&](const std::string& text, const std::string& words) {
    std::ofstream(path) << text;
    try {
      read_mesa_profile(path);
      FAIL() << words;
    } catch (const core::user_error& e) {
      EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
    }
  };
  std::ofstream(path) << head + names + rows;
  EXPECT_EQ(read_mesa_profile(path).zones(), 30U);
  EXPECT_EQ(read_mesa_profile(path).pressure[3], 1e15);
  EXPECT_NEAR(read_mesa_profile(path).radius[0], core::solar_radius, 1);
  expect("1\n", "has 1 lines");
  expect(head + "mass logR logRho p\n" + rows, ":6: names no column pressure or logP");
  expect(head + names + rows + "0.01 -3 -2\n", ":37: has 3 numbers");
  expect(head + names + rows + "0.01 -3 -2 much\n", ":37: column pressure is \"much\"");
  expect(head + names + rows + "0.9 -3 -2 1e15\n", ":37: mass and radius must fall");
  expect(head + "mass logR logRho logP\n" + "1 0 -2 400\n", ":7: pressure is inf");
  expect(head + names + rows + "0.01 -3 -2 -1\n", ":37: pressure is -1");
  const std::string gas = "mass logR logRho logP x_mass_fraction_H y_mass_fraction_He z_mass_fraction_metals mu\n";
  expect(head + gas + "1 0 -2 15 0.7 0.28 0.02 0\n", ":7: mu is 0: 0 to 300 is expected");
  expect(head + gas + "1 0 -2 15 0.7 0.28 -0.02 0.6\n", ":7: z_mass_fraction_metals is -0.02");
  expect(head + gas + "1 0 -2 15 0.7 0.28 0.01 0.6\n", ":7: the mass fractions of hydrogen, helium and metals add up");
  expect(head + names + "1 0 -2 1e15\n", "has 1 zones");
  expect("1 2\nmodel_number num_zones\n7 31\n\n1 2 3 4\n" + names + rows,
         "has 30 zones, but num_zones in line 3 is 31");
  std::filesystem::remove(path);
  EXPECT_THROW(read_mesa_profile(path), core::user_error);
}

}  // namespace
}  // namespace rednova::stellar
