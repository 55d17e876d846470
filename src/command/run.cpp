#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

#include "command/command.hpp"
#include "command/device.hpp"
#include "command/evolve.hpp"
#include "command/interruption.hpp"
#include "command/kept_files.hpp"
#include "command/model.hpp"
#include "command/ranks.hpp"
#include "core/check.hpp"
#include "core/shortened.hpp"
#include "eos/stellar_tables.hpp"
#include "exchange/collective_error.hpp"
#include "output/advice.hpp"
#include "output/checkpoint.hpp"
#include "output/later_files.hpp"
#include "output/model_file.hpp"
#include "output/published_hdf5.hpp"
#include "output/run_lock.hpp"
#include "problem/resolved.hpp"
#include "step/driver.hpp"
#include "step/step.hpp"

namespace rednova::command {

namespace {

namespace fs = std::filesystem;

/// "2 threads", "NVIDIA H100 (sm_90)", or either of each of some ranks, and where the messages of GPUs stand.
std::string company(const exec::context& context, const exec::transport& ranks, const step::device* gpu) {
  std::string mine = gpu != nullptr ? gpu->description() : threads_text(context.threads());
  if (context.ranks() == nullptr) return mine;
  const char* const messages = gpu == nullptr          ? ""
                               : ranks.reads_devices() ? ", messages in the GPUs' memory"
                                                       : ", messages in the hosts' memory";
  return fmt::format("{} of each of {} ranks ({}{})", mine, ranks.size(), ranks.describe(), messages);
}

output::speaker speaker_of(const exec::context& context) {
  return context.leads() ? output::speaker::first : output::speaker::other;
}

/// The checkpoint that a restart begins with: the one named, or the newest of a run directory.
std::string checkpoint_of(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error))
    core::fail("{}: {}", path, error ? error.message() : "there is no such run directory or checkpoint");
  if (fs::path(path).extension() == ".toml")
    core::fail("{}: this is an input, no checkpoint: rednova run {}", path, output::shell_word(path));
  if (!fs::is_directory(path)) return path;
  const auto all = output::checkpoints(path);
  if (all.empty() && fs::exists(fs::path(path) / "history.csv"))
    core::fail("{}: this run wrote no checkpoint to go on from: remove it and start anew with rednova run", path);
  if (all.empty()) core::fail("{}: this directory holds no checkpoint; name the directory of a run (--out)", path);
  return all.back();
}

/// Of this start of the run, on all ranks alike.
output::provenance provenance_of_start(const config::input& in, const kept_names& names, const exec::context& context) {
  output::provenance from = provenance_of(in.text(names));
  from.started_ns = std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
  if (context.ranks() != nullptr) from.started_ns = context.ranks()->gather_all(from.started_ns)[0];
  return from;
}

/// The lock of a run's directory, which the first rank holds for all, and what it finds wrong then; said by all.
std::optional<output::run_lock> lock(exec::context& context, const std::string& directory,
                                     const std::function<void()>& look = {}) {
  std::optional<output::run_lock> held;
  std::string wrong;
  try {
    if (context.leads()) {
      held.emplace(output::run_lock::take(directory));
      if (look) look();
    }
  } catch (const core::user_error& e) {
    wrong = e.what();
  }
  output::agree(context, wrong);
  return held;
}

/// The directory of a run that a checkpoint lies in.
std::string directory_of(const std::string& checkpoint) {
  const std::string parent = fs::path(checkpoint).parent_path().string();
  return parent.empty() ? "." : parent;
}

void expect_other_directory(const std::string& checkpoint, const std::string& out) {
  std::error_code ignored;
  if (fs::equivalent(directory_of(checkpoint), out, ignored))
    core::fail("--out {}: the checkpoint lies there: name a new directory, or leave out --out to go on in this one",
               out);
}

/// Another program may have gone on with the run before this one got the lock.
void expect_newest(const std::string& path, const std::string& checkpoint) {
  if (fs::is_directory(path) && checkpoint_of(path) != checkpoint)
    core::fail("{}: another program has just gone on with this run to {}: give the command again", path,
               checkpoint_of(path));
}

