// What a run wrote after the checkpoint from which a restart goes on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "output/checkpoint.hpp"

namespace rednova::output {

/// Of a branch that the user leaves by restarting: these go, snapshots, slices, tracers and rows when the restart
/// begins, checkpoints when its first own one stands.
struct later_files {
  std::int64_t rows = 0;                 ///< of history.csv
  std::vector<std::string> snapshots;    ///< paths of .phdf and .xdmf, in order
  std::vector<std::string> slices;       ///< paths, in order
  std::vector<std::string> tracers;      ///< paths, in order
  std::vector<std::string> checkpoints;  ///< paths, oldest first

  bool none() const {
    return rows == 0 && snapshots.empty() && slices.empty() && tracers.empty() && checkpoints.empty();
  }
};

/// What a run's directory holds beyond a step, whose checkpoint has these counters: where the state has no tracers, all
/// of their records.
later_files find_later_files(const std::string& directory, std::int64_t step, const file_counters& counters);

/// A sentence that names the files: "Of what this run wrote after step 6 the restart removes …".
std::string describe(const later_files& files, std::int64_t step);

}  // namespace rednova::output
