#include "step/driver.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "core/check.hpp"
#include "core/constants.hpp"
#include "exchange/gather.hpp"
#include "step/device_room.hpp"
#include "step/step.hpp"

namespace rednova::step {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
// Times within this share of an interval count as equal: far above rounding, far below a step.
constexpr double same = 1e-9;

/// Why a rank wants to stop; of several reasons the largest counts.
enum stop_request : int { ask_nothing, ask_max_hours, ask_terminated, ask_interrupted };

double turn(const simulation& s) { return 2 * core::pi / std::abs(s.rotation); }

/// How many whole intervals have passed at a time.
double intervals(double time, double interval) { return std::floor(time / interval + same); }

/// The next time that a step must not cross.
double next_event(const simulation& s) {
  const double interval = snapshot_interval(s);
  const double snapshot = interval > 0 ? (intervals(s.time, interval) + 1) * interval : never;
  return std::min(end_time(s), snapshot);
}

/// Advances one step and lands exactly on the next event if the step was cut for it.
void advance_to_event(simulation& s) {
  const double event = next_event(s);
  const double dt_max = largest_step(s);
  const bool reaches = dt_max >= event - s.time;
  advance(s, dt_max);
  if (reaches && s.dt >= dt_max) s.time = event;
}

void finish(simulation& s, const std::vector<observer*>& observers, stop_reason why) {
  s.runs_on->fetch();
  for (observer* o : observers) o->finish(s, why);
}

}  // namespace

const char* describe(stop_reason why) {
  switch (why) {
    case stop_reason::end_time:
      return "the end time was reached";
    case stop_reason::end_orbits:
      return "the number of orbits was reached";
    case stop_reason::max_steps:
      return "the number of steps was reached";
    case stop_reason::max_hours:
      return "the wall time was used up";
    case stop_reason::interrupted:
      return "interrupted";
    case stop_reason::terminated:
      return "terminated";
    case stop_reason::no_room:
      return "the mesh has outgrown the device";
  }
  return "";
}

double snapshot_interval(const simulation& s) {
  const auto& par = s.par.output;
  const double by_time = par.snapshot_time > 0 ? par.snapshot_time : never;
  const double by_orbits = par.snapshot_orbits > 0 && s.rotation != 0 ? par.snapshot_orbits * turn(s) : never;
  const double interval = std::min(by_time, by_orbits);
  return interval < never ? interval : 0;
}

bool snapshot_due(const simulation& s) {
  const double interval = snapshot_interval(s);
  return interval > 0 && s.step > 0 && intervals(s.time, interval) > intervals(s.time - s.dt, interval);
}

double end_time(const simulation& s) {
  const auto& par = s.par.run;
  double end = par.end_time > 0 ? par.end_time : never;
  if (par.end_orbits > 0) {
    if (s.rotation == 0)
      core::fail(
          "run.end_orbits counts turns of the grid, but this grid does not rotate: set mesh.rotation or run.end_time");
    end = std::min(end, par.end_orbits * turn(s));
  }
  return end;
}

std::optional<stop_reason> ended(const simulation& s) {
  const auto& par = s.par.run;
  if (par.end_time > 0 && s.time >= par.end_time) return stop_reason::end_time;
  if (par.end_orbits > 0 && s.time >= end_time(s)) return stop_reason::end_orbits;
  if (s.step >= par.max_steps) return stop_reason::max_steps;
  return std::nullopt;
}

double largest_step(const simulation& s) {
  const double left = next_event(s) - s.time;
  // What would be cut into a whole step and a sliver becomes two halves.
  const bool two_steps = left > 1.0001 * s.dt && left < 2 * s.dt;
  return two_steps ? left / 2 : left;
}

stop_reason run(simulation& s, const std::vector<observer*>& observers, const volatile std::sig_atomic_t& signal) {
  using clock = std::chrono::steady_clock;
  const auto started = clock::now();
  const auto hours = [&] { return std::chrono::duration<double>(clock::now() - started).count() / 3600; };

  end_time(s);  // fails before the first file is written
  s.runs_on->fetch();
  for (observer* o : observers) o->start(s);
  std::optional<stop_reason> why;
  while (!(why = ended(s))) {
    // A signal or the clock reaches ranks at different times: they agree, the first of them speaks.
    int asked = signal == SIGINT                        ? ask_interrupted
                : signal == SIGTERM || signal == SIGHUP ? ask_terminated
                                                        : ask_nothing;
    if (asked == ask_nothing && s.par.run.max_hours > 0 && hours() >= s.par.run.max_hours) asked = ask_max_hours;
    asked = exchange::fold_ranks(*s.where, asked, [](int a, int b) { return std::max(a, b); });
    if (asked == ask_interrupted) why = stop_reason::interrupted;
    if (asked == ask_terminated) why = stop_reason::terminated;
    if (asked == ask_max_hours) why = stop_reason::max_hours;
    if (why) break;
    const int interval = s.par.mesh.regrid_interval;
    if (interval > 0 && s.step > 0 && s.step % interval == 0) {
      try {
        adapt(s);
      } catch (const no_room&) {
        finish(s, observers, stop_reason::no_room);
        throw;
      }
    }
    advance_to_event(s);
    if (std::ranges::any_of(observers, [&](observer* o) { return o->reads_fields(s); })) s.runs_on->fetch();
    for (observer* o : observers) o->after_step(s);
  }
  finish(s, observers, *why);
  return *why;
}

}  // namespace rednova::step