/// The initial model and the domain are in the checkpoint and do not come from the input again.
void expect_no_new_model(const std::vector<std::string>& overrides) {
  for (const std::string& assignment : overrides)
    if (assignment.starts_with("problem."))
      core::fail("--set {}: the initial model cannot change at a restart", core::shortened(assignment));
}

/// What the state in a checkpoint was made with: another value would be ignored or would change what its numbers mean.
void expect_same_physics(const config::parameters& asked, const config::parameters& stored) {
  const auto expect = [](bool same, const char* key, const char* why) {
    if (!same) core::fail("{} cannot change at a restart: {}; start a new run for it", key, why);
  };
  expect(asked.units.system == stored.units.system, "units.system", "the state's numbers are in these units");
  expect(asked.mesh.rotation == stored.mesh.rotation, "mesh.rotation", "the state is that of a grid turning so");
  expect(asked.gravity.enabled == stored.gravity.enabled, "gravity.enabled",
         "the energy in the ledger would jump by the potential energy");
  const bool same_solver = asked.gravity.order == stored.gravity.order &&
                           asked.gravity.near_radius_squared == stored.gravity.near_radius_squared &&
                           asked.gravity.cell_mass == stored.gravity.cell_mass;
  expect(same_solver || !asked.gravity.enabled, "gravity.order, near_radius_squared or cell_mass",
         "the energy in the ledger would jump with the potential");
  expect(asked.hydro.gamma == stored.hydro.gamma, "hydro.gamma", "the same heat would be another pressure");
  const bool same_gas = asked.eos.model == stored.eos.model &&
                        asked.eos.electron_weight == stored.eos.electron_weight &&
                        asked.eos.mean_weight == stored.eos.mean_weight && asked.eos.hydrogen == stored.eos.hydrogen &&
                        asked.eos.carbon == stored.eos.carbon && asked.eos.oxygen == stored.eos.oxygen &&
                        asked.eos.radiation == stored.eos.radiation && asked.eos.molecules == stored.eos.molecules;
  expect(same_gas, "[eos] (eos.model and its keys)", "the same energy would be another pressure");
  expect(asked.radiation.enabled == stored.radiation.enabled, "radiation.enabled",
         "the state's energy is that of gas and light");
  const bool same_light = asked.radiation.light_speed == stored.radiation.light_speed &&
                          asked.radiation.radiation_constant == stored.radiation.radiation_constant &&
                          asked.radiation.gas_constant == stored.radiation.gas_constant &&
                          asked.radiation.mean_weight == stored.radiation.mean_weight;
  expect(same_light || !asked.radiation.enabled,
         "radiation.light_speed, radiation_constant, gas_constant or mean_weight",
         "the same energy would be another temperature or flux");
  const config::point_masses &points = asked.point_masses, &points_before = stored.point_masses;
  expect(points.mass == points_before.mass && points.softening == points_before.softening &&
             points.position == points_before.position && points.velocity == points_before.velocity,
         "[point_masses]", "they are in the checkpoint as they have moved");
  const bool same_tracers =
      asked.tracers.count == stored.tracers.count && asked.tracers.species == stored.tracers.species;
  expect(same_tracers || stored.tracers.count == 0, "[tracers]", "they are in the checkpoint as they have moved");
  expect(asked.hydro.species == stored.hydro.species, "hydro.species", "the state's gas is made of them");
  expect(asked.hydro.spin == stored.hydro.spin, "hydro.spin", "the ledger's angular momentum counts it or does not");
}

void expect_same_box(const mesh::domain& asked, const mesh::domain& stored) {
  if (asked.lower != stored.lower || asked.base_width != stored.base_width || asked.base != stored.base ||
      asked.periodic != stored.periodic)
    throw exchange::collective_error(
        "the domain (mesh.lower, base_width, base_blocks, periodic boundaries) cannot change at a restart");
}

/// The key of [run] by which the input ends a run.
const char* key_of(step::stop_reason why) {
  switch (why) {
    case step::stop_reason::end_orbits:
      return "end_orbits";
    case step::stop_reason::merged:
      return "end_after_merger";
    case step::stop_reason::max_steps:
      return "max_steps";
    default:
      return "end_time";
  }
}

