// The phases on the processor's cores: packs of leaves as tasks, which go on as soon as their own inputs are there.
#include <algorithm>

#include "core/check.hpp"
#include "exchange/links.hpp"
#include "exec/run.hpp"
#include "hydro/signal_speed.hpp"
#include "regrid/criteria.hpp"
#include "regrid/migrate.hpp"
#include "regrid/transfer.hpp"
#include "step/block_sums.hpp"
#include "step/engine.hpp"
#include "step/stage.hpp"
#include "step/workspace.hpp"

namespace rednova::step {

namespace {

/// Calls body(leaf) for the leaves of a pack, within a task.
template <class Body>
void for_pack(const simulation& s, const char* phase, const pack& p, const Body& body) {
  const exec::part timed(*s.where, phase);
  for (int leaf = p.first; leaf < p.last; ++leaf) {
    body(leaf);
    s.where->look();
  }
}

/// Notes what each pack waits for in each stage.
void connect_packs(simulation& s) {
  for (pack& p : s.work->packs) {
    const auto each_once = [&](const auto& add) {
      std::vector<exec::event*> list;
      for (int leaf = p.first; leaf < p.last; ++leaf) add(leaf, list);
      std::ranges::sort(list);
      list.erase(std::ranges::unique(list).begin(), list.end());
      return list;
    };
    p.around = each_once([&](int leaf, auto& to) { s.links->add_ghost_inputs(leaf, to); });
    p.fluxes = each_once([&](int leaf, auto& to) { add_flux_inputs(s, leaf, to); });
    if (!s.gravity_solver) continue;
    p.expansions = each_once([&](int leaf, auto& to) { s.gravity_solver->add_inputs(leaf, to); });
    p.potentials = each_once([&](int leaf, auto& to) { add_work_inputs(s, leaf, to); });
  }
}

/// Other ranks wait for what outer packs make.
exec::task hurried(exec::task t, const pack& p) { return p.outer ? std::move(t).urgent() : std::move(t); }

/// What follows a stage that has left no bad cells: books and floors, gravity and its work.
exec::task settle(simulation& s, stage_now now, const pack& p) {
  workspace& w = *s.work;
  for_pack(s, "books", p, [&](int leaf) { book_boundary(s, now.form, now.dt, now.begins, leaf); });
  for_pack(s, "floors", p, [&](int leaf) { raise_density(s, now.form, now.number, now.ends, leaf); });
  if (s.gravity_solver) {
    for_pack(s, "gravity density", p, [&](int leaf) { set_density(s, leaf); });
    for_pack(s, "gravity upward pass", p, [&](int leaf) { s.gravity_solver->take(leaf, w.weighed.at(leaf)); });

    co_await exec::all(p.expansions);
    for_pack(s, "gravity leaves (near field)", p, [&](int leaf) {
      s.gravity_solver->give(leaf, s.gravity.at(leaf));
      set_acceleration(s, leaf);
      set_mean_potential(s, leaf);
      w.weighing(leaf).arrive();
    });

    co_await exec::all(p.potentials);
    for_pack(s, "gravity work", p, [&](int leaf) { add_work(s, now.dt, now.number, leaf); });
  }
  for_pack(s, "floors", p, [&](int leaf) { raise_energy(s, now.form, leaf); });
  if (now.last && s.gravity_solver) {
    for_pack(s, "books", p, [&](int leaf) { book_potential(s, now.dt, now.number, leaf); });
  }
}

/// The hydrodynamics of a stage, up to whether it made bad cells.
exec::task update(simulation& s, stage_now now, const pack& p) {
  workspace& w = *s.work;
  if (now.number == 0) for_pack(s, "start of the step", p, [&](int leaf) { start_step(s, leaf); });

  co_await exec::all(p.around);
  for_pack(s, "hydro", p, [&](int leaf) { update_leaf(s, now.form, now.dt, now.number, leaf); });

  co_await exec::all(p.fluxes);
  for_pack(s, "flux correction", p, [&](int leaf) { correct_fluxes(s, now.form, now.dt, leaf); });
  for_pack(s, "positivity", p, [&](int leaf) { w.bad[w.own(leaf)] = find_bad_cells(s, leaf, now.dt, nullptr); });
}

/// One after the other: refined nodes are restricted and images sent as soon as their leaves have settled.
exec::task settle_and_update(simulation& s, stage_now before, stage_now now, const pack& p) {
  co_await settle(s, before, p);
  for (int leaf = p.first; leaf < p.last; ++leaf) s.links->there(leaf).arrive();
  exec::task next = update(s, now, p);
  co_await hurried(std::move(next), p);
}

}  // namespace

void add_packs(simulation& s, const stage_now* before, const stage_now* now, std::vector<exec::task>& to) {
  if (before != nullptr && s.gravity_solver) {
    s.gravity_solver->add_tasks(*s.where, to);
    s.work->add_potential_tasks(to);
  }
  if (before != nullptr && now != nullptr) s.links->add_restriction_tasks(to, s.u);
  if (before == nullptr) s.links->add_ghost_tasks(to, s.u);
  if (now != nullptr) s.work->add_flux_tasks(to);
  for (const pack& p : s.work->packs) {
    if (before == nullptr) {
      to.push_back(hurried(update(s, *now, p), p));
    } else {
      to.push_back(now != nullptr ? settle_and_update(s, *before, *now, p) : settle(s, *before, p));
    }
  }
}

namespace {

struct on_the_host final : carried_fields {
  explicit on_the_host(mesh::block_data u) : leaves(std::move(u)) {}
  mesh::block_data leaves;  // own ones
};

class on_cores final : public engine {
 public:
  explicit on_cores(simulation& s) : s_(s) {
    if (s.carried) take_fields();
    if (s.par.gravity.enabled)
      s.gravity = mesh::block_data(mesh::slots::of_leaves(s.links->share()), gravity::result_fields);
    s.work = std::make_unique<workspace>(s);
    if (s.par.gravity.enabled) s.gravity_solver.emplace(s.par.gravity, s.tree, *s.where, s.links->share());
    connect_packs(s);
  }
  void derive() override {
    if (s_.gravity_solver) gravity_phase(s_);
    s_.links->restrict_all(s_.u);
  }
  double signal_rate() override {
    return exec::reduce(
        *s_.where, "time step", s_.links->share().leaf_count(), 0.0,
        [&](int i) {
          const int leaf = s_.own_leaves()[0] + i;
          const double h = s_.tree.cell_width(leaf);
          return s_.work->update.signal_speed(s_.u.at(leaf), s_.tree.corner(leaf), h, s_.rotation) / h;
        },
        hydro::larger_rate);
  }
  void between(const stage_now* before, const stage_now* now) override {
    std::vector<exec::task> tasks;
    add_packs(s_, before, now, tasks);
    exec::run_tasks(*s_.where, s_.work->tasks, std::move(tasks));
  }
  void keep_positive(const stage_now& now) override { positivity_phase(s_, now.form, now.dt, now.number); }
  void take_over() override { std::swap(s_.u, s_.work->next); }
  void complete() override {
    dual_energy_phase(s_);
    s_.links->restrict_all(s_.u);
  }
  void sum(int leaf, core::compensated* to) const override { sum_block(summed(leaf), s_.fields, to); }
  void sum_stars(int leaf, double* to) const override {
    step::sum_stars(summed(leaf), s_.fields.species(), s_.star_gas, to);
  }
  std::vector<int> wishes(const regrid::criteria& by) override {
    s_.links->start_ghosts(s_.u);
    s_.links->finish_ghosts(s_.u);
    s_.links->fetch_parents(s_.u);
    return by.wishes(*s_.where, s_.tree, s_.links->share(), s_.fields, s_.eos, s_.work->ghosts, s_.u);
  }
  std::unique_ptr<carried_fields> carry(const tree_change& to) override {
    mesh::block_data u = regrid::transfer(*s_.where, s_.tree, *to.next, to.here, s_.fields, s_.u);
    s_.u = {};
    s_.gravity = {};
    if (to.there) u = regrid::migrate(*s_.where, to.moves, to.here, *to.there, u, s_.migrations);
    return std::make_unique<on_the_host>(std::move(u));
  }
  double cost(int node) const override {
    const double gravity = s_.gravity_solver ? s_.gravity_solver->seconds(node) : 0.0;
    return node < s_.tree.leaves() ? s_.work->seconds[s_.work->own(node)] + gravity : gravity;
  }

 private:
  summed_block summed(int leaf) const {
    const double* phi = s_.gravity.empty() ? nullptr : s_.gravity.at(leaf, gravity::potential);
    return {s_.u.at(leaf), phi, s_.tree.corner(leaf), s_.tree.cell_width(leaf)};
  }
  /// Gives them places among the images of others'.
  void take_fields() {
    const auto* const carried = dynamic_cast<const on_the_host*>(s_.carried.get());
    EXPECT(carried != nullptr);  // else an engine of another kind has left them
    const mesh::block_data& from = carried->leaves;
    s_.u = mesh::block_data(s_.links->nodes(), s_.fields.size());
    exchange::for_leaves(*s_.where, "transfer", s_.links->share(),
                         [&](int leaf) { std::copy_n(from.at(leaf), s_.fields.size() * mesh::cells, s_.u.at(leaf)); });
    s_.carried.reset();
  }

  simulation& s_;
};

}  // namespace

std::unique_ptr<engine> processor_engine(simulation& s) { return std::make_unique<on_cores>(s); }

}  // namespace rednova::step
