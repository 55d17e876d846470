// Halo exchange: what this rank's blocks need of other ranks' in each exchange of fields, and where halo
// copies of other ranks' blocks are stored.
#pragma once

#include <span>
#include <vector>

#include "exchange/block_exchange.hpp"
#include "mesh/block_data.hpp"
#include "mesh/fields.hpp"
#include "mesh/local_partition.hpp"
#include "mesh/tree.hpp"

namespace rednova::exchange {

/// What is read around blocks.
enum class reach {
  ghosts,  ///< the ghost layers of leaves
  parents  ///< those of the leaves' parents too, for criteria that look at the averages of siblings
};

/// The nodes whose blocks a rank stores: its own, and those of others of which it has halo copies. One rank alone
/// stores all.
mesh::slots stored_nodes(const mesh::tree& t, const mesh::local_partition& own, reach far);

/// Fields of a tree's nodes over the ranks. Made anew when the mesh or its owners change; all ranks call each function
/// in the same order. A single rank restricts, but exchanges nothing.
///
/// A refined node is restricted where its children are: a rank fills its children's octants of a parent, its own or a
/// halo copy, and sends them to the owner.
class halo_exchange {
 public:
  /// One rank alone. Tree and fields outlive this object.
  halo_exchange(exec::context& context, const mesh::tree& t, const mesh::fields& fields);
  halo_exchange(exec::context& context, const mesh::tree& t, const mesh::fields& fields, mesh::local_partition own,
                reach far);

  const mesh::local_partition& partition() const { return partition_; }
  /// Where fields of all nodes are stored: own leaves, own refined nodes, halo copies.
  const mesh::slots& nodes() const { return nodes_; }
  /// The halo copies that the ghost layers of an own leaf are made of.
  std::span<const int> halo_of(int leaf) const;

  /// Refined nodes become the averages of their children, finest level first. u: nodes().
  void restrict_all(mesh::block_data& u);
  void restrict_scalar(mesh::block_data& u, int field);

  /// Brings the halo copies up to date that ghosts::gather reads for own leaves. u: restricted.
  void start_ghosts(const mesh::block_data& u);
  void finish_ghosts(mesh::block_data& u);
  /// The same as tasks. u: restricted.
  void add_ghost_tasks(std::vector<exec::task>& to, mesh::block_data& u);
  /// As add_ghost_tasks, and restricts: a refined node once its children are ready. The caller calls
  /// ready(leaf).arrive() for each own leaf.
  void add_restriction_tasks(std::vector<exec::task>& to, mesh::block_data& u);
  /// Happens when a node, own or halo copy, is up to date in this exchange.
  exec::event& ready(int node) { return ready_[place(node)]; }
  /// Adds ready() of all nodes, own and halo copies, that the ghost layers of an own leaf are made of.
  void add_ghost_inputs(int leaf, std::vector<exec::event*>& to);
  /// start_ghosts and finish_ghosts for one field.
  void fetch_scalar(mesh::block_data& u, int field);
  /// Nodes that have own children, by level, and the exchanges of octants of those that others own.
  const std::vector<std::vector<int>>& parents() const { return parents_; }
  const std::vector<block_exchange>& octants() const { return up_; }
  const std::vector<block_exchange>& scalar_octants() const { return up_scalar_; }
  const block_exchange& ghosts() const { return ghosts_; }
  const block_exchange& scalar_ghosts() const { return scalar_; }
  const block_exchange& around_parents() const { return around_parents_; }
  /// Brings the parents of own leaves, and with reach::parents what is around them.
  void fetch_parents(mesh::block_data& u);

 private:
  template <class Octant>
  void restrict_levels(mesh::block_data& u, std::vector<block_exchange>& up, int first_field, const Octant& octant);
  void find_leaves();
  void count_parts();
  std::size_t place(int node) const { return static_cast<std::size_t>(nodes_[node]); }
  void add_messages_of_ghosts(std::vector<exec::task>& to, mesh::block_data& u);
  exec::task restrict_as_task(mesh::block_data& u, int node);

  exec::context* context_;
  const mesh::tree* tree_;
  const mesh::fields* fields_;
  mesh::local_partition partition_;
  mesh::slots nodes_;
  std::vector<std::vector<int>> parents_;       // [level]: nodes that have own children
  std::vector<block_exchange> up_, up_scalar_;  // [level]
  std::vector<std::size_t> first_halo_;         // [own leaf], and one more
  std::vector<int> halo_of_;
  block_exchange ghosts_, scalar_, around_parents_;
  // Of an exchange as tasks, [slot of a node]: the node is up to date; own children have filled their octants of it.
  std::vector<exec::event> ready_, filled_;
  std::vector<int> ghosts_come_;  // messages that bring ghosts of a node
  std::vector<int> octants_;      // messages that bring octants of an own node, and one for those of own children
};

/// Calls body(leaf) for all own leaves, on all threads.
template <class Body>
void for_leaves(exec::context& context, const char* phase, const mesh::local_partition& s, const Body& body) {
  exec::for_each(context, phase, s.leaf_count(), [&](int i) { body(s.leaves()[0] + i); });
}
/// The same for a list.
template <class Body>
void for_list(exec::context& context, const char* phase, const std::vector<int>& list, const Body& body) {
  exec::for_each(context, phase, static_cast<int>(list.size()),
                 [&](int i) { body(list[static_cast<std::size_t>(i)]); });
}

}  // namespace rednova::exchange
