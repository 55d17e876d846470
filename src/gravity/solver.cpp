#include "gravity/solver.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "exec/run.hpp"
#include "gravity/across.hpp"
#include "gravity/course.hpp"
#include "gravity/lattice.hpp"
#include "gravity/leaf_cells.hpp"
#include "gravity/per_cell.hpp"
#include "gravity/plan.hpp"
#include "gravity/sharing.hpp"
#include "gravity/sweeps.hpp"

namespace rednova::gravity {

namespace {

/// What a thread needs to work on a block.
struct scratch {
  neighbourhood around;
  std::array<double, index(block_size(4))> fields;
  std::array<double, index(block_size(3))> torque;
};

}  // namespace

struct solver::work final : block_work {
  work(const config::gravity& par, const mesh::tree& on, exec::context* where, const mesh::share& own)
      : tree(on),
        who(on),
        shared(where, on, who, own, (par.order + 1) * (par.order + 1)),
        by(par.order),
        kernels(make_far_kernels(by)),
        numbers((par.order + 1) * (par.order + 1)),
        far{stencil{par.order, par.near_radius_squared, pairs::far, place::inner, numbers},
            stencil{par.order, par.near_radius_squared, pairs::far, place::root, numbers}},
        smooth(par.cell_mass == config::cell_mass::smooth),
        direct{stencil{1, par.near_radius_squared, pairs::direct, place::inner, 1, smooth ? face_attraction : 0},
               stencil{1, par.near_radius_squared, pairs::direct, place::root, 1, smooth ? face_attraction : 0}},
        order(on, who, shared) {
    masses.resize(index(shared.leaves) * mesh::cells);
    virtual_masses.resize(index(shared.virtual_blocks) * H * HH);
    moments.resize(index(shared.refined_nodes) * index(block_size(numbers)));
    expansions.resize(index(shared.refined_nodes) * index(block_size(numbers + 3)));
    seconds.resize(index(shared.leaves + shared.refined_nodes));
  }

  double* mass_of(int leaf) override { return masses.data() + index(shared.leaf[index(leaf)]) * mesh::cells; }
  double* virtual_mass_of(int v) { return virtual_masses.data() + index(shared.virtual_block[index(v)]) * H * HH; }
  std::size_t place(int node) const { return index(shared.refined[index(node - tree.leaves())]); }
  double* moments_of(int node) override { return moments.data() + place(node) * index(block_size(numbers)); }
  double* expansions_of(int node) override { return expansions.data() + place(node) * index(block_size(numbers + 3)); }
  double* torques_of(int node) { return expansions_of(node) + block_size(numbers); }
  double& seconds_of(int node) {
    return seconds[node < tree.leaves() ? index(shared.leaf[index(node)]) : index(shared.leaves) + place(node)];
  }
  const stencil& at_level(const std::array<stencil, 2>& s, int level) const { return s[level == 0 ? 1 : 0]; }

  source_block mass_source(int n) {
    if (plan::is_virtual(n)) return virtual_source(virtual_mass_of(plan::virtual_number(n)));
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
  void add_virtual(int number, scratch& mine, double* result);
  exec::task solve_leaf(exec::context& where, int leaf, const double* density, double* result);

  const mesh::tree& tree;
  plan who;
  sharing shared;
  operators by;
  std::unique_ptr<far_kernels> kernels;
  int numbers;
  std::array<stencil, 2> far;  // inner, root
  bool smooth;                 // config::cell_mass
  std::array<stencil, 2> direct;
  exec::array<double> masses;          // [leaf][cell], at the places that `shared` gives
  exec::array<double> virtual_masses;  // [virtual block][Z][Y][X]
  exec::array<double> moments;         // [refined node] blocks of `numbers`
  exec::array<double> expansions;      // [refined node] blocks of `numbers`, then of 3: torques
  std::vector<double> seconds;         // [leaf, then refined node]
  exec::per_thread<scratch> threads;
  int solves = 0;
  course order;
};

void solver::work::set_masses(int leaf, const double* density) {
  const double h = tree.cell_width(leaf);
  gravity::set_masses(density, h * h * h, mass_of(leaf));
  share_out(leaf);
}

void solver::work::share_out(int leaf) {
  const auto [first, last] = who.virtual_of(leaf);
  for (int v = first; v < last; ++v) share_mass(who.virtual_at(v).octant, mass_of(leaf), virtual_mass_of(v));
}

void solver::work::up(int node) {
  double* mine = moments_of(node);
  std::fill(mine, mine + block_size(numbers), 0.0);
  for (int octant = 0; octant < 8; ++octant) {
    const int child = tree[node].child[index(octant)];
    if (!shared.own->owns(child)) continue;
    if (child < tree.leaves()) {
      p2m(by, octant, mass_of(child), mine);
    } else {
      m2m(by, octant, moments_of(child), mine);
    }
  }
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
  const int parent = tree[node].parent, octant = tree[node].id.octant();
  l2l(by, octant, expansions_of(parent), expansions_of(node));
  hand_down_torque(octant, torques_of(parent), {moments_of(parent), numbers}, {moments_of(node), numbers},
                   torques_of(node));
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
  if (smooth) add_own_potential(mass_of(leaf), mine.fields.data());
  mine.torque.fill(0);
  if (me.parent != mesh::no_block) {
    l2p(by, me.id.octant(), expansions_of(me.parent), mine.fields.data());
    hand_down_torque(me.id.octant(), torques_of(me.parent), {moments_of(me.parent), numbers}, {mass_of(leaf), 1},
                     mine.torque.data());
  }
  const double h = tree.cell_width(leaf);
  for (int f = 0; f < result_fields; ++f) {
    double* to = result + f * mesh::cells;
    if (f < torque) {
      put_in_order(mine.fields.data(), 4, f, unit_of(f, h), to);
    } else {
      put_in_order(mine.torque.data(), 3, f - torque, unit_of(f, h), to);
    }
  }
  const auto [first, last] = who.virtual_of(leaf);
  for (int v = first; v < last; ++v) add_virtual(v, mine, result);
  double* t = result + torque * mesh::cells;
  for (int i = 0; i < 3 * mesh::cells; ++i) t[i] /= h * h * h;
}

void solver::work::add_virtual(int number, scratch& mine, double* result) {
  const virtual_block& v = who.virtual_at(number);
  std::array<source_block, mesh::sides> sources;
  for (int s = 0; s < mesh::sides; ++s) sources[index(s)] = mass_source(v.neighbour[index(s)]);
  const stencil& near = at_level(direct, tree[v.leaf].level + 1);
  mine.around.gather(sources, 1, near.reach());
  p2p(mine.around, near, mine.fields.data());
  add_children(v.octant, 0.5 * tree.cell_width(v.leaf), virtual_mass_of(number), mine.fields.data(), result);
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
  for (const auto* a : {&w.masses, &w.virtual_masses, &w.moments, &w.expansions}) sum += a->size() * sizeof(double);
  for (const auto& s : w.far) sum += s.bytes();
  for (const auto& s : w.direct) sum += s.bytes();
  return sum;
}

}  // namespace rednova::gravity
