#include "step/step.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/check.hpp"
#include "exchange/gather.hpp"
#include "exchange/said_by_all.hpp"
#include "exec/run.hpp"
#include "hydro/signal_speed.hpp"
#include "regrid/criteria.hpp"
#include "regrid/migrate.hpp"
#include "regrid/transfer.hpp"
#include "step/stage.hpp"
#include "step/sums.hpp"
#include "step/workspace.hpp"

namespace rednova::step {

namespace {

/// Ends the run on all ranks. found: what shows that the state is not physical.
[[noreturn]] void fail_unphysical(const simulation& s, const std::string& found) {
  const char* advice = s.step == 0 ? "the initial model is not physical; look at the values in [problem] and [mesh]"
                                   : "the state is no longer physical; restart with a smaller hydro.cfl, "
                                     "hydro.riemann = \"kt\" or hydro.reconstruction = \"plm\"";
  throw exchange::said_by_all(fmt::format("step {}, time {:.6g}: {}: {}", s.step, s.time, found, advice));
}

/// Fails where a cell holds what is no finite number: sums of absolute values show it wherever it is.
void expect_finite(const simulation& s) {
  const totals& all = s.books.magnitude;
  const core::vec3d vectors = all.momentum + all.angular_momentum;
  if (std::isfinite(all.mass() + vectors.x + vectors.y + vectors.z + all.energy)) return;
  fail_unphysical(s, "there are cells whose mass, momentum or energy is no finite number");
}

double courant_step(const simulation& s) {
  const double own = exec::reduce(
      *s.where, "time step", s.links->share().leaf_count(), 0.0,
      [&](int i) {
        const int leaf = s.own_leaves()[0] + i;
        const double h = s.tree.cell_width(leaf);
        return s.work->update.signal_speed(s.u.at(leaf), s.tree.corner(leaf), h, s.rotation) / h;
      },
      hydro::larger_rate);
  const double rate = exchange::fold_ranks(*s.where, own, hydro::larger_rate);
  if (!(rate > 0) || !std::isfinite(rate))
    fail_unphysical(s, fmt::format("the signal speed over the cell width is {}", rate));
  return s.par.hydro.cfl / rate;
}

/// The seconds that each node of the tree has cost so far, on whichever rank.
std::vector<double> costs_of_nodes(const simulation& s) {
  const mesh::share& own = s.links->share();
  std::vector<double> of_leaves, of_refined;
  const auto gravity = [&](int node) { return s.gravity_solver ? s.gravity_solver->seconds(node) : 0.0; };
  for (int leaf = own.leaves()[0]; leaf < own.leaves()[1]; ++leaf) {
    of_leaves.push_back(s.work->seconds[s.work->own(leaf)] + gravity(leaf));
  }
  for (const int node : own.refined()) of_refined.push_back(gravity(node));
  std::vector<double> costs = exchange::gather_lists(*s.where, of_leaves);
  const std::vector<double> by_rank = exchange::gather_lists(*s.where, of_refined);
  // Each rank's nodes came in their order.
  std::vector<std::size_t> next(static_cast<std::size_t>(s.owners.ranks()) + 1, 0);
  for (int node = s.tree.leaves(); node < s.tree.size(); ++node) ++next[static_cast<std::size_t>(own.owner(node)) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (int node = s.tree.leaves(); node < s.tree.size(); ++node) {
    costs.push_back(by_rank[next[static_cast<std::size_t>(own.owner(node))]++]);
  }
  return costs;
}

/// Whose the blocks of the next tree are to be: as now, if that is not much worse than the best.
mesh::partition balanced_owners(const simulation& s, const mesh::tree& next) {
  const std::vector<double> costs = regrid::costs_after(s.tree, costs_of_nodes(s), next);
  return mesh::rebalanced(s.owners, next, costs, s.par.mesh.rebalance_threshold).value_or(s.owners);
}

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
    for_pack(s, "gravity up", p, [&](int leaf) { s.gravity_solver->take(leaf, w.weighed.at(leaf)); });

    co_await exec::all(p.expansions);
    for_pack(s, "gravity leaves", p, [&](int leaf) {
      s.gravity_solver->give(leaf, s.gravity.at(leaf));
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

void prepare(simulation& s) {
  EXPECT(s.u.nodes() == s.links->nodes().count() && s.u.fields() == s.fields.size());
  s.work.reset();
  s.gravity_solver.reset();
  s.work = std::make_unique<workspace>(s);
  s.links->restrict_all(s.u);
  if (s.par.gravity.enabled) {
    s.gravity_solver.emplace(s.par.gravity, s.tree, *s.where, s.links->share());
    s.gravity = mesh::block_data(mesh::slots::of_leaves(s.links->share()), gravity::result_fields);
    gravity_phase(s);
  }
  connect_packs(s);
  const grid_sums sums = sum_grid(s);
  s.books.grid = sums.value;
  s.books.magnitude = sums.magnitude;
  expect_finite(s);
  if (s.step == 0 && s.time == 0) s.books.initial = s.books.grid;
}

void advance(simulation& s, double dt_max) {
  workspace& w = *s.work;
  const double dt = std::min(courant_step(s), dt_max);
  const std::vector<stage_form> scheme = stages(s.par.hydro.time_integrator);
  std::vector<stage_now> list;
  for (std::size_t i = 0; i < scheme.size(); ++i) {
    const bool last = i + 1 == scheme.size();
    const double begins = s.time + scheme[i].begins * dt, ends = s.time + (last ? dt : scheme[i + 1].begins * dt);
    list.push_back({scheme[i], dt, static_cast<int>(i), last, begins, ends});
  }
  const auto run = [&](const stage_now* before, const stage_now* now) {
    std::vector<exec::task> tasks;
    add_packs(s, before, now, tasks);
    exec::run_tasks(*s.where, w.tasks, std::move(tasks));
  };

  w.sums.clear();
  const stage_now* before = nullptr;
  for (const stage_now& now : list) {
    run(before, &now);
    positivity_phase(s, now.form, dt, now.number);
    std::swap(s.u, w.next);
    before = &now;
  }
  run(before, nullptr);
  dual_energy_phase(s);
  s.links->restrict_all(s.u);
  s.time += dt;
  s.dt = dt;
  ++s.step;
  balance_books(s);
  expect_finite(s);
}

bool adapt(simulation& s) {
  exec::context& where = *s.where;
  const bool alone = where.ranks() == nullptr;
  const regrid::criteria criteria(s.par.mesh, s.par.refine, s.par.hydro);
  s.links->start_ghosts(s.u);
  s.links->finish_ghosts(s.u);
  s.links->fetch_parents(s.u);
  const std::vector<int> wish = exchange::gather_lists(
      where, criteria.wishes(where, s.tree, s.links->share(), s.fields, s.eos, s.work->ghosts, s.u));
  mesh::tree next(s.tree.box(), s.tree.adapted(wish));
  bool changed = next.leaves() != s.tree.leaves();
  for (int n = 0; n < next.leaves() && !changed; ++n) changed = next[n].id != s.tree[n].id;
  const mesh::partition owners = alone ? s.owners : balanced_owners(s, next);
  if (!changed && owners == s.owners) return false;

  const mesh::share here = alone ? mesh::share(next) : s.look_up(next, s.owners);
  mesh::block_data u = regrid::transfer(where, s.tree, next, here, s.fields, s.u);
  if (owners != s.owners) {
    const std::vector<mesh::migration> moves = mesh::migrations(next, s.owners, owners);
    u = regrid::migrate(where, moves, here, s.look_up(next, owners), u, s.migrations);
  }
  const totals before = s.books.grid;
  s.adopt(std::move(next), owners);
  exchange::for_leaves(where, "transfer", s.links->share(),
                       [&](int leaf) { std::copy_n(u.at(leaf), s.fields.size() * mesh::cells, s.u.at(leaf)); });
  u = {};
  prepare(s);
  totals change = s.books.grid;
  s.books.regrid += change.add(-1, before);
  return changed;
}

}  // namespace rednova::step
