// The XDMF description of a snapshot: what ParaView and VisIt open.
#pragma once

#include <string>
#include <vector>

#include "output/field_list.hpp"
#include "output/provenance.hpp"

namespace rednova::output {

/// Writes snapshots.xdmf of a run's directory: the snapshots there as a series in time. It holds no blocks, but takes
/// the snapshots' own files in (XInclude).
void write_series(const std::string& directory, const provenance& from);

/// The text of an XDMF 3 file for the snapshot at `path`, which it names without its directory: each leaf block is
/// a grid of cells, each field a slab of the snapshot's dataset. What all blocks say is said once, as XML entities. A
/// comment says which program wrote it from what input.
std::string xdmf(const std::string& path, const step::simulation& s, const std::vector<snapshot_field>& fields,
                 const provenance& from);

}  // namespace rednova::output
