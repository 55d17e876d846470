#include "gravity/solver.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "exec/run.hpp"
#include "gravity/across.hpp"
#include "gravity/course.hpp"
#include "gravity/lattice.hpp"
#include "gravity/plan.hpp"
#include "gravity/sharing.hpp"
#include "gravity/sweeps.hpp"

namespace rednova::gravity {

namespace {

/// Stride of an array with a single block, that of the leaf in hand.
constexpr std::size_t alone = 0;

/// What a thread needs to work on a block.
struct scratch {
  neighbourhood around;
  std::array<double, index(block_size(4))> fields;
};

}  // namespace

struct solver::work final : block_work {
  work(const config::gravity& par, const mesh::tree& on, exec::context* where, const mesh::share& own)
      : tree(on),
        who(on),
        shared(where, on, who, own, basis_size(par.order)),
        tables(on, who, own, shared.places),
        by(par.order),
        m2m(by.m2m, basis_size(par.order)),
        l2l(by.l2l, basis_size(par.order)),
        kernels(make_far_kernels(by)),
        numbers(basis_size(par.order)),
        far{stencil{par.order, par.near_radius_squared, pairs::far, place::inner, numbers},
            stencil{par.order, par.near_radius_squared, pairs::far, place::root, numbers}},
        smooth(par.cell_mass == config::cell_mass::smooth),
        direct{stencil{1, par.near_radius_squared, pairs::direct, place::inner, 1, smooth ? face_attraction : 0},
               stencil{1, par.near_radius_squared, pairs::direct, place::root, 1, smooth ? face_attraction : 0}},
        order(on, who, shared) {
    const block_places& stored = shared.places;
    masses.resize(index(stored.leaves) * mesh::cells);
    ghost_masses.resize(index(stored.ghosts) * octant_cells);
    moments.resize(index(stored.refined_nodes) * index(block_size(numbers)));
    expansions.resize(index(stored.refined_nodes) * index(block_size(numbers + 3)));
    seconds.resize(index(stored.leaves + stored.refined_nodes));
  }

  int leaf_place(int leaf) const { return shared.places.leaf[index(leaf)]; }
  int place(int node) const { return shared.places.refined[index(node - tree.leaves())]; }
  int ghost_place(int v) const { return shared.places.ghost[index(v)]; }
  block_array<double> all_masses() { return {masses.data(), 1}; }
  block_array<double> all_moments() { return {moments.data(), numbers}; }
  block_array<double> all_expansions() { return {expansions.data(), numbers + 3}; }
  block_array<double> all_torques() {
    return {expansions.data() + block_size(numbers), index(block_size(numbers + 3))};
  }
  parent_blocks parents() {
    const translations down{l2l.entries.data(), l2l.starts.data(), numbers};
    return {down, all_moments(), all_expansions(), all_torques()};
  }

  double* mass_of(int leaf) override { return all_masses()[leaf_place(leaf)]; }
  double* ghost_mass_of(int v) { return ghost_masses.data() + index(ghost_place(v)) * octant_cells; }
  double* moments_of(int node) override { return all_moments()[place(node)]; }
  double* expansions_of(int node) override { return all_expansions()[place(node)]; }
  double* torques_of(int node) { return all_torques()[place(node)]; }
  double& seconds_of(int node) {
    return seconds[index(node < tree.leaves() ? leaf_place(node) : shared.places.leaves + place(node))];
  }
  const stencil& at_level(const std::array<stencil, 2>& s, int level) const { return s[level == 0 ? 1 : 0]; }

  source_block mass_source(int n) {
    if (plan::is_virtual(n)) return virtual_source(ghost_mass_of(plan::virtual_number(n)));
    if (n != nobody && n < tree.leaves()) return real_block(mass_of(n), 1);
    return {};
  }
  source_block moment_source(int n) { return n >= tree.leaves() ? real_block(moments_of(n), numbers) : source_block{}; }