/// For a restart whose checkpoint is where the input ends the run. Its files stay as they are.
int say_nothing_to_do(const config::input& in, const step::simulation& s, step::stop_reason why) {
  if (!s.context().leads()) return success;
  const char* key = key_of(why);
  fmt::print("rednova: nothing to do: at step {}, time {:g} {} ({}); to go on, give a larger one: --set run.{}=…\n",
             s.step(), s.time(), step::describe(why), in.place("run", key), key);
  return success;
}

/// For a run that was killed at its end, between its last checkpoint and what is written after that.
int write_last_files(step::simulation& s, step::stop_reason why, const std::string& directory,
                     const output::provenance& from, const output::file_counters& counters) {
  s.stepper().fetch();
  output::run_files files = output::run_files::resume(directory, from, counters, speaker_of(s.context()));
  files.start(s);
  files.finish(s, why);
  if (s.context().leads())
    fmt::print("rednova: {} had come to its end, step {}, but its last files were not written; they are now\n",
               directory, s.step());
  return success;
}

/// The files of the branch that a restart leaves, and how to keep both.
void say_what_goes(const std::string& directory, const std::string& checkpoint, std::int64_t step,
                   const output::file_counters& counters) {
  const output::later_files later = output::find_later_files(directory, step, counters);
  if (later.none()) return;
  fmt::print("{} To keep both branches, go on in another directory: rednova restart {} --out NEWDIR\n",
             output::describe(later, step), output::shell_word(checkpoint));
}

/// Refines at once as far as a larger mesh.max_level allows: an adaptation adds one level.
void add_levels(step::simulation& s, int levels) {
  for (int level = 0; level < levels && step::adapt(s); ++level) {
  }
}

/// Orbits that are driven count from time 0, not from a restart.
void warn_of_driven_orbits(const step::simulation& s) {
  const config::driving& asked = s.par().driving;
  if (asked.rate == 0 || asked.orbits == 0 || std::fabs(s.orbits()) < asked.orbits || !s.context().leads()) return;
  fmt::print(
      stderr,
      "warning: driving.orbits = {:g} ends the driving, and {:.4g} orbits have passed since time 0: the orbit is "
      "driven no more; raise it\n",
      asked.orbits, std::fabs(s.orbits()));
}

/// A run keeps its input, with what --set changed, as input.toml: not in the place of the user's own.
void expect_other_file(const std::string& input, const std::string& directory) {
  std::error_code none;
  if (!fs::equivalent(input, fs::path(directory) / "input.toml", none)) return;
  core::fail("{}: the run would write its input.toml over this input: choose another directory with --out", input);
}

/// Whoever first asks for the gas makes its table: here the profile has a name for that time. Single stars of such gas
/// have asked when their input was read.
void make_gas_table(const config::parameters& par, exec::context& context) {
  if (par.eos.model != config::gas_model::stellar) return;
  const exec::profile::scope timed(context.times(), "gas table");
  eos::table_of(par.eos);
}

}  // namespace

int run(const job& what, const std::string& directory) {
  const profile_requests listening(what);
  const std::string out = directory.empty() ? (fs::path("runs") / fs::path(what.file).stem()).string() : directory;
  std::optional<config::input> in;
  model m;
  const auto read = [&] {
    expect_other_file(what.file, out);
    in.emplace(config::input::from_file(what.file, what.overrides));
    m = load(*in);
    expect_memory(*in, m.par);
    problem::warn_of_stars(*in, m.par, m.problem->sketched(m.par));
    say_warnings(*in);
  };
  return on_ranks(what, read, [&](exec::context& context, exec::transport& ranks) {
    std::optional<exec::profile::scope> timed(std::in_place, context.times(), "initial model");
    const auto gpu = device_of(what, m.par, context);
    const auto held = lock(context, out);
    const kept_names names = names_of_foreign_files(*in, out);
    const output::provenance from = provenance_of_start(*in, names, context);
    output::run_files files = output::run_files::create(out, from, speaker_of(context));
    const auto profile = start_profile(context, gpu.get(), from, out, what);
    make_gas_table(m.par, context);
    step::simulation s(m.par, context);
    run_on(gpu, s);
    if (context.leads()) {
      keep_files(*in, names, out);
      fmt::print("rednova: {} ({}) on {} into {}\n", what.file, in->problem_name(), company(context, ranks, gpu.get()),
                 out);
      say_model(m);
    }
    std::fflush(stdout);
    {
      const model_interrupted words;
      const auto reached = m.problem->initialize(s);
      if (reached && context.leads()) {
        say_reached(*reached);
        output::write_model(out, *reached, from);
      }
    }
    expect_turning(*in, s);
    expect_snapshots_apart(*in, s);
    warn_of_model(m, s);
    warn_of_limits(s);
    timed.reset();
    return evolve(s, gpu.get(), files, profile.get(), from, out, what);
  });
}

