#include "output/history.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "core/constants.hpp"
#include "diagnose/flow_drift.hpp"
#include "diagnose/gravitational_wave.hpp"
#include "diagnose/orbit.hpp"
#include "run_directory.hpp"

namespace rednova::output {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(run_directory, history_has_units_and_no_row_twice) {
  history h = history::create(file("history.csv"), s, sample_provenance());
  for (int step : {20, 20, 21, 22, 23}) {
    go_to(step);
    h.add(s);
  }
  EXPECT_THAT(steps(), ElementsAre(20, 21, 22, 23));
  EXPECT_THAT(text("history.csv"),
              AllOf(HasSubstr("# rednova 1.2.3 (abcdef0)"), HasSubstr("1 Rsun = 69570000000 cm"),
                    HasSubstr("time [tu]"), HasSubstr("separation [Rsun]"), HasSubstr("max_level = 3")));
  std::ofstream(file("history.csv"), std::ios::app) << "24,1.5,0";  // a row that was cut off
  go_to(21);
  history again = history::resume(file("history.csv"), s, sample_provenance());
  EXPECT_THAT(steps(), ElementsAre(20, 21));
  again.add(s);
  go_to(22);
  again.add(s);
  EXPECT_THAT(steps(), ElementsAre(20, 21, 22));
}

TEST_F(run_directory, history_of_other_columns_is_started_anew_and_the_old_one_kept) {
  std::ofstream(file("history.csv")) << "step [1],weather [1]\n1,2\n";
  history::resume(file("history.csv"), s, sample_provenance()).add(s);
  EXPECT_THAT(steps(), ElementsAre(20));
  EXPECT_THAT(text("history_until_000020.csv"), HasSubstr("weather"));
}

TEST_F(run_directory, history_tells_what_driving_took) {
  history::create(file("history.csv"), s, sample_provenance());
  EXPECT_THAT(text("history.csv"), Not(HasSubstr("driven_")));
  step::epoch at = s.now();
  at.ledger.driven.angular_momentum.z = -0.25;
  at.ledger.driven.energy = -0.125;
  s.restore(at);
  history::create(file("history.csv"), s, sample_provenance()).add(s);
  EXPECT_THAT(text("history.csv"), AllOf(HasSubstr("driven_angular_momentum_z [Msun Rsun^2/tu]"),
                                         HasSubstr("driven_energy [Msun Rsun^2/tu^2]"), HasSubstr(",-0.25,-0.125\n")));
}

TEST_F(run_directory, histories_of_other_columns_do_not_replace_each_other) {
  for (const char* other : {"weather", "wind", "tide"}) {
    std::ofstream(file("history.csv")) << "step [1]," << other << " [1]\n1,2\n";
    history::resume(file("history.csv"), s, sample_provenance());
  }
  EXPECT_THAT(text("history_until_000020.csv"), HasSubstr("weather"));
  EXPECT_THAT(text("history_until_000020_2.csv"), HasSubstr("wind"));
  EXPECT_THAT(text("history_until_000020_3.csv"), HasSubstr("tide"));
}

/// The rows of a table as column → value, each.
std::vector<std::map<std::string, double>> rows_of(const std::string& table) {
  std::istringstream in(table);
  std::vector<std::string> names;
  std::vector<std::map<std::string, double>> rows;
  const auto split = [](const std::string& line) {
    std::vector<std::string> parts;
    std::istringstream from(line);
    for (std::string part; std::getline(from, part, ',');) parts.push_back(part);
    return parts;
  };
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    const std::vector<std::string> parts = split(line);
    if (names.empty()) {
      names = parts;
      continue;
    }
    rows.emplace_back();
    for (std::size_t i = 0; i < names.size(); ++i) rows.back()[names[i]] = std::stod(parts.at(i));
  }
  return rows;
}

/// Makes two stars of the sample: their gas lies around (-0.8, 0, 0) and (0.9, 0, 0).
void make_two_stars(step::simulation& s) {
  for (int n = 0; n < s.tree().leaves(); ++n) {
    for (int c = 0; c < mesh::cells; ++c) {
      const core::vec3d x = s.tree().centre(n, c % mesh::N, c / mesh::N % mesh::N, c / mesh::N / mesh::N);
      const core::vec3d a = x + core::vec3d{0.8, 0, 0}, b = x - core::vec3d{0.9, 0, 0};
      s.u().at(n, 0)[c] = 0.01 + 5 * std::exp(-8 * dot(a, a));
      s.u().at(n, 2)[c] = 0.01 + 3 * std::exp(-8 * dot(b, b));
      for (const int f : {1, 3}) s.u().at(n, f)[c] = 0;
    }
  }
}

