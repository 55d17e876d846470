// history.csv: what a run did, a row for each step or for each few.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "output/provenance.hpp"
#include "step/simulation.hpp"

namespace rednova::output {

/// The names of code units in headers, e.g. "Msun" or "code mass".
struct unit_names {
  std::string length, mass, time;

  static unit_names of(config::unit_system system);
};

/// The masses in a row, for the rates of change in the next.
struct mass_record {
  double time = 0;
  std::array<double, 2> lobe_mass{};
};

/// A table that grows by rows at its end. Comment lines (#) say where it comes from and what the units are; the
/// header names each column as `name [unit]`.
class history {
 public:
  /// Starts a new table for this simulation; an old one of that name is replaced.
  static history create(const std::string& path, const step::simulation& s, const provenance& from);
  /// Goes on with a table after a restart: rows after the simulation's step are dropped. Where driving or tracers begin
  /// with the restart their columns are 0 in the rows before it. A table that is not there is started anew, and so is
  /// one whose columns differ otherwise, which is kept as history_until_NNNNNN.csv, N: the step, or _2.csv … where that
  /// is taken.
  static history resume(const std::string& path, const step::simulation& s, const provenance& from);

  /// Adds the row of the simulation's present step, unless the last row is of that step already.
  /// Throws core::user_error if it cannot be written.
  void add(const step::simulation& s);

 private:
  history(std::string path, std::int64_t last_step, std::optional<mass_record> last = {})
      : path_(std::move(path)), last_step_(last_step), last_(last) {}

  std::string path_;
  std::int64_t last_step_;           // of the last row, -1 without rows
  std::optional<mass_record> last_;  // of the last row; after a restart only rank 0, which writes, knows it
};

}  // namespace rednova::output
