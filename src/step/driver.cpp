#include "step/driver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/check.hpp"
#include "core/constants.hpp"
#include "exchange/collective_error.hpp"
#include "exchange/gather.hpp"
#include "step/device_memory.hpp"
#include "step/step.hpp"

namespace rednova::step {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
// Times within this share of an interval count as equal: far above rounding, far below a step.
constexpr double same = 1e-9;

// The first cut over ranks goes by guessed costs. So many steps measure them, to some per cent; what moves then moves
// once, so a small gain is worth it.
constexpr int steps_until_measured = 4;
constexpr double first_threshold = 0.01;

/// Why a rank wants to stop; of several reasons the largest counts.
enum stop_request : int { ask_nothing, ask_max_hours, ask_terminated, ask_interrupted };

// Orbits count as passed when no more than this is left: far below a step, and above what the forecast of the time at
// which they are passed misses by in a steady orbit (3e-6 in the first steps of a detached binary; where the orbit
// changes more, another step is taken, or some 1e-5 too much).
constexpr double near = 1e-5;

/// How many whole intervals have passed at a time.
double intervals(double time, double interval) { return std::floor(time / interval + same); }

/// How many whole intervals of orbits have passed.
double orbit_intervals(double orbits, double interval) { return std::floor((std::abs(orbits) + near) / interval); }

/// When so many orbits will have passed if they go on as in the last step; exact where the grid's turns are counted.
double time_of_orbits(const simulation& s, double orbits) {
  const double speed = s.rotation() + s.orbit().rate, now = s.orbits();
  if (std::abs(now) + near >= orbits) return s.time();
  const double direction = std::copysign(1.0, now != 0 ? now : speed);
  if (speed * direction <= 0) return never;
  const double grid_at_0 = s.grid_angle(0);  // as if it had turned with the present rate all the time
  return (direction * 2 * core::pi * orbits - grid_at_0 - s.orbit().slip + s.orbit().rate * s.time()) / speed;
}

/// The end that the input gives as a time after a merger; not known before that.
double end_by_merger(const simulation& s) {
  const double after = s.par().run.end_after_merger, apart = s.orbit().last_apart;
  return after > 0 && !s.stars().apart && !std::isnan(apart) ? apart + after : never;
}

/// The end that it gives as a time.
double end_by_time(const simulation& s) {
  return std::min(s.par().run.end_time > 0 ? s.par().run.end_time : never, end_by_merger(s));
}

/// A forecast of the end that it gives in orbits.
double end_by_orbits(const simulation& s) {
  return s.par().run.end_orbits > 0 ? time_of_orbits(s, s.par().run.end_orbits) : never;
}

std::array<cadence, 3> cadences(const simulation& s) {
  return {of_snapshots(s.par()), of_slices(s.par()), of_tracers(s.par())};
}

/// The next time that the input names, which a step must not cross.
double next_time(const simulation& s) {
  const double end = end_by_time(s);
  double next = end;
  for (const cadence& c : cadences(s)) {
    if (c.time == 0) continue;
    const double event = (intervals(s.time(), c.time) + 1) * c.time;
    // An end that is a whole number of intervals but for rounding comes once: no step of that rounding lies between.
    if (end - event > same * c.time) next = std::min(next, event);
  }
  return next;
}

/// A forecast of the time at which orbits have passed after which the input names something.
double next_of_orbits(const simulation& s) {
  double next = end_by_orbits(s);
  for (const cadence& c : cadences(s))
    if (c.orbits > 0) next = std::min(next, time_of_orbits(s, (orbit_intervals(s.orbits(), c.orbits) + 1) * c.orbits));
  return next;
}

/// Advances one step and lands exactly on the next event if the step was cut for it.
void advance_to_event(simulation& s) {
  const double event = std::min(next_time(s), next_of_orbits(s));
  const double dt_max = largest_step(s);
  const bool reaches = dt_max >= event - s.time();
  advance(s, dt_max, reaches ? std::optional(event) : std::nullopt);
}

void finish(simulation& s, const std::vector<observer*>& observers, stop_reason why) {
  s.stepper().fetch();
  for (observer* o : observers) o->finish(s, why);
}

}  // namespace

bool goes_on(stop_reason why) {
  return why == stop_reason::interrupted || why == stop_reason::terminated || why == stop_reason::max_hours;
}

const char* describe(stop_reason why) {
  switch (why) {
    case stop_reason::end_time:
      return "the end time was reached";
    case stop_reason::end_orbits:
      return "the number of orbits was reached";
    case stop_reason::merged:
      return "the time after the merger was reached";
    case stop_reason::max_steps:
      return "the number of steps was reached";
    case stop_reason::max_hours:
      return "the wall time was used up";
    case stop_reason::interrupted:
      return "interrupted";
    case stop_reason::terminated:
      return "terminated";
    case stop_reason::no_memory:
      return "the mesh has outgrown the device";
  }
  return "";
}

