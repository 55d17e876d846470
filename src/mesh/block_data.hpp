// Numbers that live on the cells of blocks: for each node of a tree some fields of N³ cells.
#pragma once

#include "core/check.hpp"
#include "exec/array.hpp"
#include "mesh/block.hpp"
#include "mesh/local_partition.hpp"

namespace rednova::mesh {

/// Structure of arrays within a block, blocks one after the other: [slot][field][k][j][i]. Blocks are named by the
/// numbers of their nodes; where there are several ranks only some are stored (mesh::slots), and no other may be asked
/// for. Whether a block is the rank's own or a halo copy of another's makes no difference here.
class block_data {
 public:
  block_data() = default;
  /// Nodes 0 … nodes-1.
  block_data(int nodes, int fields) : block_data(slots::all(nodes), fields) {}
  block_data(slots where, int fields)
      : slots_(std::move(where)), fields_(fields), values_(static_cast<std::size_t>(slots_.count()) * fields * cells) {}

  /// Takes other blocks, in the same memory if that is large enough; what they hold then is not specified.
  void reshape(slots where, int fields) {
    slots_ = std::move(where);
    fields_ = fields;
    const std::size_t size = static_cast<std::size_t>(slots_.count()) * static_cast<std::size_t>(fields) * cells;
    if (size > values_.capacity()) {
      values_ = exec::zeroed_array<double>();  // what {} would leave keeps its memory
      values_.reserve(size + size / 8);        // a mesh that grows does so again and again
    }
    values_.resize(size);
  }

  /// How many are stored.
  int nodes() const { return slots_.count(); }
  int fields() const { return fields_; }
  bool holds(int node) const { return slots_.holds(node); }
  const slots& places() const { return slots_; }
  bool empty() const { return values_.empty(); }
  /// The N³ values of a field, indexed by cell(i, j, k); the block's next field follows.
  double* at(int node, int field = 0) { return values_.data() + offset(node, field); }
  const double* at(int node, int field = 0) const { return values_.data() + offset(node, field); }
  std::size_t bytes() const { return values_.size() * sizeof(double); }
  /// Bytes of the memory that reshape() can use again.
  std::size_t capacity() const { return values_.capacity() * sizeof(double); }
  /// All blocks as they are stored; a rank's own leaves come first, along the curve.
  double* data() { return values_.data(); }
  const double* data() const { return values_.data(); }

 private:
  std::size_t offset(int node, int field) const {
    return (static_cast<std::size_t>(slots_[node]) * static_cast<std::size_t>(fields_) +
            static_cast<std::size_t>(field)) *
           cells;
  }
  slots slots_;
  int fields_ = 0;
  exec::zeroed_array<double> values_;
};

}  // namespace rednova::mesh
