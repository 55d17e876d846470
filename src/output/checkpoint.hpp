// Checkpoints: all of a simulation that cannot be derived, so that a restart gives the same bits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/check.hpp"
#include "output/provenance.hpp"
#include "step/simulation.hpp"

namespace rednova::output {

/// Written into checkpoints; raised by one when an older program could not read a newer one's files.
inline constexpr std::int64_t checkpoint_format = 3;

/// Where the numbering of a run's files stands.
struct file_counters {
  std::int64_t snapshots = 0;            ///< written so far; the next one's number
  std::int64_t last_snapshot_step = -1;  ///< step of the last one
  bool tracers = false;                  ///< the state has tracers, and their records have begun

  bool operator==(const file_counters&) const = default;
};

/// What a checkpoint says before its fields are read.
struct checkpoint_header {
  provenance from;
  double time = 0;
  std::int64_t step = 0;
  file_counters counters;
};

/// Writes a checkpoint: to another name, synced, then renamed. A full disk leaves earlier files as they are.
/// Throws core::user_error that names file and remedy.
void write_checkpoint(const std::string& path, const step::simulation& s, const provenance& from,
                      const file_counters& counters);

/// Reads the header; another kind of file, a truncated one or another format's is a core::user_error that names
/// file and remedy.
checkpoint_header read_checkpoint_header(const std::string& path);

/// Fills a simulation, made from the same species, from a checkpoint: tree, conserved fields of the leaves, time,
/// dt, step, rotation, count of orbits, ledger. What is derived is left to step::prepare.
/// Checks species, block size and checksum, of all but the fields before anything of it is used; what does not fit or
/// is damaged is a core::user_error.
void read_checkpoint(const std::string& path, step::simulation& s);

/// What a user can do about a checkpoint that cannot be used: the other one of the run, to be restarted from.
std::string remedy(const std::string& path);

/// Calls f and adds the remedy to what goes wrong.
template <class F>
auto with_remedy(const std::string& path, const F& f) {
  try {
    return f();
  } catch (const core::user_error& e) {
    const std::string what = e.what(), more = remedy(path);
    if (what.ends_with(more)) throw;
    core::fail("{}. {}", what, more);
  }
}

/// Names of the checkpoints in a run directory, oldest first.
std::vector<std::string> checkpoints(const std::string& directory);

/// Hash of tree and conserved fields, the same however blocks are stored: equal states have equal digests.
std::uint64_t digest(const step::simulation& s);

/// The digest of the state in a checkpoint, as 16 hexadecimal digits.
std::string digest(const std::string& path);

}  // namespace rednova::output
