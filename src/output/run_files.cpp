#include "output/run_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "core/check.hpp"
#include "exchange/gather.hpp"
#include "output/advice.hpp"
#include "output/durable.hpp"
#include "output/later_files.hpp"
#include "output/ledger_file.hpp"
#include "output/model_file.hpp"
#include "output/slices.hpp"
#include "output/snapshot.hpp"
#include "output/tracer_file.hpp"
#include "output/xdmf.hpp"

namespace rednova::output {

namespace fs = std::filesystem;

namespace {

/// The input under a comment that says which program took it.
std::string input_file(const provenance& from) {
  const std::string who = fmt::format("# rednova {} ({})\n", from.version, from.commit);
  return from.input.starts_with(who) ? from.input : who + from.input;
}

/// What cannot be removed, as another user's file in a shared directory, stays: the run goes on.
void remove(const std::string& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) fmt::print(stderr, "warning: {}: cannot be removed: {}\n", path, error.message());
}

std::string checkpoint_name(std::int64_t step) { return fmt::format("checkpoint_{:06}.h5", step); }

/// Keeps `newest`, which stands on the disk, and those before it up to `kept` in all (0: all of them). What has a later
/// step is of a branch that the user left by restarting from an earlier checkpoint.
void remove_old_checkpoints(const std::string& directory, const std::string& newest, std::ptrdiff_t kept) {
  const std::vector<std::string> all = checkpoints(directory);
  const auto last = std::ranges::find(all, newest) - all.begin();
  for (std::ptrdiff_t i = 0; i < std::ssize(all); ++i) {
    if (i > last || (kept > 0 && i + kept <= last)) remove(all[static_cast<std::size_t>(i)]);
  }
}

/// Checkpoints of a branch that the user left, perhaps since they are damaged, are not to take the place of good ones.
void remove_checkpoints_beyond(const std::string& directory, std::int64_t from, const std::string& newest) {
  for (const std::string& path : find_later_files(directory, from, {}).checkpoints) {
    if (path == newest) continue;
    std::error_code error;
    fs::remove(path, error);
    if (error)
      core::fail("{}: cannot be removed: {}; a restart would take it for newer than this run's checkpoints", path,
                 error.message());
  }
}

/// The table begins when the initial model stands: a run that did not get so far may be tried again.
void expect_no_run(const std::string& directory) {
  const bool no_checkpoint = checkpoints(directory).empty();
  if (no_checkpoint && !fs::exists(fs::path(directory) / "history.csv")) return;
  if (no_checkpoint)
    core::fail(
        "{}: holds the beginning of a run that wrote no checkpoint: remove it, or choose another directory with "
        "--out",
        directory);
  core::fail("{}: holds a run already: choose another directory with --out, remove it, or {}", directory,
             how_to_go_on(directory));
}

/// A new directory takes over a file, if there is such, of the run that it branches off from.
void copy_from(const std::string& origin, const std::string& directory, const char* name) {
  const fs::path from = fs::path(origin) / name, to = fs::path(directory) / name;
  if (!fs::exists(from)) return;
  std::error_code error;
  fs::copy_file(from, to, error);
  if (error) core::fail("{}: cannot be copied to {}: {}", from.string(), to.string(), reason(error.value()));
}

bool history_due(const step::simulation& s) { return s.step() % s.par().output.history_steps == 0; }

bool snapshot_due(const step::simulation& s) { return step::due(s, step::of_snapshots(s.par())); }

bool slices_due(const step::simulation& s) { return has_slices(s.par()) && step::due(s, step::of_slices(s.par())); }

bool tracers_due(const step::simulation& s) { return has_tracers(s.par()) && step::due(s, step::of_tracers(s.par())); }

bool checkpoint_due(const step::simulation& s) {
  const int interval = s.par().output.checkpoint_steps;
  return interval > 0 && s.step() % interval == 0;
}

}  // namespace

run_files::run_files(std::string directory, provenance from, beginning how, file_counters counters)
    : directory_(std::move(directory)), from_(std::move(from)), how_(how), counters_(counters) {}

run_files run_files::create(const std::string& directory, const provenance& from, speaker who) {
  if (who == speaker::other) return run_files(directory, from, beginning::fresh, {});
  make_directory(directory);
  expect_no_run(directory);
  run_files files(directory, from, beginning::fresh, {});
  write_file(files.path("input.toml"), input_file(from));
  return files;
}

run_files run_files::resume(const std::string& directory, const provenance& from, const file_counters& counters,
                            speaker who) {
  run_files files(directory, from, beginning::resumed, counters);
  if (who == speaker::first) write_file(files.path("input.toml"), input_file(from));
  return files;
}

run_files run_files::branch(const std::string& directory, const std::string& origin, const provenance& from,
                            const file_counters& counters, speaker who) {
  run_files files(directory, from, beginning::branched, counters);
  files.origin_ = origin;
  if (who == speaker::other) return files;
  make_directory(directory);
  expect_no_run(directory);
  write_file(files.path("input.toml"), input_file(from));
  return files;
}

