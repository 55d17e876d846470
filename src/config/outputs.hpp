// The sections of what a run writes: files, and particles that are followed.
#pragma once

#include <string>
#include <vector>

#include "config/enums.hpp"
#include "config/parameter.hpp"

namespace rednova::config {

/// Particles without mass that move with the gas.
struct tracers {
  static constexpr const char* section = "tracers";
  int count = 0;
  std::vector<std::string> species;

  template <class V>
  void visit(V& v) {
    v("count", count, between(0, 100000),
      "particles without mass that the gas carries along, each for the same mass at the start (docs/tracers.md)");
    v("species", species, any_number(), "names of the species whose mass they stand for at the start; none: all gas");
  }
};

struct output {
  static constexpr const char* section = "output";
  double snapshot_time = 0;
  double snapshot_orbits = 0;
  std::vector<std::string> fields;
  number_precision precision = number_precision::double_precision;
  int compression = 0;
  double slice_time = 0;
  double slice_orbits = 0;
  std::vector<std::string> slices;
  std::vector<std::string> projections;
  std::vector<std::string> slice_fields{"density"};
  double tracer_time = 0;
  double tracer_orbits = 0;
  std::vector<std::string> tracer_fields;
  int checkpoint_steps = 200;
  int checkpoints_kept = 2;
  int history_steps = 1;

  template <class V>
  void visit(V& v) {
    v("snapshot_time", snapshot_time, not_negative(), "time between snapshots; 0: only the first and the last");
    v("snapshot_orbits", snapshot_orbits, not_negative(),
      "orbits of two stars, else turns of the grid, between snapshots; 0: off");
    v("fields", fields, any_number(), "fields of snapshots, such as density, velocity_x (docs/files.md); none: all");
    v("precision", precision, any_number(), "numbers of fields in snapshots and slices; checkpoints are always double");
    v("compression", compression, between(0, 9), "of fields in snapshots and slices, by gzip's levels; 0: none");
    v("slice_time", slice_time, not_negative(), "time between slices and projections; 0: only the first and the last");
    v("slice_orbits", slice_orbits, not_negative(),
      "orbits of two stars, else turns of the grid, between slices and projections; 0: off");
    v("slices", slices, any_number(), "planes to write: x, y or z through the origin, or such as z=0.5");
    v("projections", projections, any_number(), "x, y or z: sums along these axes to write");
    v("slice_fields", slice_fields, any_number(), "fields of slices and projections");
    v("tracer_time", tracer_time, not_negative(), "time between files of tracers; 0: only the first and the last");
    v("tracer_orbits", tracer_orbits, not_negative(),
      "orbits of two stars, else turns of the grid, between files of tracers; 0: off");
    v("tracer_fields", tracer_fields, any_number(), "fields of the gas at tracers to write; none: all");
    v("checkpoint_steps", checkpoint_steps, not_negative(), "steps between checkpoints; 0: only the last");
    v("checkpoints_kept", checkpoints_kept, not_negative(), "how many of the newest checkpoints are kept; 0: all");
    v("history_steps", history_steps, between(1, 1e9), "steps between rows of history.csv");
  }
};

}  // namespace rednova::config
