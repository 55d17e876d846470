// The loop over steps: where it stops, which times it meets, what its observers see.
#include <gtest/gtest.h>

#include <cmath>

#include "core/check.hpp"
#include "core/constants.hpp"
#include "step/driver.hpp"
#include "step/step.hpp"

namespace {

using namespace rednova;

/// A gas at rest of density 1 and sound speed 1 in one block of edge 1: each step is cfl/8 = 0.05 long.
config::parameters still_gas() {
  config::parameters p;
  p.mesh.boundaries.fill(config::boundary::periodic);
  p.mesh.regrid_interval = 2;
  p.hydro.gamma = 1.4;
  return p;
}

void fill(step::simulation& s) {
  const double e = 1 / 1.4 / 0.4;
  for (int n = 0; n < s.tree().leaves(); ++n) {
    std::fill_n(s.u().at(n, s.fields().species(0)), mesh::cells, 1.0);
    std::fill_n(s.u().at(n, s.fields().energy()), mesh::cells, e);
    std::fill_n(s.u().at(n, s.fields().entropy()), mesh::cells, s.eos().ideal.tracer_of_heat(e));
  }
  step::prepare(s);
}

struct witness : step::observer {
  std::vector<double> times;
  std::vector<double> snapshots;
  int starts = 0, finishes = 0;
  volatile std::sig_atomic_t* raise_at_step_3 = nullptr;

  void start(const step::simulation& s) override {
    ++starts;
    times.push_back(s.time());
  }
  void after_step(const step::simulation& s) override {
    times.push_back(s.time());
    if (step::due(s, step::of_snapshots(s.par()))) snapshots.push_back(s.time());
    if (raise_at_step_3 && s.step() == 3) *raise_at_step_3 = SIGTERM;
  }
  void finish(const step::simulation&, step::stop_reason) override { ++finishes; }
};

class driver : public ::testing::Test {
 protected:
  step::stop_reason run(const config::parameters& p) {
    step::simulation s(p, context);
    fill(s);
    return step::run(s, {&seen}, signal);
  }
  exec::context context{1};
  witness seen;
  volatile std::sig_atomic_t signal = 0;
};

TEST_F(driver, stops_exactly_at_the_end_time) {
  config::parameters p = still_gas();
  p.run.end_time = 0.33;
  EXPECT_EQ(run(p), step::stop_reason::end_time);
  EXPECT_EQ(seen.times.front(), 0.0);
  EXPECT_EQ(seen.times.back(), 0.33) << "to the last bit";
  EXPECT_EQ(seen.starts, 1);
  EXPECT_EQ(seen.finishes, 1);
}

TEST_F(driver, ends_where_a_cell_holds_no_number) {
  step::simulation s(still_gas(), context);
  fill(s);
  const mesh::block_data good = s.u();
  for (const int field : {s.fields().species(0), s.fields().momentum(1), s.fields().energy()}) {
    s.u() = good;
    s.u().at(0, field)[37] = std::nan("");
    EXPECT_THROW(step::prepare(s), core::user_error) << "in the initial model";
    s.u().at(0, field)[37] = good.at(0, field)[37];
    step::prepare(s);
    s.u().at(0, field)[37] = std::nan("");
    EXPECT_THROW(step::advance(s, 1e-3), core::user_error) << "in a step";
  }
}

TEST_F(driver, ends_where_steps_move_the_time_no_more) {
  step::simulation s(still_gas(), context);
  fill(s);
  step::advance(s, 1e-3);
  for (int c = 0; c < mesh::cells; ++c) s.u().at(0, s.fields().energy())[c] = 1e40;
  step::prepare(s);
  EXPECT_THROW(step::advance(s, 1e-3), core::user_error);
}

TEST_F(driver, takes_no_sliver_of_a_step) {
  config::parameters p = still_gas();
  p.run.end_time = 0.1001;  // two steps of 0.05 would leave 0.0001
  run(p);
  for (std::size_t i = 1; i < seen.times.size(); ++i) EXPECT_GT(seen.times[i] - seen.times[i - 1], 0.02);
}

TEST_F(driver, comes_once_to_an_end_that_snapshots_miss_by_rounding) {
  static_assert(3 * 0.3 < 0.9);
  config::parameters p = still_gas();
  p.run.end_time = 0.9;
  p.output.snapshot_time = 0.3;
  run(p);
  for (std::size_t i = 1; i < seen.times.size(); ++i) EXPECT_GT(seen.times[i] - seen.times[i - 1], 0.02);
  EXPECT_EQ(seen.times.back(), 0.9);
}

TEST_F(driver, meets_the_snapshot_times) {
  config::parameters p = still_gas();
  p.run.end_time = 0.4;
  p.output.snapshot_time = 0.1;
  run(p);
  ASSERT_EQ(seen.snapshots.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(seen.snapshots[i], static_cast<double>(i + 1) * 0.1);
}

TEST_F(driver, stops_after_the_steps_asked_for) {
  config::parameters p = still_gas();
  p.run.max_steps = 5;
  EXPECT_EQ(run(p), step::stop_reason::max_steps);
  EXPECT_EQ(seen.times.size(), 6U);
}

TEST_F(driver, may_take_no_step_at_all) {
  config::parameters p = still_gas();
  p.run.max_steps = 0;
  EXPECT_EQ(run(p), step::stop_reason::max_steps);
  EXPECT_EQ(seen.times.size(), 1U);
  EXPECT_EQ(seen.finishes, 1);
}

TEST_F(driver, finishes_the_step_when_a_signal_arrives) {
  config::parameters p = still_gas();
  p.run.end_time = 100;
  seen.raise_at_step_3 = &signal;
  EXPECT_EQ(run(p), step::stop_reason::terminated);
  EXPECT_EQ(seen.times.size(), 4U);
  EXPECT_EQ(seen.finishes, 1);
}

TEST_F(driver, stops_when_the_wall_time_is_used_up) {
  config::parameters p = still_gas();
  p.run.max_hours = 1e-9;
  p.run.end_time = 100;
  EXPECT_EQ(run(p), step::stop_reason::max_hours);
}

TEST_F(driver, counts_orbits_only_on_a_turning_grid) {
  config::parameters p = still_gas();
  p.run.end_orbits = 1;
  EXPECT_THROW(run(p), core::user_error);
  p.mesh.boundaries.fill(config::boundary::outflow);
  p.mesh.rotation = -4;
  p.run.end_orbits = 0.05;
  EXPECT_EQ(run(p), step::stop_reason::end_orbits);
  EXPECT_EQ(seen.times.back(), 0.05 * (2 * core::pi / 4));
}

TEST_F(driver, takes_the_same_steps_from_the_middle) {
  config::parameters p = still_gas();
  p.run.end_time = 0.33;
  p.output.snapshot_time = 0.07;
  run(p);
  const std::vector<double> whole = seen.times;
  // The clock of a simulation is all that the choice of a step sees besides the gas, which is at rest.
  step::simulation s(p, context);
  fill(s);
  const std::size_t middle = whole.size() / 2;
  s.restore({.time = whole[middle],
             .dt = whole[middle] - whole[middle - 1],
             .step = static_cast<std::int64_t>(middle),
             .turn = {},
             .ledger = s.ledger(),
             .orbit = {},
             .points = step::point_masses()});
  witness again;
  step::run(s, {&again}, signal);
  EXPECT_EQ(again.times, std::vector<double>(whole.begin() + static_cast<std::ptrdiff_t>(middle), whole.end()));
}

}  // namespace
