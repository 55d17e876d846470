// Slices and projections: what is small enough to be written often.
#pragma once

#include <string>

#include "output/provenance.hpp"
#include "step/simulation.hpp"

namespace rednova::output {

/// Whether the input asks for any.
inline bool has_slices(const config::parameters& p) {
  return !p.output.slices.empty() || !p.output.projections.empty();
}

/// Writes the planes output.slices and the sums along output.projections of output.slice_fields to one HDF5 file;
/// docs/files.md says what is in it. The same bits on any number of ranks and threads.
/// A file of that name appears only when it is complete. Throws core::user_error if it cannot be written.
void write_slices(const std::string& path, const step::simulation& s, const provenance& from);

}  // namespace rednova::output
