// What a stage needs to know of a tree before it takes its fields: batches of leaves, and where each leaf's update
// reads and writes. Plain numbers on the host, of which a device has a copy.
#pragma once

#include <cstdint>
#include <vector>

#include "exchange/face_plan.hpp"
#include "hydro/block_update.hpp"
#include "hydro/signal_speed.hpp"
#include "mesh/local_partition.hpp"
#include "mesh/tree.hpp"
#include "step/batch.hpp"
#include "step/flow_cells.hpp"
#include "step/view.hpp"

namespace rednova::step {

/// Where the update of leaves writes.
struct update_targets {
  double* rate;           ///< [leaf of those updated together][field][cell]
  double* registers;      ///< of exchange::flux_registers
  double* boundary_flux;  ///< [boundary face][field][N²]
  double* mass_flow;      ///< of the stage: [own leaf][3][face_values]; null without gravity
};

/// A rank's share of a tree. The simulation and the workspace outlive it.
struct stage_tables {
  /// batches: lists of own leaves, each leaf in one of them.
  stage_tables(const simulation& s, const workspace& w, const std::vector<std::vector<int>>& batches);

  const mesh::tree* tree;
  const exchange::face_plan* faces;
  const mesh::slots *nodes, *work_inputs;  ///< where blocks of fields stand, and those of density and potential sum
  mesh::field_numbers fields;
  bool with_gravity;
  int stages;                                 ///< of a step
  int first_leaf;                             ///< of this rank
  std::vector<int> leaves;                    ///< batch by batch
  std::vector<int> beside_finer;              ///< those that have finer ones behind a face
  std::vector<boundary_face> boundary_faces;  ///< of leaves in this order
  int batches() const { return static_cast<int>(ranges_.size()); }
  /// A batch, with the lists where a space has them; and all of them as one.
  batch at(int number, const int* leaves_there, const int* beside_finer_there) const;
  batch all(const int* leaves_there, const int* beside_finer_there) const;
  /// A batch of one leaf, which stands at `leaf`, in the host's memory.
  batch alone(const int* leaf) const;

  int leaf_count() const { return static_cast<int>(leaves.size()); }
  int boundary() const { return static_cast<int>(boundary_faces.size()); }
  /// Fields of a flux register: with gravity the mass that has flowed through the fine face comes last.
  int register_fields() const { return register_fields(fields, with_gravity); }
  static int register_fields(const mesh::field_numbers& f, bool with_gravity) {
    return f.evolved() + (with_gravity ? 1 : 0);
  }

  /// Inputs and outputs of the leaves of a list, [place in the list]: the fields with ghost layers of `together` leaves
  /// stand at `ghosted`, by place modulo `together`, and so do their troubled cells at `first_order`, if there are any.
  std::vector<hydro::block_input> inputs(const std::vector<int>& list, const double* ghosted, int together,
                                         double rotation, const std::uint8_t* first_order = nullptr) const;
  std::vector<hydro::block_output> outputs(const std::vector<int>& list, const update_targets& to, int together) const;
  hydro::block_input input(int leaf, double rotation) const;
  hydro::block_output output(int leaf, const update_targets& to) const;
  /// Own leaves along the curve. u: [place of the node][field][cell].
  std::vector<hydro::signal_input> signals(const double* u) const;

 private:
  struct range {
    int first, count, first_coarse, coarse_count, first_boundary, boundary_count;
  };
  std::vector<range> ranges_;                // of the batches
  std::vector<int> first_boundary_;          // [own leaf]: of its faces at the end of the domain
  std::vector<std::ptrdiff_t> flux_places_;  // [own leaf][face]: of boundary_flux, -1 elsewhere
};

}  // namespace rednova::step
