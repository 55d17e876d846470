// What a person reads of a run: the progress line and the ledger's table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <limits>
#include <memory>
#include <string>

#include "core/constants.hpp"
#include "diagnose/flow_drift.hpp"
#include "diagnose/ledger_table.hpp"
#include "diagnose/progress.hpp"
#include "step/step.hpp"
#include "two_stars.hpp"

namespace {

using namespace rednova;
using ::testing::HasSubstr;
using ::testing::Not;

diagnose::progress_state some_state() {
  diagnose::progress_state p;
  p.step = 1234;
  p.time = 12.5;
  p.orbits = 0.75;
  p.counts_orbits = true;
  p.dt = 1.5e-3;
  p.leaves_by_level = {0, 0, 8, 56, 120};
  p.cell_steps_per_second = 2.346e6;
  p.seconds_left = 3725;
  p.remainders = {.mass = 1e-16, .momentum = 0, .angular_momentum = 0.0, .energy = 3e-13, .flow = 2e-4};
  return p;
}

TEST(progress_line, shows_all_that_matters) {
  const std::string line = diagnose::progress_line(some_state());
  for (const char* part :
       {"step 1234", "t 12.5", "(0.7500 orbits)", "dt 1.50e-03", "blocks L2:8 L3:56 L4:120", "2.35M cell-steps/s",
        "1h02m left", "m 1e-16", "p 0e+00", "J 0e+00", "E 3e-13", "flow's J 2e-04"})
    EXPECT_THAT(line, HasSubstr(part));
  EXPECT_THAT(line, Not(HasSubstr("\n")));
}

TEST(progress_line, keeps_time_left_and_drift_on_a_narrow_terminal) {
  const std::size_t whole = diagnose::progress_line(some_state()).size();
  for (std::size_t width = 40; width <= whole; ++width)
    EXPECT_LE(diagnose::progress_line(some_state(), width).size(), width);
  EXPECT_EQ(diagnose::progress_line(some_state(), whole), diagnose::progress_line(some_state()));
  const std::string wide = diagnose::progress_line(some_state(), whole - 1);
  for (const char* part : {"184 blocks", "1h02m left", "E 3e-13"}) EXPECT_THAT(wide, HasSubstr(part));
  const std::string narrow = diagnose::progress_line(some_state(), 79);
  for (const char* part : {"step 1234", "(0.7500 orbits)", "1h02m left", "drift 3e-13", "flow's J 2e-04"})
    EXPECT_THAT(narrow, HasSubstr(part));
}

TEST(progress_line, leaves_out_what_is_not_known) {
  diagnose::progress_state p = some_state();
  p.counts_orbits = false;
  p.cell_steps_per_second = 0;
  p.seconds_left = std::numeric_limits<double>::infinity();
  const std::string line = diagnose::progress_line(p);
  for (const char* part : {"orbits", "cell-steps", "left"}) EXPECT_THAT(line, Not(HasSubstr(part)));
  p.remainders.angular_momentum.reset();
  p.remainders.flow.reset();
  EXPECT_THAT(diagnose::progress_line(p), HasSubstr("J - E 3e-13"));
  EXPECT_THAT(diagnose::progress_line(p), Not(HasSubstr("flow")));
}

/// The line that the log of a run begins with.
std::string first_line(const step::simulation& s) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> log(std::tmpfile(), std::fclose);
  diagnose::progress(log.get(), diagnose::display::log).start(s);
  std::rewind(log.get());
  std::string text(1000, ' ');
  text.resize(std::fread(text.data(), 1, text.size(), log.get()));
  return text;
}

TEST(progress, counts_the_orbits_of_two_stars_on_a_grid_at_rest) {
  exec::context context(1);
  step::simulation s(diagnose::two_stars(1), context);
  EXPECT_THAT(first_line(s), Not(HasSubstr("orbits"))) << "nothing turns";
  const auto fill = [&s](const core::vec3d& at, int species, double density) {
    s.u().at(s.tree().leaf_at(at), species)[0] = density;
    step::prepare(s);
  };
  fill({-0.5, 0, 0}, 0, 1);
  fill({0.5, 0, 0}, 3, 1);
  EXPECT_THAT(first_line(s), HasSubstr("(0.0000 orbits)"));
  fill({0.5, 0, 0}, 3, 0);
  step::epoch at = s.now();
  at.orbit.slip = core::pi;
  s.restore(at);
  EXPECT_THAT(first_line(s), HasSubstr("(0.5000 orbits)")) << "what they did before they merged";
  s.begin(1);
  EXPECT_THAT(first_line(s), HasSubstr("(0.0000 orbits)")) << "the turns of the grid";
}

TEST(duration, is_as_long_as_it_needs_to_be) {
  EXPECT_EQ(diagnose::duration(0), "0s");
  EXPECT_EQ(diagnose::duration(59.4), "59s");
  EXPECT_EQ(diagnose::duration(192), "3m12s");
  EXPECT_EQ(diagnose::duration(7500), "2h05m");
  EXPECT_EQ(diagnose::duration(100800), "1d04h");
}

