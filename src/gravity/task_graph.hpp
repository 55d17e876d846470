// The task graph of a solve: which block's work waits for which, on this rank and on others.
#pragma once

#include <vector>

#include "exec/for_each.hpp"
#include "exec/task.hpp"
#include "gravity/interaction_lists.hpp"
#include "gravity/local_partition.hpp"
#include "mesh/tree.hpp"

namespace rednova::gravity {

/// The work on a block, and where its numbers are stored.
class block_work {
 public:
  virtual ~block_work() = default;
  virtual double* mass_of(int leaf) = 0;
  virtual double* moments_of(int node) = 0;
  virtual double* expansions_of(int node) = 0;
  /// Sets the masses of a leaf's ghost children.
  virtual void set_ghosts(int leaf) = 0;
  /// P2M and M2M: a refined node's moments from its own children.
  virtual void upward_pass(int node) = 0;
  /// M2L and P2L: a refined node's expansions from the sources around it.
  virtual void m2l(int node) = 0;
  /// L2L: adds the expansions of a refined node's parent.
  virtual void downward_pass(int node) = 0;
};

/// A solve as tasks. Each refined node waits for its own inputs only: the moments of its children, then the sources
/// around it, then its parent's expansions. Blocks of other ranks are waited for in the same way as own ones.
class task_graph {
 public:
  /// The arguments must outlive this object.
  task_graph(const mesh::tree& t, const interaction_lists& lists, local_partition& partition);

  /// Begins a solve: adds the tasks of messages and of refined nodes.
  void add_tasks(exec::context& context, block_work& work, std::vector<exec::task>& to);
  /// Arrives when the masses of an own leaf are set.
  exec::event& masses_ready(int leaf) { return masses_ready_[index(partition_->places.leaf[index(leaf)])]; }
  /// Adds the events of all data from which an own leaf's fields are computed.
  void add_inputs(int leaf, std::vector<exec::event*>& to);

 private:
  std::size_t place(int node) const { return index(partition_->places.refined[index(node - tree_->leaves())]); }
  exec::event& own_moments_ready(int node) { return own_moments_ready_[place(node)]; }
  exec::event& moments_ready(int node) { return moments_ready_[place(node)]; }
  exec::event& expansions_ready(int node) { return expansions_ready_[place(node)]; }
  /// The block that a neighbour (interaction_lists) is, or is an octant of.
  int node_of(int neighbour) const {
    return interaction_lists::is_ghost(neighbour) ? lists_->ghost_at(interaction_lists::ghost_number(neighbour)).leaf
                                                  : neighbour;
  }
  void add_source(int neighbour, std::vector<exec::event*>& to);
  void begin();
  void add_messages(block_work& work, std::vector<exec::task>& to);
  exec::task upward_pass(exec::context& context, block_work& work, int node);
  exec::task m2l(exec::context& context, block_work& work, int node);
  exec::task downward_pass(exec::context& context, block_work& work, int node);

  const mesh::tree* tree_;
  const interaction_lists* lists_;
  local_partition* partition_;
  // Of this solve, for own blocks and halo copies: a leaf's masses; a refined node's moments from own children, all its
  // moments, and its expansions. Indices are those of local_partition::places.
  std::vector<exec::event> masses_ready_, own_moments_ready_, moments_ready_, expansions_ready_;
  std::vector<int> own_parts_;  // 1 for nodes with own children: a rank may own a node and none of its children
  std::vector<int> parts_;      // what moments_ready() waits for: own children's moments, and messages
};

}  // namespace rednova::gravity