bool due(const simulation& s, const cadence& c) {
  if (s.step() == 0) return false;
  const bool by_time = c.time > 0 && intervals(s.time(), c.time) > intervals(s.time() - s.dt(), c.time);
  const bool by_orbits =
      c.orbits > 0 && orbit_intervals(s.orbits(), c.orbits) > orbit_intervals(s.orbits_before(), c.orbits);
  return by_time || by_orbits;
}

bool counts_orbits(const simulation& s) { return s.rotation() != 0 || s.stars().apart || s.orbits() != 0; }

double end_time(const simulation& s) { return std::min(end_by_time(s), end_by_orbits(s)); }

double rotation_to_follow(const simulation& s) {
  const config::mesh& asked = s.par().mesh;
  if (!s.star_gas().two()) return s.rotation();
  if (!s.stars().apart) return asked.inertial_after_merger ? 0 : s.rotation();
  return asked.rotation_follows == config::followed::orbit ? s.rotation() + s.orbit().rate : s.rotation();
}

std::optional<stop_reason> ended(const simulation& s) {
  const auto& par = s.par().run;
  if (par.end_time > 0 && s.time() >= par.end_time) return stop_reason::end_time;
  if (par.end_orbits > 0 && std::abs(s.orbits()) + near >= par.end_orbits) return stop_reason::end_orbits;
  if (s.time() >= end_by_merger(s)) return stop_reason::merged;
  if (s.step() >= par.max_steps) return stop_reason::max_steps;
  return std::nullopt;
}

double largest_step(const simulation& s) {
  const double time = next_time(s), orbits = next_of_orbits(s), left = std::min(time, orbits) - s.time();
  // What would be cut into a whole step and a sliver becomes two halves. The second may have to be a little longer than
  // the first where it goes by a forecast: if that counted as two steps again, each would halve what is left.
  const double more = orbits < time ? 1.1 : 1.0001;
  const bool two_steps = left > more * s.dt() && left < 2 * s.dt();
  return two_steps ? left / 2 : left;
}

stop_reason run(simulation& s, const std::vector<observer*>& observers, const volatile std::sig_atomic_t& signal) {
  const auto fail = [](const char* why) { throw exchange::collective_error(why); };
  if (s.par().run.end_orbits > 0 && !counts_orbits(s))  // before the first file is written
    fail(
        "run.end_orbits counts the orbits of two stars or the turns of the grid, but there are no two stars and this "
        "grid does not rotate: set mesh.rotation or run.end_time");
  if (s.par().run.end_after_merger > 0 && !s.stars().apart && std::isnan(s.orbit().last_apart))
    fail(
        "run.end_after_merger counts from where two stars merge, but there are no two stars whose dense parts are "
        "apart: leave it out");
  if (s.par().driving.rate != 0 && (!s.star_gas().two() || s.points().count > 0))
    fail(
        "driving.rate moves the gas of two stars, species whose names begin with accretor and donor, and no point "
        "masses: this problem has other gas");
  s.stepper().fetch();
  for (observer* o : observers) o->start(s);
  const auto first = s.step();
  std::optional<stop_reason> why;
  while (!(why = ended(s))) {
    // A signal or the clock reaches ranks at different times: they agree, the first of them speaks.
    int asked = signal == SIGINT                        ? ask_interrupted
                : signal == SIGTERM || signal == SIGHUP ? ask_terminated
                                                        : ask_nothing;
    if (asked == ask_nothing && s.par().run.max_hours > 0 && s.context().seconds() >= 3600 * s.par().run.max_hours)
      asked = ask_max_hours;
    asked = exchange::fold_ranks(s.context(), asked, [](int a, int b) { return std::max(a, b); });
    if (asked == ask_interrupted) why = stop_reason::interrupted;
    if (asked == ask_terminated) why = stop_reason::terminated;
    if (asked == ask_max_hours) why = stop_reason::max_hours;
    if (why) break;
    const int interval = s.par().mesh.regrid_interval;
    const bool adapts = interval > 0 && s.step() > 0 && s.step() % interval == 0;
    try {
      if (s.step() - first == steps_until_measured)
        rebalance(s, std::min(s.par().mesh.rebalance_threshold, first_threshold));
      if (adapts) adapt(s);
    } catch (const no_memory&) {
      finish(s, observers, stop_reason::no_memory);
      throw;
    }
    if (adapts) rotate_grid(s, rotation_to_follow(s));
    advance_to_event(s);
    if (std::ranges::any_of(observers, [&](observer* o) { return o->reads_fields(s); })) s.stepper().fetch();
    for (observer* o : observers) o->after_step(s);
  }
  finish(s, observers, *why);
  return *why;
}

}  // namespace rednova::step