step::ledger some_ledger() {
  step::ledger b(2);
  b.initial.species = {1.0, 2.0};
  b.grid.species = {0.5, 2.0 + 4e-10};
  b.magnitude.species = {0.5, 2.0};
  b.outflow[3].species = {0.5, 0.0};
  b.grid.momentum = {0, 3e-12, 0};
  b.magnitude.momentum = {3, 1, 0};
  b.grid.energy = -2;
  b.initial.energy = -2;
  b.magnitude.energy = 5;
  return b;
}

TEST(ledger, drift_is_relative_to_the_sum_of_absolute_values) {
  const diagnose::drift d = diagnose::relative_drift(some_ledger(), {});
  EXPECT_NEAR(d.mass, 2e-10, 1e-15) << "the worst species counts, and what flowed out does not";
  EXPECT_NEAR(d.momentum, 1e-12, 1e-17) << "of the vector's largest component";
  EXPECT_EQ(d.angular_momentum, 0.0) << "nothing of nothing has not drifted";
  EXPECT_EQ(d.energy, 0);
}

TEST(ledger, what_is_left_of_a_species_that_is_gone_counts_against_the_whole_mass) {
  step::ledger ledger = some_ledger();
  ledger.initial.species[0] = 0.5 + 1e-16;  // what the grid lost, but for rounding, flowed out
  ledger.grid.species[0] = ledger.magnitude.species[0] = 0;
  EXPECT_LT(diagnose::relative_drift(ledger, {}).mass, 3e-10);
  EXPECT_THAT(diagnose::ledger_table(ledger, {"core", "envelope"}, {}), Not(HasSubstr("inf")));
}

TEST(ledger, table_has_a_row_for_each_quantity) {
  const std::string table = diagnose::ledger_table(some_ledger(), {"core", "envelope"}, {});
  for (const char* part : {"mass of core", "mass of envelope", "momentum y", "angular momentum z", "energy",
                           "remainder", "relative", "2.0e-10", "5.000e-01"})
    EXPECT_THAT(table, HasSubstr(part));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 2 + 1 + 3 + 3 + 3 + 1 + 1);
}

TEST(ledger, table_has_a_column_of_driving_where_the_orbit_was_driven) {
  step::ledger driven = some_ledger();
  EXPECT_THAT(diagnose::ledger_table(driven, {"core", "envelope"}, {}), Not(HasSubstr("driven")));
  const step::totals before = driven.remainder();
  driven.driven.angular_momentum.z = driven.grid.angular_momentum.z = -0.03125;
  driven.driven.energy = -0.015625;
  driven.grid.energy -= 0.015625;
  EXPECT_EQ(driven.remainder().energy, before.energy) << "what was booked is no remainder";
  EXPECT_THAT(diagnose::ledger_table(driven, {"core", "envelope"}, {}),
              AllOf(HasSubstr("driven   remainder"), HasSubstr("-3.125e-02"), HasSubstr("-1.562e-02")));
}

TEST(ledger, table_of_one_species_does_not_repeat_the_mass) {
  EXPECT_THAT(diagnose::ledger_table(step::ledger(1), {"gas"}, {}), Not(HasSubstr("mass of")));
}

/// J about z is 2 and stays so, but 0.01 of it has gone from the flow into spin, beside 0.125 that adapting the mesh
/// put there.
step::ledger ledger_with_spin() {
  step::ledger b(1);
  b.initial.angular_momentum.z = b.grid.angular_momentum.z = 2;
  b.initial.spin.z = 0.25;
  b.grid.spin.z = 0.25 + 0.01 + 0.125 - 0.5;
  b.grid.angular_momentum.z -= 0.75;
  b.outflow[1].angular_momentum.z = 0.75;
  b.outflow[1].spin.z = 0.5;
  b.regrid.spin.z = 0.125;
  b.magnitude.angular_momentum = {0, 0, 2};
  return b;
}

TEST(flow_drift, is_what_the_momenta_lost_over_the_first_angular_momentum) {
  const step::ledger ledger = ledger_with_spin();
  EXPECT_NEAR(ledger.remainder().angular_momentum.z, 0, 1e-16);
  const auto drift = diagnose::flow_drift::of(ledger, {});
  EXPECT_NEAR(drift.amount.z, -0.01, 1e-15);
  EXPECT_NEAR(drift.share.z, -0.005, 1e-15);
  EXPECT_FALSE(drift.of_magnitude);
  config::parameters without;
  without.hydro.spin = false;
  const auto lost = diagnose::flow_drift::of(ledger, diagnose::law_of_angular_momentum(without));
  EXPECT_NEAR(lost.amount.z, -0.01 - 0.125, 1e-15) << "nothing keeps what adapting the mesh took";
  EXPECT_THAT(diagnose::ledger_table(ledger, {"gas"}, diagnose::law_of_angular_momentum(without)),
              HasSubstr("its remainder and what regridding added are its drift"))
      << "the two columns that make up the share";
  const auto d = diagnose::relative_drift(ledger, {});
  EXPECT_NEAR(d.flow.value(), 0.005, 1e-15);
  EXPECT_EQ(d.angular_momentum.value(), 0);
  const std::string table = diagnose::ledger_table(ledger, {"gas"}, {});
  EXPECT_THAT(table,
              HasSubstr("  of the flow z         1.3650000e+00   2.500e-01   0.000e+00  -1.250e-01  -1.000e-02    "
                        "5.0e-03\n"));
  EXPECT_THAT(table, HasSubstr("relative to the angular momentum at the start"));
}

