// profile.json: where the time of a run went, kept up while it runs.
#pragma once

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "exec/hardware_counters.hpp"
#include "exec/mailbox.hpp"
#include "output/device_load.hpp"
#include "output/process_load.hpp"
#include "output/provenance.hpp"
#include "step/device.hpp"
#include "step/driver.hpp"

namespace rednova::output {

/// Removes what earlier starts have left in a run's directory: profile.json, and files of ranks.
void remove_profiles(const std::string& directory);

/// Writes profile.json in a run's directory once a second, and at the end; docs/profile.md describes it. While the run
/// goes on the file holds rank 0 alone, and the others have profile_rank_NNNNN.json beside it; the end puts all into
/// profile.json. So a run that is killed leaves the profile of its last second at the latest, also while it makes its
/// initial model.
///
/// A file that cannot be written is warned of once, and the run goes on.
class profile_file final : public step::observer {
 public:
  /// What the context's profile has is the time before the first step until begin_steps().
  /// gpu: the device that carries out the steps, which outlives this; null if the cores do. `asked`, set by a signal,
  /// has this rank's table printed at the next second and is reset.
  profile_file(exec::context& context, const step::device* gpu, const std::string& directory, const provenance& from,
               volatile std::sig_atomic_t& asked);
  profile_file(const profile_file&) = delete;
  profile_file& operator=(const profile_file&) = delete;
  ~profile_file() override;

  /// Keeps what there is as the profile of the time before the first step, and begins anew. first: that step's number.
  void begin_steps(std::int64_t first);

  void after_step(const step::simulation& s) override;

  /// Ends the profile; all ranks call it, where the run has not failed on any. Gives rank 0 the table for people, the
  /// others "".
  std::string close();

  /// The table of this rank so far, for a run that fails.
  std::string table_so_far();

 private:
  struct sample {
    double time;  ///< seconds since the start
    std::int64_t step;
    process_load load;
    exec::hardware_counts counts;
    device_load on_device;
    step::device_counters of_rank;  ///< what the rank has on its device
    std::int64_t sent_bytes;

    /// A reading that failed is taken to be what it was before.
    void hold(const sample& before);
  };
  void keep_up();
  void take_sample();
  step::device_counters counters_of_device() const;
  std::string table_so_far(const nlohmann::ordered_json& mine) const;
  nlohmann::ordered_json document(std::vector<nlohmann::ordered_json> ranks, bool complete) const;
  nlohmann::ordered_json this_rank() const;
  nlohmann::ordered_json samples() const;
  bool write(const std::string& name, const nlohmann::ordered_json& what);
  std::string own_file() const;
  void stop();

  exec::context& context_;
  const step::device* gpu_;
  mutable step::device_counters last_of_device_;  // under guard_, as what follows it there
  std::optional<device_monitor> monitor_;         // where there is a device
  exec::hardware_counters hardware_;
  std::string directory_;
  provenance from_;
  volatile std::sig_atomic_t& asked_;
  int rank_, ranks_;
  std::atomic<std::int64_t> step_ = 0;
  bool warned_ = false;
  std::mutex guard_;
  std::condition_variable woken_;
  // Under guard_, as long as there is the thread.
  bool over_ = false, steps_begun_ = false;
  std::int64_t first_step_ = 0;
  nlohmann::ordered_json before_first_step_;
  exec::traffic messages_before_;  // the first step
  std::vector<sample> samples_;    // of the steps
  double interval_ = 1;            // seconds between samples: twice as long when there are too many
  std::thread thread_;
};

/// The file of a rank while the run goes on; rank 0's is the one of all ranks at the end.
std::string profile_of_rank(int rank);

}  // namespace rednova::output
