// The order of a solve: which block's work waits for which, on this rank and on others.
#pragma once

#include <vector>

#include "exec/for_each.hpp"
#include "exec/task.hpp"
#include "gravity/plan.hpp"
#include "gravity/sharing.hpp"
#include "mesh/tree.hpp"

namespace rednova::gravity {

/// What is done to a block, and where its numbers stand.
class block_work {
 public:
  virtual ~block_work() = default;
  virtual double* mass_of(int leaf) = 0;
  virtual double* moments_of(int node) = 0;
  virtual double* expansions_of(int node) = 0;
  /// A leaf's masses go to its virtual children.
  virtual void share_out(int leaf) = 0;
  virtual void up(int node) = 0;
  virtual void across(int node) = 0;
  virtual void down(int node) = 0;
};

/// A solve as tasks. Each refined node waits for its own inputs alone: moments of its children, then the sources around
/// it, then its parent's expansions. Blocks of other ranks are waited for as own ones are.
class course {
 public:
  /// All outlive this object.
  course(const mesh::tree& t, const plan& who, sharing& shared);

  /// Begins a solve: adds the tasks of messages and of refined nodes.
  void add_tasks(exec::context& where, block_work& work, std::vector<exec::task>& to);
  /// Arrives when the masses of an own leaf are set.
  exec::event& massed(int leaf) { return massed_[index(shared_->places.leaf[index(leaf)])]; }
  /// Adds all that an own leaf's fields are made of.
  void add_inputs(int leaf, std::vector<exec::event*>& to);

 private:
  std::size_t place(int node) const { return index(shared_->places.refined[index(node - tree_->leaves())]); }
  exec::event& risen(int node) { return risen_[place(node)]; }
  exec::event& lifted(int node) { return lifted_[place(node)]; }
  exec::event& expanded(int node) { return expanded_[place(node)]; }
  /// The block that a neighbour (plan) is or is part of.
  int node_of(int neighbour) const {
    return plan::is_virtual(neighbour) ? who_->virtual_at(plan::virtual_number(neighbour)).leaf : neighbour;
  }
  void add_source(int neighbour, std::vector<exec::event*>& to);
  void begin();
  void add_messages(block_work& work, std::vector<exec::task>& to);
  exec::task rise(exec::context& where, block_work& work, int node);
  exec::task meet(exec::context& where, block_work& work, int node);
  exec::task sink(exec::context& where, block_work& work, int node);

  const mesh::tree* tree_;
  const plan* who_;
  sharing* shared_;
  // Of this solve, for own blocks and images alike: a leaf's masses are there; of a refined node the moments of own
  // children, all moments, expansions. By the places that `sharing` gives.
  std::vector<exec::event> massed_, risen_, lifted_, expanded_;
  std::vector<int> own_parts_;  // 1 where there are own children: a rank may own a node and none of its children
  std::vector<int> parts_;      // own children's moments and messages that lifted() waits for
};

}  // namespace rednova::gravity