TEST(flow_drift, is_a_share_of_the_absolute_values_where_nothing_turned) {
  step::ledger ledger = ledger_with_spin();
  ledger.initial.angular_momentum.z = 1e-3;
  ledger.magnitude.angular_momentum = {4, 1, 2};
  const auto drift = diagnose::flow_drift::of(ledger, {});
  EXPECT_TRUE(drift.of_magnitude);
  EXPECT_EQ(drift.scale, 4);
  EXPECT_THAT(diagnose::ledger_table(ledger, {"gas"}, {}), HasSubstr("relative to the sum of absolute values"));
  const auto nothing = diagnose::flow_drift::of(step::ledger(1), {});
  EXPECT_EQ(nothing.share.z, 0);
}

TEST(flow_drift, of_what_has_no_law_is_not_told) {
  const auto law = diagnose::law_of_angular_momentum({});
  EXPECT_TRUE(diagnose::relative_drift(ledger_with_spin(), law).flow.has_value());
  config::parameters p;
  p.mesh.boundaries.fill(config::boundary::periodic);
  EXPECT_FALSE(diagnose::relative_drift(ledger_with_spin(), diagnose::law_of_angular_momentum(p)).flow.has_value());
}

config::parameters box(const char* x, const char* y, const char* z) {
  const auto kind = [](const std::string& name) {
    return name == "periodic" ? config::boundary::periodic : config::boundary::reflecting;
  };
  config::parameters p;
  p.mesh.boundaries = {kind(x), kind(x), kind(y), kind(y), kind(z), kind(z)};
  return p;
}

// L e_x × s has no component along x.
TEST(angular_momentum_law, holds_along_the_only_periodic_direction) {
  const auto law = diagnose::law_of_angular_momentum(box("periodic", "wall", "wall"));
  EXPECT_EQ(law.holds, (std::array<bool, 3>{true, false, false}));
  EXPECT_THAT(law.why_not, HasSubstr("periodic in x: "));
  EXPECT_THAT(law.why_not, HasSubstr("components y, z have no conservation law"));
  EXPECT_EQ(law.loss, "");
}

TEST(angular_momentum_law, of_other_boxes) {
  EXPECT_EQ(diagnose::law_of_angular_momentum(box("wall", "periodic", "periodic")).holds, (std::array<bool, 3>{}));
  const auto walls = diagnose::law_of_angular_momentum(box("wall", "wall", "wall"));
  EXPECT_TRUE(walls.holds_for_all());
  EXPECT_EQ(walls.why_not, "");
  config::parameters p;
  p.hydro.spin = false;
  EXPECT_TRUE(diagnose::law_of_angular_momentum(p).holds_for_all()) << "the scheme loses it, the law stands";
  EXPECT_THAT(diagnose::law_of_angular_momentum(p).loss, HasSubstr("hydro.spin = false"));
}

TEST(ledger, shows_no_remainder_of_what_is_not_conserved) {
  step::ledger ledger = some_ledger();
  ledger.grid.angular_momentum = {2e-16, 0.3, -0.125};
  ledger.magnitude.angular_momentum = {1, 1, 1};
  const auto law = diagnose::law_of_angular_momentum(box("periodic", "wall", "wall"));
  const std::string table = diagnose::ledger_table(ledger, {"core", "envelope"}, law);
  EXPECT_THAT(table,
              HasSubstr("angular momentum x      2.0000000e-16   0.000e+00   0.000e+00   0.000e+00   2.000e-16"));
  EXPECT_THAT(
      table,
      HasSubstr("angular momentum y *    3.0000000e-01   0.000e+00   0.000e+00   0.000e+00           -          -\n"));
  EXPECT_THAT(table, HasSubstr("\n* not conserved: the box is periodic in x"));
  EXPECT_EQ(diagnose::relative_drift(ledger, law).angular_momentum, 2e-16) << "of the component that has a law";
  EXPECT_EQ(diagnose::relative_drift(ledger, {}).angular_momentum, 0.3);
  const auto none = diagnose::law_of_angular_momentum(box("periodic", "periodic", "wall"));
  EXPECT_FALSE(diagnose::relative_drift(ledger, none).angular_momentum.has_value());
}

TEST(ledger, says_what_is_lost_without_spin) {
  config::parameters p;
  p.hydro.spin = false;
  EXPECT_THAT(diagnose::ledger_table(step::ledger(1), {"gas"}, diagnose::law_of_angular_momentum(p)),
              HasSubstr("\nhydro.spin = false: the torque"));
}

}  // namespace
