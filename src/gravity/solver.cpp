#include "gravity/solver.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "exec/run.hpp"
#include "gravity/interaction_lists.hpp"
#include "gravity/interactions.hpp"
#include "gravity/lattice.hpp"
#include "gravity/local_partition.hpp"
#include "gravity/sweeps.hpp"
#include "gravity/task_graph.hpp"

namespace rednova::gravity {

namespace {

/// Stride of an array that holds the numbers of a single block, whatever its place.
constexpr std::size_t alone = 0;

/// A thread's scratch memory.
struct scratch {
  neighbourhood around;
  std::array<double, index(block_size(4))> fields;
};

}  // namespace

struct solver::work final : block_work {
  work(const config::gravity& par, const mesh::tree& on, exec::context* context, const mesh::local_partition& own)
      : tree(on),
        lists(on),
        partition(context, on, lists, own, basis_size(par.order)),
        tables(on, lists, own, partition.places),
        ops(par.order),
        m2m_tables(ops.m2m, basis_size(par.order)),
        l2l_tables(ops.l2l, basis_size(par.order)),
        kernels(make_far_kernels(ops)),
        numbers(basis_size(par.order)),
        far{stencil{par.order, par.near_radius_squared, pairs::far, place::inner, numbers},
            stencil{par.order, par.near_radius_squared, pairs::far, place::root, numbers}},
        smooth(par.cell_mass == config::cell_mass::smooth),
        near{stencil{1, par.near_radius_squared, pairs::near, place::inner, 1, smooth ? face_attraction : 0},
             stencil{1, par.near_radius_squared, pairs::near, place::root, 1, smooth ? face_attraction : 0}},
        tasks(on, lists, partition) {
    const block_places& stored = partition.places;
    masses.resize(index(stored.leaves) * mesh::cells);
    ghost_masses.resize(index(stored.ghosts) * octant_cells);
    moments.resize(index(stored.refined_nodes) * index(block_size(numbers)));
    expansions.resize(index(stored.refined_nodes) * index(block_size(numbers + 3)));
    seconds.resize(index(stored.leaves + stored.refined_nodes));
  }

  int leaf_place(int leaf) const { return partition.places.leaf[index(leaf)]; }
  int place(int node) const { return partition.places.refined[index(node - tree.leaves())]; }
  int ghost_place(int v) const { return partition.places.ghost[index(v)]; }
  block_array<double> all_masses() { return {masses.data(), 1}; }
  block_array<double> all_moments() { return {moments.data(), numbers}; }
  block_array<double> all_expansions() { return {expansions.data(), numbers + 3}; }
  block_array<double> all_torques() {
    return {expansions.data() + block_size(numbers), index(block_size(numbers + 3))};
  }
  parent_blocks parents() {
    const translations l2l{l2l_tables.entries.data(), l2l_tables.starts.data(), numbers};
    return {l2l, all_moments(), all_expansions(), all_torques()};
  }

  double* mass_of(int leaf) override { return all_masses()[leaf_place(leaf)]; }
  double* ghost_mass_of(int v) { return ghost_masses.data() + index(ghost_place(v)) * octant_cells; }
  double* moments_of(int node) override { return all_moments()[place(node)]; }
  double* expansions_of(int node) override { return all_expansions()[place(node)]; }
  double* torques_of(int node) { return all_torques()[place(node)]; }
  double& seconds_of(int node) {
    return seconds[index(node < tree.leaves() ? leaf_place(node) : partition.places.leaves + place(node))];
  }
  const stencil& at_level(const std::array<stencil, 2>& s, int level) const { return s[level == 0 ? 1 : 0]; }

  source_block mass_source(int n) {
    if (interaction_lists::is_ghost(n)) return ghost_source(ghost_mass_of(interaction_lists::ghost_number(n)));
    if (n != nobody && n < tree.leaves()) return real_block(mass_of(n), 1);
    return {};
  }
  source_block moment_source(int n) { return n >= tree.leaves() ? real_block(moments_of(n), numbers) : source_block{}; }

