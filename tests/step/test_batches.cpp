// Batches of leaves as tasks: who waits for whom, and what happens when one fails. That they compute while messages
// travel is shown on two ranks (tests/ranks/overlap.cpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "collapse.hpp"
#include "exec/run.hpp"
#include "step/cores.hpp"

namespace rednova::step {
namespace {

class batches : public testing::TestWithParam<int> {
 protected:
  batches() : context(GetParam()), s(parameters(), context) { start_collapse(s); }

  static config::parameters parameters() { return collapse_parameters({.rotation = 0.5, .gravity = true}); }
  stage_now first() const { return {.form = form, .dt = 1e-4, .number = 0, .last = false, .begins = 0, .ends = 1e-4}; }

  exec::context context;
  simulation s;
  stage_form form = stages(config::integrator::rk3)[0];
};

INSTANTIATE_TEST_SUITE_P(threads, batches, testing::Values(1, 2));

TEST_P(batches, hold_each_leaf_once) {
  std::vector<int> seen(static_cast<std::size_t>(s.tree().leaves()), 0);
  for (const std::vector<int>& list : cores_of(s).work().batches) {
    EXPECT_FALSE(list.empty());
    for (const int leaf : list) ++seen[static_cast<std::size_t>(leaf)];
  }
  for (const batch_inputs& of : cores_of(s).work().inputs) EXPECT_FALSE(of.outer) << "there are no other ranks";
  EXPECT_EQ(std::ranges::count(seen, 1), s.tree().leaves());
}

/// Goes on when the fine leaves beside a coarse one have left their fluxes.
exec::task fail_when_filled(simulation& s) {
  const exchange::coarse_face& q = cores_of(s).work().faces.coarse_faces().front();
  co_await cores_of(s).work().fluxes_ready(q.fine[0], q.face ^ 1);
  throw std::runtime_error("a batch fails on purpose");
}

TEST_P(batches, that_fail_end_the_step_with_their_message) {
  const stage_now now = first();
  std::vector<exec::task> tasks;
  cores_of(s).add_tasks(nullptr, &now, tasks);
  tasks.push_back(fail_when_filled(s));
  try {
    exec::run_tasks(context, std::move(tasks));
    FAIL() << "nobody heard of it";
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "a batch fails on purpose");
  }
  // Nothing is left over: the same state takes the step.
  EXPECT_NO_THROW(advance(s, 1e-4));
}

TEST_P(batches, wait_for_what_never_comes_and_are_found_out) {
  // Without the tasks that restrict, ghosts beside finer levels are never there.
  std::vector<exec::task> tasks, none;
  s.halo().add_restriction_tasks(none, s.u());
  tasks.push_back([](simulation& of) -> exec::task {
    std::vector<exec::event*> inputs;
    of.halo().add_ghost_inputs(0, inputs);
    co_await exec::all(std::move(inputs));
  }(s));
  EXPECT_THROW(exec::run_tasks(context, std::move(tasks)), std::logic_error);
  none.clear();
  EXPECT_NO_THROW(advance(s, 1e-4));
}

}  // namespace
}  // namespace rednova::step