std::string run_files::path(const std::string& name) const { return (fs::path(directory_) / name).string(); }

void run_files::start(const step::simulation& s) {
  const std::string table = path("history.csv");
  std::optional<exec::profile::scope> timed(std::in_place, s.context().times(), "history");
  if (how_ == beginning::branched && s.context().leads()) {
    for (const char* name : {"history.csv", model_file}) copy_from(origin_, directory_, name);
  }
  history_ = std::make_unique<history>(how_ == beginning::fresh ? history::create(table, s, from_)
                                                                : history::resume(table, s, from_));
  timed.reset();
  const bool tracers_begin = has_tracers(s.par()) && !counters_.tracers;
  if (how_ == beginning::resumed) {
    restarted_from_ = s.step();
    if (s.context().leads()) remove_later(s.step());
    if (tracers_begin) return tracers(s);  // the checkpoint has none: one is due at any step
    last_checkpoint_step_ = s.step();
    last_checkpoint_counters_ = counters_;
    return;
  }
  if (how_ == beginning::branched) {
    if (tracers_begin) tracers(s);
    // So that this directory is complete, whatever becomes of the other one.
    checkpoint(s);
    return;
  }
  add_to_history(s);
  snapshot(s);
  slices(s);
  tracers(s);
  ledger(s);
}

bool run_files::reads_fields(const step::simulation& s) const {
  return history_due(s) || snapshot_due(s) || slices_due(s) || tracers_due(s) || checkpoint_due(s);
}

void run_files::after_step(const step::simulation& s) {
  if (history_due(s)) add_to_history(s);
  if (snapshot_due(s)) snapshot(s);
  if (slices_due(s)) slices(s);
  if (tracers_due(s)) tracers(s);
  if (checkpoint_due(s)) checkpoint(s);
}

void run_files::finish(const step::simulation& s, step::stop_reason why) {
  add_to_history(s);
  if (!step::goes_on(why)) {
    snapshot(s);
    slices(s);
    tracers(s);
  }
  checkpoint(s);
  ledger(s);
}

void run_files::add_to_history(const step::simulation& s) {
  const exec::profile::scope timed(s.context().times(), "history");
  history_->add(s);
}

void run_files::ledger(const step::simulation& s) const {
  const exec::profile::scope timed(s.context().times(), "ledger file");
  if (s.context().leads()) write_ledger(path("ledger.json"), s, from_);
}

void run_files::snapshot(const step::simulation& s) {
  if (s.step() == counters_.last_snapshot_step) return;
  const exec::profile::scope timed(s.context().times(), "snapshot");
  write_snapshot(path(fmt::format("snapshot_{:05}.phdf", counters_.snapshots)), s, from_);
  ++counters_.snapshots;
  counters_.last_snapshot_step = s.step();
  if (s.context().leads()) write_series(directory_, from_);
}

void run_files::slices(const step::simulation& s) {
  if (!has_slices(s.par()) || s.step() == last_slices_step_) return;
  const exec::profile::scope timed(s.context().times(), "slices");
  write_slices(path(fmt::format("slices_{:06}.h5", s.step())), s, from_);
  last_slices_step_ = s.step();
}

/// This run writes its own.
void run_files::remove_later(std::int64_t step) const {
  const later_files later = find_later_files(directory_, step, counters_);
  for (const auto* list : {&later.snapshots, &later.slices, &later.tracers})
    for (const std::string& left : *list) remove(left);
  write_series(directory_, from_);
}

void run_files::tracers(const step::simulation& s) {
  if (!has_tracers(s.par()) || s.step() == last_tracers_step_) return;
  const exec::profile::scope timed(s.context().times(), "tracers");
  write_tracers(path(fmt::format("tracers_{:06}.h5", s.step())), s, from_);
  last_tracers_step_ = s.step();
  counters_.tracers = true;
}

std::string run_files::checkpoint(const step::simulation& s) {
  const std::string name = path(checkpoint_name(s.step()));
  // The run's last snapshot may come after its last checkpoint: a restart that did not know of it would replace it.
  const bool current = s.step() == last_checkpoint_step_ && counters_ == last_checkpoint_counters_;
  // Rank 0 looks: another may see a file late.
  const bool there = current && s.context().leads() && fs::exists(name);
  if (exchange::on_any_rank(s.context(), there)) return name;
  const exec::profile::scope timed(s.context().times(), "checkpoint");
  write_checkpoint(name, s, from_, counters_);
  last_checkpoint_step_ = s.step();
  last_checkpoint_counters_ = counters_;
  ledger(s);
  if (s.context().leads()) {
    if (restarted_from_) remove_checkpoints_beyond(directory_, *restarted_from_, name);
    remove_old_checkpoints(directory_, name, s.par().output.checkpoints_kept);
  }
  restarted_from_.reset();
  return name;
}

}  // namespace rednova::output
