// The loop over steps: adapts the mesh, meets the times that output asks for, and knows when to stop.
#pragma once

#include <csignal>
#include <optional>
#include <vector>

#include "step/simulation.hpp"

namespace rednova::step {

/// Why a run ended.
enum class stop_reason { end_time, end_orbits, merged, max_steps, max_hours, interrupted, terminated, no_memory };

/// Whether the run was told to stop where it is, so that a restart has more to do.
bool goes_on(stop_reason why);

/// One line for people, such as "the end time was reached".
const char* describe(stop_reason why);

/// What looks on while a simulation runs: output and the progress line. It changes nothing.
class observer {
 public:
  virtual ~observer() = default;
  /// Before the first step of this run or restart (s.step() is 0 only at the very start).
  virtual void start(const simulation&) {}
  virtual void after_step(const simulation&) {}
  /// Whether after_step is going to read simulation::u or gravity, which a device may have to bring first; start and
  /// finish always may.
  virtual bool reads_fields(const simulation&) const { return false; }
  /// After the last step, whatever the reason; not called when a step failed.
  virtual void finish(const simulation&, stop_reason) {}
};

/// How often something is written: intervals of time and of orbits; 0: not by that.
struct cadence {
  double time = 0, orbits = 0;
};
inline cadence of_snapshots(const config::parameters& p) { return {p.output.snapshot_time, p.output.snapshot_orbits}; }
inline cadence of_slices(const config::parameters& p) { return {p.output.slice_time, p.output.slice_orbits}; }
inline cadence of_tracers(const config::parameters& p) { return {p.output.tracer_time, p.output.tracer_orbits}; }

/// Whether the step just taken reached a multiple of either interval. Depends on the state and the input alone, so a
/// restarted run writes the same files.
bool due(const simulation& s, const cadence& c);

/// Whether simulation::orbits() counts anything: there are two stars, or the grid rotates; or did.
bool counts_orbits(const simulation& s);

/// The time at which the input ends the run (end_time, end_orbits or end_after_merger), or infinity. That of end_orbits
/// is a forecast where two stars are counted, whose orbit may change; a merger is not foreseen.
double end_time(const simulation& s);

/// The rotation that the grid is to have from an adaptation of the mesh on: where the input asks for it that of the
/// line between two stars' centres in the last step, or none once they have merged.
double rotation_to_follow(const simulation& s);

/// Why the input lets the run take no further step; nothing while it does.
std::optional<stop_reason> ended(const simulation& s);

/// The largest step that meets the next snapshot, slices, tracers and the end of the run; depends on the state and the
/// input alone, so that a restarted run takes the same steps.
double largest_step(const simulation& s);

/// Runs a prepared simulation until the input or a signal ends it. Throws core::user_error where orbits or a
/// merger are to end it and there are no orbits to count, or no two stars.
///
/// `signal` is 0 until SIGINT, SIGTERM or SIGHUP arrives (its number then); the step in hand is finished first.
/// Before the step that follows every regrid_interval steps the mesh is adapted. Where the next mesh has no room on a
/// device the observers end with what is there, and no_memory (step/device_memory.hpp) is thrown.
stop_reason run(simulation& s, const std::vector<observer*>& observers, const volatile std::sig_atomic_t& signal);

}  // namespace rednova::step
