#include "gravity/course.hpp"

#include <algorithm>

#include "exec/run.hpp"

namespace rednova::gravity {

course::course(const mesh::tree& t, const plan& who, sharing& shared)
    : tree_(&t),
      who_(&who),
      shared_(&shared),
      massed_(index(shared.places.leaves)),
      risen_(index(shared.places.refined_nodes)),
      lifted_(risen_.size()),
      expanded_(risen_.size()),
      own_parts_(risen_.size(), 0),
      parts_(risen_.size(), 0) {
  const auto part = [&](int node) { ++parts_[place(node)]; };
  for (const auto& level : shared.parents) {
    std::ranges::for_each(level, part);
    for (const int node : level) own_parts_[place(node)] = 1;
  }
  for (const exchange::images& level : shared.up) level.for_coming(part);
  shared.moments.for_coming(part);
}

void course::begin() {
  for (exec::event& e : massed_) e.reset();
  for (std::size_t i = 0; i < risen_.size(); ++i) risen_[i].reset(own_parts_[i]);
  for (std::size_t i = 0; i < lifted_.size(); ++i) lifted_[i].reset(parts_[i]);
  for (exec::event& e : expanded_) e.reset();
}

void course::add_tasks(exec::context& where, block_work& work, std::vector<exec::task>& to) {
  begin();
  add_messages(work, to);
  for (auto level = shared_->parents.rbegin(); level != shared_->parents.rend(); ++level) {
    for (const int node : *level) to.push_back(rise(where, work, node).urgent());
  }
  for (const int node : shared_->own->refined()) {
    // All that lies below waits for the coarse ones, here and on other ranks.
    const bool coarse = std::ranges::any_of((*tree_)[node].child, [&](int c) { return c >= tree_->leaves(); });
    exec::task across = meet(where, work, node);
    to.push_back(coarse ? std::move(across).urgent() : std::move(across));
  }
}

void course::add_messages(block_work& work, std::vector<exec::task>& to) {
  using exec::event;
  const auto mass = [&work](int n) { return work.mass_of(n); };
  const auto moment = [&work](int n) { return work.moments_of(n); };
  const auto expansion = [&work](int n) { return work.expansions_of(n); };
  const auto mass_there = [this](int n) -> event& { return massed(n); };
  const auto own_part = [this](int n) -> event& { return risen(n); };
  const auto moments_there = [this](int n) -> event& { return lifted(n); };
  const auto expansions_there = [this](int n) -> event& { return expanded(n); };
  const auto add_part = [this](int n) { lifted(n).arrive(); };
  const auto share = [this, &work](int n) {
    work.share_out(n);
    massed(n).arrive();
  };
  const auto expand = [this](int n) { expanded(n).arrive(); };
  shared_->masses.add_tasks(to, {.from = mass, .ready = mass_there, .into = mass, .came = share});
  for (exchange::images& level : shared_->up) {
    level.add_tasks(to, {.from = moment, .ready = own_part, .into = moment, .came = add_part, .free = own_part});
  }
  shared_->moments.add_tasks(to, {.from = moment, .ready = moments_there, .into = moment, .came = add_part});
  for (exchange::images& level : shared_->down) {
    level.add_tasks(to, {.from = expansion, .ready = expansions_there, .into = expansion, .came = expand});
  }
}

void course::add_source(int neighbour, std::vector<exec::event*>& to) {
  if (neighbour == nobody) return;
  const int node = node_of(neighbour);
  to.push_back(node < tree_->leaves() ? &massed(node) : &lifted(node));
}

exec::task course::rise(exec::context& where, block_work& work, int node) {
  std::vector<exec::event*> children;
  for (const int child : (*tree_)[node].child) {
    if (shared_->own->owns(child)) add_source(child, children);
  }
  co_await exec::all(std::move(children));
  {
    const exec::part timed(where, "gravity up");
    work.up(node);
  }
  risen(node).arrive();
  lifted(node).arrive();
}

exec::task course::meet(exec::context& where, block_work& work, int node) {
  std::vector<exec::event*> sources{&lifted(node)};
  for (int s = 0; s < mesh::sides; ++s) add_source(who_->neighbour(node, s), sources);
  co_await exec::all(std::move(sources));
  {
    const exec::part timed(where, "gravity across");
    work.across(node);
  }
  where.look();
  // The root has no parent: nothing comes down to it.
  if ((*tree_)[node].parent != mesh::no_block) co_await sink(where, work, node).urgent();
  expanded(node).arrive();
}

exec::task course::sink(exec::context& where, block_work& work, int node) {
  const int parent = (*tree_)[node].parent;
  co_await exec::all(expanded(parent), lifted(parent));
  const exec::part timed(where, "gravity down");
  work.down(node);
}

void course::add_inputs(int leaf, std::vector<exec::event*>& to) {
  const int parent = (*tree_)[leaf].parent;
  if (parent == mesh::no_block) {
    to.push_back(&massed(leaf));
    return;
  }
  // Own blocks around are among what the parent's expansions are made of; images may come later than these.
  to.insert(to.end(), {&lifted(parent), &expanded(parent)});
  const auto add_image = [&](int neighbour) {
    if (neighbour != nobody && !shared_->own->owns(node_of(neighbour))) add_source(neighbour, to);
  };
  for (int s = 0; s < mesh::sides; ++s) add_image(who_->neighbour(leaf, s));
  const auto [first, last] = who_->virtual_of(leaf);
  for (int v = first; v < last; ++v) std::ranges::for_each(who_->virtual_at(v).neighbour, add_image);
}

}  // namespace rednova::gravity
