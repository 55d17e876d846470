// The files of a run, kept up while it runs.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "output/checkpoint.hpp"
#include "output/history.hpp"
#include "output/provenance.hpp"
#include "step/driver.hpp"

namespace rednova::output {

/// Of several ranks the first writes what is not divided among them.
enum class speaker { first, other };

/// Writes a run's directory: input.toml, history.csv, ledger.json, snapshot_NNNNN.phdf and .xdmf with snapshots.xdmf,
/// slices_NNNNNN.h5, tracers_NNNNNN.h5 and checkpoint_NNNNNN.h5 (N: the step). docs/files.md describes them.
///
/// History each output.history_steps steps; snapshots, slices and tracers at the start, at each of their intervals and
/// at the end; checkpoints each output.checkpoint_steps steps and at the end, of which the last output.checkpoints_kept
/// are kept; the ledger with each of these.
class run_files : public step::observer {
 public:
  /// For a new run: makes the directory (and its parents). Throws core::user_error if it cannot be written or
  /// holds a run already.
  static run_files create(const std::string& directory, const provenance& from, speaker who = speaker::first);
  /// To go on from a checkpoint in the directory. What the run wrote after it is removed: rows, snapshots, slices and
  /// tracers at the start, checkpoints when the first new one stands.
  static run_files resume(const std::string& directory, const provenance& from, const file_counters& counters,
                          speaker who = speaker::first);
  /// To go on from a checkpoint of the run in `origin` in a new directory, which begins with that run's history and the
  /// checkpoint, and counts its snapshots on. Nothing in `origin` changes. Throws as create() does.
  static run_files branch(const std::string& directory, const std::string& origin, const provenance& from,
                          const file_counters& counters, speaker who = speaker::first);

  void start(const step::simulation& s) override;
  void after_step(const step::simulation& s) override;
  bool reads_fields(const step::simulation& s) const override;
  /// Last snapshot (not when a signal ended the run: a restart goes on with the same snapshots), history row, ledger
  /// and checkpoint.
  void finish(const step::simulation& s, step::stop_reason why) override;

  /// Writes a checkpoint now; gives its path.
  std::string checkpoint(const step::simulation& s);

 private:
  enum class beginning { fresh, resumed, branched };
  run_files(std::string directory, provenance from, beginning how, file_counters counters);
  void add_to_history(const step::simulation& s);
  void snapshot(const step::simulation& s);
  void slices(const step::simulation& s);
  void tracers(const step::simulation& s);
  void remove_later(std::int64_t step) const;
  void ledger(const step::simulation& s) const;
  std::string path(const std::string& name) const;

  std::string directory_;
  std::string origin_;  // of a branch: the directory of the other run
  provenance from_;
  beginning how_;
  file_counters counters_;
  std::int64_t last_checkpoint_step_ = -1;
  std::int64_t last_slices_step_ = -1;
  std::int64_t last_tracers_step_ = -1;
  file_counters last_checkpoint_counters_;
  std::optional<std::int64_t> restarted_from_;  // step, until the first checkpoint since is written
  std::unique_ptr<history> history_;            // made by start()
};

}  // namespace rednova::output
