#include "gravity/task_graph.hpp"

#include <algorithm>

#include "exec/run.hpp"

namespace rednova::gravity {

task_graph::task_graph(const mesh::tree& t, const interaction_lists& lists, local_partition& partition)
    : tree_(&t),
      lists_(&lists),
      partition_(&partition),
      masses_ready_(index(partition.places.leaves)),
      own_moments_ready_(index(partition.places.refined_nodes)),
      moments_ready_(own_moments_ready_.size()),
      expansions_ready_(own_moments_ready_.size()),
      own_parts_(own_moments_ready_.size(), 0),
      parts_(own_moments_ready_.size(), 0) {
  const auto part = [&](int node) { ++parts_[place(node)]; };
  for (const auto& level : partition.parents) {
    std::ranges::for_each(level, part);
    for (const int node : level) own_parts_[place(node)] = 1;
  }
  for (const exchange::block_exchange& level : partition.upward) level.for_coming(part);
  partition.moments.for_coming(part);
}

void task_graph::begin() {
  for (exec::event& e : masses_ready_) e.reset();
  for (std::size_t i = 0; i < own_moments_ready_.size(); ++i) own_moments_ready_[i].reset(own_parts_[i]);
  for (std::size_t i = 0; i < moments_ready_.size(); ++i) moments_ready_[i].reset(parts_[i]);
  for (exec::event& e : expansions_ready_) e.reset();
}

void task_graph::add_tasks(exec::context& context, block_work& work, std::vector<exec::task>& to) {
  begin();
  add_messages(work, to);
  for (auto level = partition_->parents.rbegin(); level != partition_->parents.rend(); ++level) {
    for (const int node : *level) to.push_back(upward_pass(context, work, node).urgent());
  }
  for (const int node : partition_->own->refined()) {
    // All finer blocks, here and on other ranks, wait for nodes with refined children.
    const bool coarse = std::ranges::any_of((*tree_)[node].child, [&](int c) { return c >= tree_->leaves(); });
    exec::task interaction = m2l(context, work, node);
    to.push_back(coarse ? std::move(interaction).urgent() : std::move(interaction));
  }
}

void task_graph::add_messages(block_work& work, std::vector<exec::task>& to) {
  using exec::event;
  const auto mass = [&work](int n) { return work.mass_of(n); };
  const auto moment = [&work](int n) { return work.moments_of(n); };
  const auto expansion = [&work](int n) { return work.expansions_of(n); };
  const auto masses_there = [this](int n) -> event& { return masses_ready(n); };
  const auto own_moments_there = [this](int n) -> event& { return own_moments_ready(n); };
  const auto moments_there = [this](int n) -> event& { return moments_ready(n); };
  const auto expansions_there = [this](int n) -> event& { return expansions_ready(n); };
  const auto add_part = [this](int n) { moments_ready(n).arrive(); };
  const auto set_ghosts = [this, &work](int n) {
    work.set_ghosts(n);
    masses_ready(n).arrive();
  };
  const auto expand = [this](int n) { expansions_ready(n).arrive(); };
  partition_->masses.add_tasks(to, {.from = mass, .ready = masses_there, .into = mass, .came = set_ghosts});
  for (exchange::block_exchange& level : partition_->upward) {
    level.add_tasks(
        to, {.from = moment, .ready = own_moments_there, .into = moment, .came = add_part, .free = own_moments_there});
  }
  partition_->moments.add_tasks(to, {.from = moment, .ready = moments_there, .into = moment, .came = add_part});
  for (exchange::block_exchange& level : partition_->downward) {
    level.add_tasks(to, {.from = expansion, .ready = expansions_there, .into = expansion, .came = expand});
  }
}

void task_graph::add_source(int neighbour, std::vector<exec::event*>& to) {
  if (neighbour == nobody) return;
  const int node = node_of(neighbour);
  to.push_back(node < tree_->leaves() ? &masses_ready(node) : &moments_ready(node));
}

exec::task task_graph::upward_pass(exec::context& context, block_work& work, int node) {
  std::vector<exec::event*> children;
  for (const int child : (*tree_)[node].child) {
    if (partition_->own->owns(child)) add_source(child, children);
  }
  co_await exec::all(std::move(children));
  {
    const exec::profile::scope timed(context.times(), "gravity upward pass");
    work.upward_pass(node);
  }
  own_moments_ready(node).arrive();
  moments_ready(node).arrive();
}

exec::task task_graph::m2l(exec::context& context, block_work& work, int node) {
  std::vector<exec::event*> sources{&moments_ready(node)};
  for (int s = 0; s < mesh::sides; ++s) add_source(lists_->neighbour(node, s), sources);
  co_await exec::all(std::move(sources));
  {
    const exec::profile::scope timed(context.times(), "gravity M2L");
    work.m2l(node);
  }
  context.poll_messages();
  // The root has no parent whose expansions it could add.
  if ((*tree_)[node].parent != mesh::no_block) co_await downward_pass(context, work, node).urgent();
  expansions_ready(node).arrive();
}

exec::task task_graph::downward_pass(exec::context& context, block_work& work, int node) {
  const int parent = (*tree_)[node].parent;
  co_await exec::all(expansions_ready(parent), moments_ready(parent));
  const exec::profile::scope timed(context.times(), "gravity downward pass");
  work.downward_pass(node);
}

void task_graph::add_inputs(int leaf, std::vector<exec::event*>& to) {
  const int parent = (*tree_)[leaf].parent;
  if (parent == mesh::no_block) {
    to.push_back(&masses_ready(leaf));
    return;
  }
  // The parent's expansions are computed from own blocks around this leaf; halo copies may arrive later than they.
  to.insert(to.end(), {&moments_ready(parent), &expansions_ready(parent)});
  const auto add_halo = [&](int neighbour) {
    if (neighbour != nobody && !partition_->own->owns(node_of(neighbour))) add_source(neighbour, to);
  };
  for (int s = 0; s < mesh::sides; ++s) add_halo(lists_->neighbour(leaf, s));
  const auto [first, last] = lists_->ghosts_of(leaf);
  for (int v = first; v < last; ++v) std::ranges::for_each(lists_->ghost_at(v).neighbour, add_halo);
}

}  // namespace rednova::gravity