  void set_masses(int leaf, const double* density);
  void set_ghosts(int leaf) override;
  void upward_pass(int node) override;
  void m2l(int node) override;
  void downward_pass(int node) override;
  void set_fields(int leaf, double* result);
  void near_field(int leaf, scratch& mine);
  void add_ghosts(int leaf, scratch& mine, double* result);
  exec::task solve_leaf(exec::context& context, int leaf, const double* density, double* result);

  const mesh::tree& tree;
  interaction_lists lists;
  local_partition partition;
  block_tables tables;
  operators ops;
  translation_tables m2m_tables, l2l_tables;
  std::unique_ptr<far_kernels> kernels;
  int numbers;
  std::array<stencil, 2> far;               // inner, root
  bool smooth;                              // config::cell_mass
  std::array<stencil, 2> near;              // inner, root
  exec::zeroed_array<double> masses;        // [leaf][cell], by local_partition::places
  exec::zeroed_array<double> ghost_masses;  // [ghost block][Z][Y][X]
  exec::zeroed_array<double> moments;       // [refined node] blocks of `numbers`
  exec::zeroed_array<double> expansions;    // [refined node] blocks of `numbers`, then of 3: torques
  std::vector<double> seconds;              // [leaf, then refined node]
  exec::per_thread<scratch> threads;
  int solves = 0;
  task_graph tasks;
};

void solver::work::set_masses(int leaf, const double* density) {
  for_block<exec::pack>(gravity::set_masses{tables.leaves.data(), {density, alone}, all_masses()}, leaf_place(leaf));
  set_ghosts(leaf);
}

void solver::work::set_ghosts(int leaf) {
  const set_ghost_masses of_ghosts{tables.ghosts.data(), all_masses(), ghost_masses.data()};
  const auto [first, last] = lists.ghosts_of(leaf);
  for (int v = first; v < last; ++v) for_block<exec::pack>(of_ghosts, ghost_place(v));
}

void solver::work::upward_pass(int node) {
  const translations m2m{m2m_tables.entries.data(), m2m_tables.starts.data(), numbers};
  for_block<exec::pack>(add_up_moments{m2m, tables.children.data(), all_masses(), all_moments()}, place(node));
}

void solver::work::m2l(int node) {
  const exec::stopwatch timed(seconds_of(node));
  std::array<source_block, mesh::sides> sources;
  for (int s = 0; s < mesh::sides; ++s) {
    const int n = lists.neighbour(node, s);
    sources[index(s)] = n >= tree.leaves() ? moment_source(n) : mass_source(n);
  }
  const stencil& here = at_level(far, tree[node].level);
  neighbourhood& around = threads.local().around;
  around.gather(sources, numbers, here.reach());
  kernels->m2l(around, here, moments_of(node), expansions_of(node), torques_of(node));
}

void solver::work::downward_pass(int node) {
  for_block<exec::pack>(hand_down{parents(), tables.parents.data(), all_expansions(), all_torques()}, place(node));
}

void solver::work::near_field(int leaf, scratch& mine) {
  const int level = tree[leaf].level;
  std::array<source_block, mesh::sides> points, multipoles;
  bool any_multipoles = false;
  for (int s = 0; s < mesh::sides; ++s) {
    const int n = lists.neighbour(leaf, s);
    points[index(s)] = mass_source(n);
    multipoles[index(s)] = moment_source(n);
    any_multipoles = any_multipoles || n >= tree.leaves();
  }
  const stencil& of_points = at_level(near, level);
  mine.around.gather(points, 1, of_points.reach());
  p2p(mine.around, of_points, mine.fields.data());
  if (!any_multipoles) return;
  const stencil& of_multipoles = at_level(far, level);
  mine.around.gather(multipoles, numbers, of_multipoles.reach());
  kernels->m2p(mine.around, of_multipoles, mine.fields.data());
}

void solver::work::add_ghosts(int leaf, scratch& mine, double* result) {
  const stencil& of_points = at_level(near, tree[leaf].level + 1);
  const add_ghost_fields of_ghosts{
      tables.leaves.data(), tables.ghosts.data(), ghost_masses.data(), {mine.fields.data(), alone}, {result, alone}};
  const auto [first, last] = lists.ghosts_of(leaf);
  for (int v = first; v < last; ++v) {
    std::array<source_block, mesh::sides> sources;
    for (int s = 0; s < mesh::sides; ++s) sources[index(s)] = mass_source(lists.ghost_at(v).neighbour[index(s)]);
    mine.around.gather(sources, 1, of_points.reach());
    p2p(mine.around, of_points, mine.fields.data());
    for_block<exec::pack>(of_ghosts, ghost_place(v));
  }
}

void solver::work::set_fields(int leaf, double* result) {
  const exec::stopwatch timed(seconds_of(leaf));
  scratch& mine = threads.local();
  const leaf_block* leaves = tables.leaves.data();
  const block_array<double> to{result, alone};
  near_field(leaf, mine);
  for_block<exec::pack>(gravity::set_fields{parents(), smooth, leaves, all_masses(), {mine.fields.data(), alone}, to},
                        leaf_place(leaf));
  add_ghosts(leaf, mine, result);
  for_block<exec::pack>(divide_torques{leaves, to}, leaf_place(leaf));
}

exec::task solver::work::solve_leaf(exec::context& context, int leaf, const double* density, double* result) {
  {
    const exec::profile::scope timed(context.times(), "gravity upward pass");
    set_masses(leaf, density);
  }
  tasks.masses_ready(leaf).arrive();
  std::vector<exec::event*> inputs;
  tasks.add_inputs(leaf, inputs);
  co_await exec::all(std::move(inputs));
  const exec::profile::scope timed(context.times(), "gravity leaves (near field)");
  set_fields(leaf, result);
  context.poll_messages();
}

solver::solver(const config::gravity& par, const mesh::tree& tree)
    : whole_(std::make_unique<mesh::local_partition>(tree)) {
  start(par, tree, nullptr, *whole_);
}

solver::solver(const config::gravity& par, const mesh::tree& tree, exec::context& context,
               const mesh::local_partition& own) {
  start(par, tree, &context, own);
}

void solver::start(const config::gravity& par, const mesh::tree& tree, exec::context* context,
                   const mesh::local_partition& own) {
  EXPECT((tree.box().base == core::vec3i{1, 1, 1}));
  EXPECT((tree.box().periodic == std::array<bool, 3>{}));
  EXPECT(par.near_radius_squared >= 3 && par.near_radius_squared <= 15);
  work_ = std::make_unique<work>(par, tree, context, own);
}
solver::solver(solver&&) noexcept = default;
solver& solver::operator=(solver&&) noexcept = default;
solver::~solver() = default;

void solver::solve(exec::context& context, const mesh::block_data& density, mesh::block_data& result) {
  work& w = *work_;
  const mesh::local_partition& own = *w.partition.own;
  EXPECT(density.nodes() >= own.leaf_count() && density.fields() >= 1);
  EXPECT(result.nodes() >= own.leaf_count() && result.fields() == result_fields);
  std::vector<exec::task> tasks;
  add_tasks(context, tasks);
  for (int n = own.leaves()[0]; n < own.leaves()[1]; ++n) {
    tasks.push_back(w.solve_leaf(context, n, density.at(n), result.at(n)));
  }
  exec::run_tasks(context, std::move(tasks));
}

void solver::add_tasks(exec::context& context, std::vector<exec::task>& to) {
  ++work_->solves;
  work_->tasks.add_tasks(context, *work_, to);
}

void solver::take(int leaf, const double* density) {
  work_->set_masses(leaf, density);
  work_->tasks.masses_ready(leaf).arrive();
}

void solver::add_inputs(int leaf, std::vector<exec::event*>& to) { work_->tasks.add_inputs(leaf, to); }

void solver::give(int leaf, double* result) { work_->set_fields(leaf, result); }

double solver::seconds(int node) const { return work_->seconds_of(node); }

int solver::solves() const { return work_->solves; }

std::size_t solver::bytes() const {
  const work& w = *work_;
  std::size_t sum = w.lists.bytes();
  for (const auto* a : {&w.masses, &w.ghost_masses, &w.moments, &w.expansions}) sum += a->size() * sizeof(double);
  for (const auto& s : w.far) sum += s.bytes();
  for (const auto& s : w.near) sum += s.bytes();
  return sum;
}

}  // namespace rednova::gravity
