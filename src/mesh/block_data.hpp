// Numbers that live on the cells of blocks: for each node of a tree some fields of N³ cells.
#pragma once

#include "core/check.hpp"
#include "exec/array.hpp"
#include "mesh/block.hpp"

namespace rednova::mesh {

/// Structure of arrays within a block, blocks one after the other: [node][field][k][j][i].
class block_data {
 public:
  block_data() = default;
  block_data(int nodes, int fields)
      : nodes_(nodes), fields_(fields), values_(static_cast<std::size_t>(nodes) * fields * cells, 0.0) {}

  int nodes() const { return nodes_; }
  int fields() const { return fields_; }
  bool empty() const { return values_.empty(); }
  /// The N³ values of a field, indexed by cell(i, j, k); the block's next field follows.
  double* at(int node, int field = 0) { return values_.data() + offset(node, field); }
  const double* at(int node, int field = 0) const { return values_.data() + offset(node, field); }
  std::size_t bytes() const { return values_.size() * sizeof(double); }

 private:
  std::size_t offset(int node, int field) const {
    return (static_cast<std::size_t>(node) * static_cast<std::size_t>(fields_) + static_cast<std::size_t>(field)) *
           cells;
  }
  int nodes_ = 0, fields_ = 0;
  exec::array<double> values_;
};

}  // namespace rednova::mesh
