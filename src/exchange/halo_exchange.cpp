#include "exchange/halo_exchange.hpp"

#include <algorithm>
#include <utility>

#include "exchange/halo_requests.hpp"
#include "exchange/restrict.hpp"
#include "exec/run.hpp"

namespace rednova::exchange {

namespace {

/// What a rank needs of others' blocks: around its leaves, and around their parents.
struct surroundings {
  surroundings(const mesh::tree& t, const mesh::local_partition& own, reach far) : leaves(t, own), parents(t, own) {
    for (int leaf = own.leaves()[0]; leaf < own.leaves()[1]; ++leaf) {
      leaves.ghosts_of(leaf);
      const int parent = t[leaf].parent;
      if (parent == mesh::no_block) continue;
      if (leaf > own.leaves()[0] && t[leaf - 1].parent == parent) continue;
      parents.block(parent);
      if (far == reach::parents) parents.ghosts_of(parent);
    }
  }
  mesh::slots slots(const mesh::tree& t, const mesh::local_partition& own,
                    const std::vector<std::vector<int>>& of_own) const {
    std::vector<int> others = own.refined();
    for (const auto& level : of_own) others.insert(others.end(), level.begin(), level.end());
    leaves.add_nodes(others);
    parents.add_nodes(others);
    return mesh::slots::of(t, own, others);
  }
  halo_requests leaves, parents;
};

}  // namespace

mesh::slots stored_nodes(const mesh::tree& t, const mesh::local_partition& own, reach far) {
  if (own.alone()) return mesh::slots::all(t.size());
  return surroundings(t, own, far).slots(t, own, mesh::parents_of(t, own));
}

halo_exchange::halo_exchange(exec::context& context, const mesh::tree& t, const mesh::fields& fields)
    : context_(&context),
      tree_(&t),
      fields_(&fields),
      partition_(t),
      nodes_(mesh::slots::all(t.size())),
      up_(static_cast<std::size_t>(t.max_level()) + 1),
      up_scalar_(up_.size()) {
  parents_ = mesh::parents_of(t, partition_);
  count_parts();
}

halo_exchange::halo_exchange(exec::context& context, const mesh::tree& t, const mesh::fields& fields,
                             mesh::local_partition own, reach far)
    : context_(&context), tree_(&t), fields_(&fields), partition_(std::move(own)) {
  const surroundings of(t, partition_, far);
  const halo_requests &around = of.leaves, &parents = of.parents;
  parents_ = mesh::parents_of(t, partition_);
  nodes_ = of.slots(t, partition_, parents_);
  find_leaves();

  for (int level = 0; level <= t.max_level(); ++level) {
    halo_requests children(t, partition_);
    for (int node = partition_.refined(level)[0]; node < partition_.refined(level)[1]; ++node) {
      for (const int child : t[node].child) children.octant_from(child);
    }
    const auto octants = std::make_shared<const communication_plan>(context, children.requests());
    up_.emplace_back(context, "restricted", octants, fields.size(), mesh::cells);
    up_scalar_.emplace_back(context, "restricted energy", octants, 1, mesh::cells);
  }
  const auto layers = std::make_shared<const communication_plan>(context, around.requests());
  ghosts_ = block_exchange(context, "ghosts", layers, fields.size(), mesh::cells);
  scalar_ = block_exchange(context, "ghosts of energy", layers, 1, mesh::cells);
  around_parents_ =
      block_exchange(context, "parents", std::make_shared<const communication_plan>(context, parents.requests()),
                     fields.size(), mesh::cells);
  count_parts();
}

void halo_exchange::count_parts() {
  const auto count = static_cast<std::size_t>(nodes_.count());
  ready_ = std::vector<exec::event>(count);
  filled_ = std::vector<exec::event>(count);
  ghosts_come_.assign(count, 0);
  octants_.assign(count, 0);
  ghosts_.for_coming([&](int node) { ++ghosts_come_[place(node)]; });
  for (const block_exchange& level : up_) level.for_coming([&](int node) { ++octants_[place(node)]; });
  // A rank may own a node and none of its children.
  for (const auto& level : parents_) {
    for (const int node : level) ++octants_[place(node)];
  }
}

void halo_exchange::find_leaves() {
  for (int leaf = partition_.leaves()[0]; leaf < partition_.leaves()[1]; ++leaf) {
    halo_requests mine(*tree_, partition_);
    mine.ghosts_of(leaf);
    first_halo_.push_back(halo_of_.size());
    for (const request& w : mine.requests()) halo_of_.push_back(w.node);
  }
  first_halo_.push_back(halo_of_.size());
}

std::span<const int> halo_exchange::halo_of(int leaf) const {
  if (halo_of_.empty()) return {};
  const auto i = static_cast<std::size_t>(leaf - partition_.leaves()[0]);
  return {halo_of_.data() + first_halo_[i], halo_of_.data() + first_halo_[i + 1]};
}

template <class Octant>
void halo_exchange::restrict_levels(mesh::block_data& u, std::vector<block_exchange>& up, int first_field,
                                    const Octant& octant) {
  for (int level = tree_->max_level() - 1; level >= 0; --level) {
    const auto at_level = static_cast<std::size_t>(level);
    for_list(*context_, "restrict", parents_[at_level], [&](int node) {
      for (int o = 0; o < 8; ++o) {
        if (partition_.owns((*tree_)[node].child[static_cast<std::size_t>(o)])) octant(node, o);
      }
    });
    up[at_level].start([&](int node) { return u.at(node, first_field); });
    up[at_level].finish([&](int node) { return u.at(node, first_field); });
  }
}

void halo_exchange::restrict_all(mesh::block_data& u) {
  restrict_levels(u, up_, 0, [&](int node, int octant) { restrict_octant(*tree_, *fields_, u, node, octant); });
}

void halo_exchange::restrict_scalar(mesh::block_data& u, int field) {
  restrict_levels(u, up_scalar_, field,
                  [&](int node, int octant) { restrict_scalar_octant(*tree_, u, field, node, octant); });
}

void halo_exchange::start_ghosts(const mesh::block_data& u) {
  ghosts_.start([&](int node) { return u.at(node); });
}

void halo_exchange::finish_ghosts(mesh::block_data& u) {
  ghosts_.finish([&](int node) { return u.at(node); });
}

void halo_exchange::add_ghost_tasks(std::vector<exec::task>& to, mesh::block_data& u) {
  for (std::size_t i = 0; i < ready_.size(); ++i) ready_[i].reset(ghosts_come_[i]);
  add_messages_of_ghosts(to, u);
}

void halo_exchange::add_restriction_tasks(std::vector<exec::task>& to, mesh::block_data& u) {
  for (std::size_t i = 0; i < ready_.size(); ++i) ready_[i].reset(ghosts_come_[i]);
  for (exec::event& e : filled_) e.reset();
  for (int leaf = partition_.leaves()[0]; leaf < partition_.leaves()[1]; ++leaf) ready(leaf).reset();
  for (const int node : partition_.refined()) ready(node).reset(octants_[place(node)]);
  add_messages_of_ghosts(to, u);
  for (block_exchange& level : up_) {
    level.add_tasks(to, {.from = [&u](int node) { return std::as_const(u).at(node); },
                         .ready = [this](int node) -> exec::event& { return filled_[place(node)]; },
                         .into = [&u](int node) { return u.at(node); },
                         .came = [this](int node) { ready(node).arrive(); }});
  }
  for (auto level = parents_.rbegin(); level != parents_.rend(); ++level) {
    for (const int node : *level) to.push_back(restrict_as_task(u, node).urgent());
  }
}

void halo_exchange::add_messages_of_ghosts(std::vector<exec::task>& to, mesh::block_data& u) {
  ghosts_.add_tasks(to, {.from = [&u](int node) { return std::as_const(u).at(node); },
                         .ready = [this](int node) -> exec::event& { return ready(node); },
                         .into = [&u](int node) { return u.at(node); },
                         .came = [this](int node) { ready(node).arrive(); }});
}

exec::task halo_exchange::restrict_as_task(mesh::block_data& u, int node) {
  std::vector<exec::event*> children;
  for (const int child : (*tree_)[node].child) {
    if (partition_.owns(child)) children.push_back(&ready(child));
  }
  co_await exec::all(std::move(children));
  {
    const exec::profile::scope timed(context_->times(), "restrict");
    for (int o = 0; o < 8; ++o) {
      if (partition_.owns((*tree_)[node].child[static_cast<std::size_t>(o)])) {
        restrict_octant(*tree_, *fields_, u, node, o);
      }
    }
  }
  filled_[place(node)].arrive();
  if (partition_.owns(node)) ready(node).arrive();
}

void halo_exchange::add_ghost_inputs(int leaf, std::vector<exec::event*>& to) {
  const auto add = [&](int node) {
    if (node >= 0 && partition_.owns(node)) to.push_back(&ready(node));
  };
  const mesh::node& me = (*tree_)[leaf];
  std::ranges::for_each(me.neighbour, add);
  // Ghosts from a coarser level are prolonged from the cells around, the parent's among them.
  if (std::ranges::count(me.neighbour, mesh::no_block) > 0) {
    add(me.parent);
    std::ranges::for_each((*tree_)[me.parent].neighbour, add);
  }
  for (const int node : halo_of(leaf)) to.push_back(&ready(node));
}

void halo_exchange::fetch_scalar(mesh::block_data& u, int field) {
  scalar_.start([&](int node) { return u.at(node, field); });
  scalar_.finish([&](int node) { return u.at(node, field); });
}

void halo_exchange::fetch_parents(mesh::block_data& u) {
  around_parents_.start([&](int node) { return u.at(node); });
  around_parents_.finish([&](int node) { return u.at(node); });
}

}  // namespace rednova::exchange
