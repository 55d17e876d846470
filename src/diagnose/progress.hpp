// The line that tells a person how a run is getting on.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "diagnose/ledger_table.hpp"
#include "step/driver.hpp"

namespace rednova::diagnose {

/// What the progress line shows.
struct progress_state {
  std::int64_t step = 0;
  double time = 0;  ///< code units
  double orbits = 0;
  bool counts_orbits = false;  ///< whether they are shown
  double dt = 0;
  std::vector<int> leaves_by_level;  ///< blocks
  double cell_steps_per_second = 0;  ///< not shown if 0
  double seconds_left = -1;          ///< not shown if negative or infinite
  drift remainders;                  ///< of the ledger
};

/// The line, without its end. width: characters that it may have, 0 for any number; where they are too few the list of
/// blocks is shortened first, and what is left of the run, the drift and that of the flow's angular momentum are kept.
std::string progress_line(const progress_state& p, std::size_t width = 0);

/// A time span for people: "42s", "3m12s", "2h05m" or "1d04h".
std::string duration(double seconds);

/// Where the line goes: rewritten in place on a terminal, a line now and then in a log.
enum class display { terminal, log };

class progress : public step::observer {
 public:
  progress(std::FILE* out, display where) : out_(out), where_(where) {}
  void start(const step::simulation& s) override;
  void after_step(const step::simulation& s) override;
  /// Shows the last state, why the run ended and the ledger's table.
  void finish(const step::simulation& s, step::stop_reason why) override;

 private:
  using clock = std::chrono::steady_clock;
  double seconds_left(const step::simulation& s, double wall) const;
  void show(const step::simulation& s, clock::time_point now);

  std::FILE* out_;
  display where_;
  clock::time_point started_, shown_;
  double start_time_ = 0;
  std::int64_t start_step_ = 0;
  double cell_steps_ = 0;        // since the line was last shown
  double cell_steps_total_ = 0;  // since the start
};

}  // namespace rednova::diagnose