int restart(const job& what, const std::string& directory) {
  const profile_requests listening(what);
  std::optional<config::input> in;
  model m;
  std::string checkpoint;
  output::checkpoint_header header;
  int levels = 0;  // that the run may have more than before
  bool driven_otherwise = false;
  const auto read = [&] {
    expect_no_new_model(what.overrides);
    checkpoint = checkpoint_of(what.file);
    expect_other_directory(checkpoint, directory);
    header = output::read_checkpoint_header(checkpoint);
    in.emplace(config::input::from_checkpoint(header.from.input, checkpoint + " (its input)", what.overrides));
    m = load(*in);
    expect_memory(*in, m.par);
    config::input stored = config::input::from_checkpoint(header.from.input, checkpoint + " (its input)", {});
    const config::parameters before = load(stored).par;
    expect_same_physics(m.par, before);
    say_warnings(*in);
    levels = m.par.mesh.max_level - before.mesh.max_level;
    driven_otherwise = m.par.driving.rate != before.driving.rate || m.par.driving.orbits != before.driving.orbits;
  };
  return on_ranks(what, read, [&](exec::context& context, exec::transport& ranks) {
    std::optional<exec::profile::scope> timed(std::in_place, context.times(), "checkpoint");
    const auto gpu = device_of(what, m.par, context);
    const std::string origin = directory_of(checkpoint);
    std::optional<output::run_lock> held;
    if (directory.empty()) held = lock(context, origin, [&] { expect_newest(what.file, checkpoint); });
    make_gas_table(m.par, context);
    step::simulation s(m.par, context);
    run_on(gpu, s);
    const mesh::domain asked = s.tree().box();
    output::read_checkpoint(checkpoint, s);
    expect_same_box(asked, s.tree().box());
    step::prepare(s);
    const std::string out = directory.empty() ? origin : directory;
    const kept_names names = names_of_foreign_files(*in, out);
    const output::provenance from = provenance_of_start(*in, names, context);
    expect_turning(*in, s);
    expect_snapshots_apart(*in, s);
    if (driven_otherwise) warn_of_driven_orbits(s);
    if (const auto why = step::ended(s)) {
      const bool whole = header.counters.last_snapshot_step == s.step();
      if (whole || !directory.empty() || !fs::is_directory(what.file)) return say_nothing_to_do(*in, s, *why);
      if (context.leads()) keep_files(*in, names, out);
      return write_last_files(s, *why, origin, from, header.counters);
    }
    if (!directory.empty()) held = lock(context, out);
    output::run_files files = directory.empty()
                                  ? output::run_files::resume(out, from, header.counters, speaker_of(context))
                                  : output::run_files::branch(out, origin, from, header.counters, speaker_of(context));
    if (context.leads()) {
      keep_files(*in, names, out);
      fmt::print("rednova: restart from {} at step {} on {}{}\n", checkpoint, s.step(),
                 company(context, ranks, gpu.get()), directory.empty() ? "" : " into " + out);
      if (directory.empty()) say_what_goes(out, checkpoint, s.step(), header.counters);
    }
    std::fflush(stdout);
    add_levels(s, levels);
    timed.reset();
    const auto profile = start_profile(context, gpu.get(), from, out, what);
    return evolve(s, gpu.get(), files, profile.get(), from, out, what);
  });
}

}  // namespace rednova::command
