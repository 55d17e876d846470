#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "command/command.hpp"
#include "command/device.hpp"
#include "command/estimate.hpp"
#include "command/evolve.hpp"
#include "command/largest.hpp"
#include "command/model.hpp"
#include "core/check.hpp"
#include "core/constants.hpp"
#include "diagnose/progress.hpp"
#include "diagnose/step_limits.hpp"
#include "problem/outline.hpp"
#include "problem/resolved.hpp"
#include "step/driver.hpp"
#include "step/step.hpp"

namespace rednova::command {

namespace {

double seconds_of_a_step(step::simulation& s) {
  const auto start = std::chrono::steady_clock::now();
  step::advance(s, step::largest_step(s));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void print_mesh(const step::simulation& s) {
  const mesh::tree& t = s.tree();
  const core::vec3d lower = t.box().lower, upper = t.box().upper();
  fmt::print("domain    [{:g}, {:g}] x [{:g}, {:g}] x [{:g}, {:g}]\n", lower.x, upper.x, lower.y, upper.y, lower.z,
             upper.z);
  scaling::print_levels(t);
}

void print_time(const step::simulation& s, double seconds, const step::device* gpu) {
  const double time = step::end_time(s) - s.time();
  const double orbits = std::isfinite(time) ? time * std::fabs(s.rotation() + s.orbit().rate) / (2 * core::pi) : 0;
  const step_range steps = steps_of(s.par(), time, orbits, s.dt(), dt_is::measured);
  fmt::print("a step    dt {:.4g} in {:.3g} s, {:.3g} cell-steps/s on {}\n", s.dt(), seconds,
             static_cast<double>(s.tree().leaves()) * mesh::cells / seconds,
             gpu != nullptr ? gpu->description() : threads_text(s.context().threads()));
  if (!std::isfinite(steps.high)) return;
  const auto total = [&](double count) {
    const double most = s.par().run.max_hours > 0 ? 3600 * s.par().run.max_hours : count * seconds;
    return diagnose::duration(std::min(count * seconds, most));
  };
  fmt::print("the run   {}, in {} to {}, if the mesh stays as it is\n", words(steps), total(steps.low),
             total(steps.high));
}

/// Which cells ask for the shortest steps.
void print_limits(const step::simulation& s) {
  constexpr double dense = 1e-3;  // of the largest density: the stars
  const double densest = largest(s, [&](int leaf, int c) { return s.density(leaf, c); });
  const std::vector<diagnose::step_limit> all = diagnose::step_limits(s),
                                          stars = diagnose::step_limits(s, dense * densest);
  const auto print = [](const std::string& name, const diagnose::step_limit& l) {
    fmt::print("{:<14}{:>10.4g}{:>12.4g}{:>12.4g}{:>12.3g}{:>12.3g}{:>12.3g}{:>12.3g}\n", name, l.dt,
               std::hypot(l.at.x, l.at.y), l.at.z, l.density, l.gas, l.grid, l.signal);
  };
  fmt::print("\n{:<14}{:>10}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}\n", "shortest dt", "", "from axis", "z", "density",
             "gas", "grid", "signal");
  for (const diagnose::step_limit& l : all) print(fmt::format("of level {}", l.level), l);
  const auto shorter = [](const auto& a, const auto& b) { return a.dt < b.dt; };
  if (const auto first = std::ranges::min_element(stars, shorter); first != stars.end()) print("of dense gas", *first);
  fmt::print(
      "the fastest cell of each level and of gas above {:g} of the largest density: speeds of its gas, of the turning\n"
      "grid, and of its fastest signal through the grid; with steps of their own levels would take {:.2f} times "
      "fewer\n\n",
      dense, diagnose::gain_of_own_steps(s, all));
}

/// Where a device's step spends its time, by its own clock, and the memory that it holds there.
void print_device(const step::simulation& s) {
  std::vector<std::pair<double, std::string>> phases;
  for (const auto& [name, entry] : s.context().times().elsewhere()) phases.emplace_back(entry.seconds, name);
  std::ranges::sort(phases, std::greater());
  std::string text;
  for (const auto& [seconds, name] : phases)
    text += fmt::format("{}{} {:.3g}", text.empty() ? "" : ", ", name, seconds);
  const double bytes = s.stepper().device_bytes();
  fmt::print("          of which seconds: {}\n          {:.3g} GB on the device, {:.3g} B per cell\n", text,
             bytes * 1e-9, bytes / (static_cast<double>(s.tree().leaves()) * mesh::cells));
}

/// Before the model is made, which may take minutes.
void expect_deeper(const scaling::outlook& ahead, int max_level) {
  for (const int level : ahead.trees) {
    if (level < max_level)
      core::fail(
          "--trees {}: the model is made at mesh.max_level = {}; give levels from there on, or lower it by --set",
          level, max_level);
  }
}

}  // namespace

int check(const job& what, const scaling::outlook& ahead) {
  config::input in = config::input::from_file(what.file, what.overrides);
  model m = load(in);
  expect_memory(in, m.par);
  const problem::sketch sketch = m.problem->sketched(m.par);
  problem::warn_of_stars(in, m.par, sketch);
  say_warnings(in);
  expect_deeper(ahead, m.par.mesh.max_level);
  if (ahead.wanted() && what.device == device_choice::gpu)
    core::fail("--device gpu: what is expected on more ranks is made from the cores' times: leave out --device");
  exec::context context(threads_of(what));
  const auto gpu = ahead.wanted() ? nullptr : device_of(what, m.par, context);
  if (sketch.iterated) {
    fmt::print("{}: the input is valid; an estimate before the initial model is made:\n", what.file);
    print_estimate(m.par, problem::outline_of(*m.problem, m.par, context));
    fmt::print("making the initial model of '{}' …\n", in.problem_name());
  } else {
    fmt::print("{}: the input is valid; making the initial model of '{}' …\n", what.file, in.problem_name());
  }
  say_model(m);
  std::fflush(stdout);
  step::simulation s(m.par, context);
  run_on(gpu, s);
  if (const auto reached = m.problem->initialize(s)) say_reached(*reached);
  expect_turning(in, s);
  expect_snapshots_apart(in, s);
  warn_of_model(m, s);
  warn_of_limits(s);
  print_mesh(s);
  // The first step also warms caches and threads; the second is what a run will see.
  seconds_of_a_step(s);
  context.times().clear();
  const double seconds = seconds_of_a_step(s);
  const scaling::block_costs costs = scaling::costs_of(s, seconds);
  print_time(s, seconds, gpu.get());
  if (gpu) print_device(s);
  s.stepper().fetch();
  print_limits(s);
  fmt::print("memory    {:.3g} GB now, {:.3g} kB per cell\n", scaling::peak_memory() * 1e-9,
             scaling::peak_memory() / (static_cast<double>(s.tree().leaves()) * mesh::cells) * 1e-3);
  if (ahead.wanted()) scaling::print_outlook(s, costs, ahead);
  return success;
}

int quick_check(const job& what, const scaling::outlook& ahead) {
  config::input in = config::input::from_file(what.file, what.overrides);
  model m = load(in);
  problem::warn_of_stars(in, m.par, m.problem->sketched(m.par));
  say_warnings(in);
  if (ahead.wanted())
    core::fail(
        "--quick: what is expected on more ranks needs the time of a step: leave out --quick, or --ranks and --trees");
  exec::context context(threads_of(what));
  fmt::print("{}: the input is valid; an estimate without the initial model of '{}':\n", what.file, in.problem_name());
  print_estimate(m.par, problem::outline_of(*m.problem, m.par, context));
  return success;
}

int show(const job& what) {
  config::input in = config::input::from_file(what.file, what.overrides);
  load(in);
  say_warnings(in);
  fmt::print("{}", in.all_values());
  return success;
}

}  // namespace rednova::command