TEST_F(run_directory, history_has_the_gravitational_wave_where_there_is_gravity) {
  history::create(file("history.csv"), s, sample_provenance());
  EXPECT_THAT(text("history.csv"), Not(HasSubstr("h_plus_z")));
  config::parameters p = sample_parameters();
  p.gravity.enabled = true;
  step::simulation heavy(p, context);
  fill_sample(heavy);
  history::create(file("history.csv"), heavy, sample_provenance()).add(heavy);
  const auto row = rows_of(text("history.csv")).at(0);
  const diagnose::symmetric_tensor q = diagnose::quadrupole_acceleration(heavy);
  const double strength = std::pow(2.99792458e10 / 6.957e10 * heavy.units().time, -4);
  EXPECT_NEAR(row.at("h_plus_z [Rsun]") / (strength * (q.xx - q.yy)), 1, 1e-14);
  EXPECT_NEAR(row.at("h_cross_z [Rsun]") / (strength * 2 * q.xy), 1, 1e-14);
  EXPECT_NEAR(row.at("h_plus_x [Rsun]") / (strength * (q.yy - q.zz)), 1, 1e-14);
  EXPECT_NEAR(row.at("h_cross_x [Rsun]") / (strength * 2 * q.yz), 1, 1e-14);
}

TEST_F(run_directory, history_has_the_stars_by_their_lobes) {
  make_two_stars(s);
  const diagnose::orbit o = diagnose::measure(s);
  ASSERT_EQ(o.found, diagnose::stars_found::two);
  history::create(file("history.csv"), s, sample_provenance()).add(s);
  auto row = rows_of(text("history.csv")).at(0);
  EXPECT_EQ(row.at("stars [1]"), 2);
  EXPECT_EQ(row.at("lobe_mass_accretor [Msun]"), o.stars[0].mass);
  EXPECT_EQ(row.at("lobe_mass_donor [Msun]"), o.stars[1].mass);
  EXPECT_EQ(row.at("star_mass_donor [Msun]"), o.stars[1].species_mass);
  EXPECT_EQ(row.at("lobe_radius_donor [Rsun]"), o.stars[1].lobe_radius);
  EXPECT_EQ(row.at("received_mass_accretor [Msun]"), o.stars[0].received);
  EXPECT_EQ(row.at("received_mass_donor [Msun]"), o.stars[1].received);
  EXPECT_GT(row.at("received_mass_donor [Msun]"), 0);
  EXPECT_NEAR(row.at("separation [Rsun]"), 1.7, 0.1);
  EXPECT_EQ(row.at("kinetic_energy [Msun Rsun^2/tu^2]"), o.kinetic);
  EXPECT_EQ(row.at("outflow_unbound_mass_kinetic [Msun]"), 0.0625);
  EXPECT_EQ(row.at("outflow_unbound_mass_bernoulli [Msun]"), 0.25);
  EXPECT_DOUBLE_EQ(row.at("orbits [1]"), (0.3 * 1.25 - 0.3) / (2 * core::pi));
  EXPECT_DOUBLE_EQ(row.at("grid_turns [1]"), 0.3 * 1.25 / (2 * core::pi));
  EXPECT_EQ(row.at("flow_drift_z [1]"), diagnose::flow_drift::of(s.ledger(), {}).share.z);
  EXPECT_EQ(row.at("flow_angular_momentum_x [Msun Rsun^2/tu]"), s.ledger().grid.flow().x);
  EXPECT_EQ(row.at("outflow_flow_angular_momentum_z [Msun Rsun^2/tu]"), -15);
  EXPECT_TRUE(std::isnan(row.at("mdot_donor [Msun/tu]"))) << "there is no row before";
}

TEST_F(run_directory, history_has_the_rate_of_the_lobes_masses_from_row_to_row) {
  make_two_stars(s);
  history h = history::create(file("history.csv"), s, sample_provenance());
  const double first = diagnose::measure(s).stars[1].mass;
  h.add(s);
  const auto lose_mass = [&] {
    for (int n = 0; n < s.tree().leaves(); ++n) {
      for (int c = 0; c < mesh::cells; ++c) s.u().at(n, 2)[c] *= 0.9;
    }
    step::epoch at = s.now();
    at.time += 0.5;
    ++at.step;
    s.restore(at);
  };
  lose_mass();
  const double second = diagnose::measure(s).stars[1].mass;
  h.add(s);
  ASSERT_LT(second, first);
  EXPECT_EQ(rows_of(text("history.csv")).at(1).at("mdot_donor [Msun/tu]"), (second - first) / 0.5);
  history again = history::resume(file("history.csv"), s, sample_provenance());
  lose_mass();
  const double third = diagnose::measure(s).stars[1].mass;
  again.add(s);
  EXPECT_EQ(rows_of(text("history.csv")).at(2).at("mdot_donor [Msun/tu]"), (third - second) / 0.5)
      << "a restart takes the row before from the table";
}

TEST_F(run_directory, history_goes_on_after_a_merger) {
  history::create(file("history.csv"), s, sample_provenance()).add(s);  // the sample's species are mixed everywhere
  auto row = rows_of(text("history.csv")).at(0);
  EXPECT_EQ(row.at("stars [1]"), 1);
  for (const char* name : {"separation [Rsun]", "j_orb [Msun Rsun^2/tu]", "lobe_mass_accretor [Msun]",
                           "max_density_donor [Msun/Rsun^3]", "mdot_donor [Msun/tu]"})
    EXPECT_TRUE(std::isnan(row.at(name))) << name;
  EXPECT_GT(row.at("max_density_accretor [Msun/Rsun^3]"), 0);
  EXPECT_GT(row.at("star_mass_donor [Msun]"), 0);
}

}  // namespace
}  // namespace rednova::output