  void set_masses(int leaf, const double* density);
  void share_out(int leaf) override;
  void up(int node) override;
  void across(int node) override;
  void down(int node) override;
  void finish_leaf(int leaf, double* result);
  exec::task solve_leaf(exec::context& where, int leaf, const double* density, double* result);

  const mesh::tree& tree;
  plan who;
  sharing shared;
  block_tables tables;
  operators by;
  translation_tables m2m, l2l;
  std::unique_ptr<far_kernels> kernels;
  int numbers;
  std::array<stencil, 2> far;  // inner, root
  bool smooth;                 // config::cell_mass
  std::array<stencil, 2> direct;
  exec::array<double> masses;        // [leaf][cell], at the places that `shared` gives
  exec::array<double> ghost_masses;  // [ghost block][Z][Y][X]
  exec::array<double> moments;       // [refined node] blocks of `numbers`
  exec::array<double> expansions;    // [refined node] blocks of `numbers`, then of 3: torques
  std::vector<double> seconds;       // [leaf, then refined node]
  exec::per_thread<scratch> threads;
  int solves = 0;
  course order;
};

void solver::work::set_masses(int leaf, const double* density) {
  for_block<exec::pack>(gravity::set_masses{tables.leaves.data(), {density, alone}, all_masses()}, leaf_place(leaf));
  share_out(leaf);
}

void solver::work::share_out(int leaf) {
  const auto [first, last] = who.virtual_of(leaf);
  const set_ghost_masses share{tables.ghosts.data(), all_masses(), ghost_masses.data()};
  for (int v = first; v < last; ++v) for_block<exec::pack>(share, ghost_place(v));
}

void solver::work::up(int node) {
  const translations up{m2m.entries.data(), m2m.starts.data(), numbers};
  for_block<exec::pack>(add_up_moments{up, tables.children.data(), all_masses(), all_moments()}, place(node));
}

void solver::work::across(int node) {
  const exec::stopwatch timed(seconds_of(node));
  std::array<source_block, mesh::sides> sources;
  for (int s = 0; s < mesh::sides; ++s) {
    const int n = who.neighbour(node, s);
    sources[index(s)] = n >= tree.leaves() ? moment_source(n) : mass_source(n);
  }
  const stencil& stencil_here = at_level(far, tree[node].level);
  neighbourhood& around = threads.local().around;
  around.gather(sources, numbers, stencil_here.reach());
  kernels->m2l(around, stencil_here, moments_of(node), expansions_of(node), torques_of(node));
}

void solver::work::down(int node) {
  for_block<exec::pack>(hand_down{parents(), tables.parents.data(), all_expansions(), all_torques()}, place(node));
}

void solver::work::finish_leaf(int leaf, double* result) {
  const exec::stopwatch timed(seconds_of(leaf));
  scratch& mine = threads.local();
  const mesh::node& me = tree[leaf];
  std::array<source_block, mesh::sides> points, multipoles;
  bool any_multipoles = false;
  for (int s = 0; s < mesh::sides; ++s) {
    const int n = who.neighbour(leaf, s);
    points[index(s)] = mass_source(n);
    multipoles[index(s)] = moment_source(n);
    any_multipoles = any_multipoles || n >= tree.leaves();
  }
  const stencil& near = at_level(direct, me.level);
  mine.around.gather(points, 1, near.reach());
  p2p(mine.around, near, mine.fields.data());
  if (any_multipoles) {
    const stencil& here = at_level(far, me.level);
    mine.around.gather(multipoles, numbers, here.reach());
    kernels->m2p(mine.around, here, mine.fields.data());
  }
  const leaf_block* leaves = tables.leaves.data();
  const block_array<double> near_fields{mine.fields.data(), alone}, to{result, alone};
  for_block<exec::pack>(set_fields{parents(), smooth, leaves, all_masses(), near_fields, to}, leaf_place(leaf));
  const auto [first, last] = who.virtual_of(leaf);
  for (int v = first; v < last; ++v) {
    const virtual_block& ghost = who.virtual_at(v);
    std::array<source_block, mesh::sides> around_ghost;
    for (int s = 0; s < mesh::sides; ++s) around_ghost[index(s)] = mass_source(ghost.neighbour[index(s)]);
    const stencil& of_ghosts = at_level(direct, me.level + 1);
    mine.around.gather(around_ghost, 1, of_ghosts.reach());
    p2p(mine.around, of_ghosts, mine.fields.data());
    for_block<exec::pack>(add_ghost_fields{leaves, tables.ghosts.data(), ghost_masses.data(), near_fields, to},
                          ghost_place(v));
  }
  for_block<exec::pack>(divide_torques{leaves, to}, leaf_place(leaf));
}

exec::task solver::work::solve_leaf(exec::context& where, int leaf, const double* density, double* result) {
  {
    const exec::part timed(where, "gravity up");
    set_masses(leaf, density);
  }
  order.massed(leaf).arrive();
  std::vector<exec::event*> inputs;
  order.add_inputs(leaf, inputs);
  co_await exec::all(std::move(inputs));
  const exec::part timed(where, "gravity leaves");
  finish_leaf(leaf, result);
  where.look();
}

solver::solver(const config::gravity& par, const mesh::tree& tree) : whole_(std::make_unique<mesh::share>(tree)) {
  start(par, tree, nullptr, *whole_);
}

solver::solver(const config::gravity& par, const mesh::tree& tree, exec::context& where, const mesh::share& own) {
  start(par, tree, &where, own);
}

void solver::start(const config::gravity& par, const mesh::tree& tree, exec::context* where, const mesh::share& own) {
  EXPECT((tree.box().base == core::vec3i{1, 1, 1}));
  EXPECT((tree.box().periodic == std::array<bool, 3>{}));
  EXPECT(par.near_radius_squared >= 3 && par.near_radius_squared <= 15);
  work_ = std::make_unique<work>(par, tree, where, own);
}
solver::solver(solver&&) noexcept = default;
solver& solver::operator=(solver&&) noexcept = default;
solver::~solver() = default;

void solver::solve(exec::context& where, const mesh::block_data& density, mesh::block_data& result) {
  work& w = *work_;
  const mesh::share& own = *w.shared.own;
  EXPECT(density.nodes() >= own.leaf_count() && density.fields() >= 1);
  EXPECT(result.nodes() >= own.leaf_count() && result.fields() == result_fields);
  std::vector<exec::task> tasks;
  add_tasks(where, tasks);
  for (int n = own.leaves()[0]; n < own.leaves()[1]; ++n) {
    tasks.push_back(w.solve_leaf(where, n, density.at(n), result.at(n)));
  }
  exec::run_tasks(where, std::move(tasks));
}

void solver::add_tasks(exec::context& where, std::vector<exec::task>& to) {
  ++work_->solves;
  work_->order.add_tasks(where, *work_, to);
}

void solver::take(int leaf, const double* density) {
  work_->set_masses(leaf, density);
  work_->order.massed(leaf).arrive();
}

void solver::add_inputs(int leaf, std::vector<exec::event*>& to) { work_->order.add_inputs(leaf, to); }

void solver::give(int leaf, double* result) { work_->finish_leaf(leaf, result); }

double solver::seconds(int node) const { return work_->seconds_of(node); }

int solver::solves() const { return work_->solves; }

std::size_t solver::bytes() const {
  const work& w = *work_;
  std::size_t sum = w.who.bytes();
  for (const auto* a : {&w.masses, &w.ghost_masses, &w.moments, &w.expansions}) sum += a->size() * sizeof(double);
  for (const auto& s : w.far) sum += s.bytes();
  for (const auto& s : w.direct) sum += s.bytes();
  return sum;
}

}  // namespace rednova::gravity
