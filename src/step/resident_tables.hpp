// What a place needs to know of a tree before it takes its fields: lists of leaves, and where each one's update reads
// and writes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "exchange/face_plan.hpp"
#include "hydro/block_update.hpp"
#include "hydro/signal_speed.hpp"
#include "mesh/share.hpp"
#include "mesh/tree.hpp"
#include "step/block_sums.hpp"
#include "step/flow_cells.hpp"
#include "step/view.hpp"

namespace rednova::step {

/// Where the update of leaves writes, in the place's memory.
struct update_targets {
  double* rate;           ///< [leaf of those updated together][field][cell]
  double* registers;      ///< of exchange::flux_registers
  double* boundary_flux;  ///< [boundary face][field][N²]
  double* mass_flow;      ///< of the stage: [leaf][3][face_values]; null without gravity
};

/// A rank's share of a tree. Leaves are its own, along the curve, if nothing else is said. The simulation, its links
/// and its workspace outlive it.
struct resident_tables {
  explicit resident_tables(simulation& s);

  const mesh::tree* tree;
  const exchange::face_plan* faces;
  const mesh::slots *nodes, *weighed;  ///< where blocks of fields stand, and those of density and psi
  mesh::field_numbers fields;
  bool with_gravity;
  int stages;          ///< of a step
  state_view numbers;  ///< the state's numbers; what it points to is not used
  std::vector<int> leaves;
  /// Leaves whose ghost layers need no images of other ranks' blocks, and those that do.
  std::array<std::vector<int>, 2> inner_and_outer;
  std::vector<int> beside_finer;  ///< the leaves that have finer ones behind a face
  std::vector<boundary_face> boundary_faces;

  int leaf_count() const { return static_cast<int>(leaves.size()); }
  int boundary() const { return static_cast<int>(boundary_faces.size()); }
  /// Fields of a register: with gravity the mass that has flowed through the fine face comes last.
  int register_fields() const { return fields.evolved() + (with_gravity ? 1 : 0); }

  /// Inputs and outputs of the leaves of a list, [place in the list]: the fields with ghost layers of `together` leaves
  /// stand at `ghosted`, by place modulo `together`, and so do their marks at `first_order`, if there are any.
  std::vector<hydro::block_input> inputs(const std::vector<int>& list, const double* ghosted, int together,
                                         const std::uint8_t* first_order = nullptr) const;
  std::vector<hydro::block_output> outputs(const std::vector<int>& list, const update_targets& to, int together) const;
  /// u: [place of the node][field][cell]; gravity: [leaf][gravity::result_fields][cell], null without it.
  std::vector<hydro::signal_input> signals(const double* u) const;
  std::vector<summed_block> summed(const double* u, const double* gravity) const;
};

}  // namespace rednova::step
