#include "command/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/constants.hpp"
#include "scaling/report.hpp"
#include "step/memory_budget.hpp"

namespace rednova::command {

namespace {

/// What runs took over what the first dt says: 0.43 (sedov, whose explosion cools) to 1.67 in the runs that have been
/// compared.
constexpr double fewest = 0.4, most = 1.8;
/// The same over the dt of points of a sketch.
constexpr double fewest_of_sketch = 0.3, most_of_sketch = 2.5;

/// How often a step is cut to meet a file's time, which adds a step at most.
double cuts(const config::output& o, double time, double orbits) {
  double n = 0;
  if (std::isfinite(time)) {
    for (const double interval : {o.snapshot_time, o.slice_time, o.tracer_time})
      n += interval > 0 ? time / interval : 0;
  }
  for (const double interval : {o.snapshot_orbits, o.slice_orbits, o.tracer_orbits})
    n += interval > 0 ? orbits / interval : 0;
  return n;
}

}  // namespace

step_range steps_of(const config::parameters& par, double time, double orbits, double dt, dt_is how) {
  const double end = par.run.max_steps;
  const double likely = dt > 0 ? time / dt : std::numeric_limits<double>::infinity();
  const bool measured = how == dt_is::measured;
  const double low = likely * (measured ? fewest : fewest_of_sketch);
  const double high = likely * (measured ? most : most_of_sketch) + cuts(par.output, time, orbits);
  return {std::min(std::floor(low), end), std::min(std::ceil(likely), end), std::min(std::ceil(high), end)};
}

std::string words(const step_range& steps) {
  if (steps.low == steps.high) return fmt::format("{:.3g} steps", steps.likely);
  return fmt::format("{:.3g} to {:.3g} steps, likely {:.3g}", steps.low, steps.high, steps.likely);
}

void print_estimate(const config::parameters& par, const problem::outline& begin) {
  const double rate = std::fabs(begin.orbital_rate != 0 ? begin.orbital_rate : begin.rotation);
  double time = par.run.end_time > 0 ? par.run.end_time : std::numeric_limits<double>::infinity();
  if (par.run.end_orbits > 0 && rate > 0) time = std::min(time, par.run.end_orbits * 2 * core::pi / rate);
  const double orbits = std::isfinite(time) ? time * rate / (2 * core::pi) : 0;
  scaling::print_levels(begin.tree);
  const step_range steps = steps_of(par, time, orbits, begin.dt, dt_is::outlined);
  fmt::print("the run   {} (dt {:.2g} at the start)\n", words(steps), begin.dt);
  const double memory = step::likely_memory(par, begin.tree.leaves());
  fmt::print("memory    {:.2g} to {:.2g} GB at the start, on one rank\n", 0.75 * memory * 1e-9, 1.4 * memory * 1e-9);
  if (begin.iterated) fmt::print("          (of two spheres in place of the stars, whose model has not been made)\n");
}

}  // namespace rednova::command
