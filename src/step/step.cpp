#include "step/step.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/check.hpp"
#include "eos/stellar_table.hpp"
#include "exchange/collective_error.hpp"
#include "exchange/gather.hpp"
#include "hydro/signal_speed.hpp"
#include "regrid/migrate.hpp"
#include "step/driving.hpp"
#include "step/particles.hpp"
#include "step/point_motion.hpp"
#include "step/stage.hpp"
#include "step/step_ledger.hpp"
#include "step/stepper.hpp"
#include "step/sums.hpp"

namespace rednova::step {

namespace {

/// Ends the run on all ranks. found: what shows that the state is not physical.
[[noreturn]] void fail_unphysical(const simulation& s, const std::string& found) {
  const char* advice = s.step() == 0 ? "the initial model is not physical; look at the values in [problem] and [mesh]"
                                     : "the state is no longer physical; restart with a smaller hydro.cfl, "
                                       "hydro.riemann = \"kt\" or hydro.reconstruction = \"plm\"";
  throw exchange::collective_error(fmt::format("step {}, time {:.6g}: {}: {}", s.step(), s.time(), found, advice));
}

/// Fails where a cell holds NaN or infinity: sums of absolute values show it wherever it is.
void expect_finite(const simulation& s) {
  const totals& all = s.ledger().magnitude;
  const core::vec3d vectors = all.momentum + all.angular_momentum;
  if (std::isfinite(all.mass() + vectors.x + vectors.y + vectors.z + all.energy)) return;
  fail_unphysical(s, "there are cells whose mass, momentum or energy is NaN or infinite");
}

/// Fails, with the place, where a cell's gas is not in its table.
void expect_in_table(simulation& s) {
  if (!s.eos().tabulated()) return;
  s.stepper().fetch();
  std::vector<double> first;  // x, y, z, rho, e
  for (int leaf = s.own_leaves()[0]; leaf < s.own_leaves()[1] && first.empty(); ++leaf) {
    for (int c = 0; c < mesh::cells && first.empty(); ++c) {
      if (std::isfinite(s.u().at(leaf, s.fields().gamma1())[c])) continue;
      const core::vec3d x = mesh::view(s.tree()).centre(leaf, c);
      const double e = s.u().at(leaf, s.fields().energy_over_pressure())[c] * s.u().at(leaf, s.fields().pressure())[c];
      first = {x.x, x.y, x.z, s.density(leaf, c), e};
    }
  }
  first = exchange::gather_lists(s.context(), first);
  if (first.empty()) return;
  exchange::by_all([&] {
    const std::string place = fmt::format("step {}, time {:.6g}, at {:.4g}, {:.4g}, {:.4g}", s.step(), s.time(),
                                          first[0], first[1], first[2]);
    eos::require_in_table(s.eos().star.table, s.units(), first[3], first[4], place);
  });
}

double courant_step(simulation& s) {
  double rate = exchange::fold_ranks(s.context(), s.stepper().signal_rate(), hydro::larger_rate);
  if (!std::isfinite(rate)) expect_in_table(s);
  if (!(rate > 0) || !std::isfinite(rate))
    fail_unphysical(s, fmt::format("the signal speed over the cell width is {}", rate));
  rate = hydro::larger_rate(rate, point_rate(s));
  return s.par().hydro.cfl / rate;
}

/// What each node of the tree has cost so far, on whichever rank.
std::vector<double> costs_of_nodes(const simulation& s) {
  const mesh::local_partition& own = s.halo().partition();
  std::vector<double> of_leaves, of_refined;
  for (int leaf = own.leaves()[0]; leaf < own.leaves()[1]; ++leaf) of_leaves.push_back(s.stepper().cost(leaf));
  for (const int node : own.refined()) of_refined.push_back(s.stepper().cost(node));
  std::vector<double> costs = exchange::gather_lists(s.context(), of_leaves);
  const std::vector<double> by_rank = exchange::gather_lists(s.context(), of_refined);
  // Each rank's nodes came in their order.
  std::vector<std::size_t> next(static_cast<std::size_t>(s.owners().ranks()) + 1, 0);
  for (int node = s.tree().leaves(); node < s.tree().size(); ++node)
    ++next[static_cast<std::size_t>(own.owner(node)) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (int node = s.tree().leaves(); node < s.tree().size(); ++node) {
    costs.push_back(by_rank[next[static_cast<std::size_t>(own.owner(node))]++]);
  }
  return costs;
}

/// Whose the blocks of the next tree are to be: as now, if that is not much worse than the best.
mesh::partition balanced_owners(const simulation& s, const mesh::tree& next, double threshold) {
  if (s.context().ranks() == nullptr) return s.owners();
  const std::vector<double> costs = regrid::costs_after(s.tree(), costs_of_nodes(s), next);
  return mesh::rebalanced(s.owners(), next, costs, threshold).value_or(s.owners());
}

}  // namespace

void prepare(simulation& s, std::unique_ptr<transferred_fields> from) {
  const bool from_mesh_before = from != nullptr;
  EXPECT(from || (s.u_.nodes() == s.halo_->nodes().count() && s.u_.fields() == s.fields_.size()));
  {
    const exec::profile::scope timed(s.context().times(), "plans");
    s.stepper_.reset();
    s.stepper_ = s.make_stepper_(s, std::move(from));
  }
  if (!from_mesh_before && s.now_.particles.empty()) s.now_.particles = sow_particles(s);
  s.stepper_->derive();
  s.pulls_ = fold_pulls(s);
  if (std::exchange(s.dark_, false) && s.par().radiation.enabled) {
    s.stepper_->light_up(courant_step(s));
    s.stepper_->fetch();  // it has changed the gas: another prepare() goes by u()
  }
  const grid_sums sums = sum_grid(s);
  epoch& now = s.now_;
  now.ledger.grid = sums.value;
  now.ledger.magnitude = sums.magnitude;
  expect_finite(s);
  if (now.step == 0 && now.time == 0) {
    now.ledger.initial = now.ledger.grid;
    now.orbit = {};
  }
  s.stars_ = sums.stars;
  now.orbit.follow(s.stars_, now.time, 0);
}

void advance(simulation& s, double dt_max, std::optional<double> lands_at) {
  const exec::profile::scope timed(s.context().times(), exec::phases::step);
  stepper& run = *s.stepper_;
  const double uncut = courant_step(s), dt = std::min(uncut, dt_max);
  if (s.time() + uncut == s.time())
    fail_unphysical(s, fmt::format("the time step that signals allow, {:.3g}, is nothing beside the time", uncut));
  const std::vector<stage_form> scheme = stages(s.par().hydro.time_integrator);
  std::vector<stage_now> list;
  for (std::size_t i = 0; i < scheme.size(); ++i) {
    const bool last = i + 1 == scheme.size();
    const double begins = s.time() + scheme[i].begins * dt, ends = s.time() + (last ? dt : scheme[i + 1].begins * dt);
    list.push_back({scheme[i], dt, static_cast<int>(i), last, begins, ends});
  }
  const bool driven = is_driven(s);
  s.orbits_before_ = s.orbits();
  s.points_before_ = s.points();
  point_motion points(s, dt);
  const particle_motion particles(s, s.particles());
  run.additions().clear();
  const stage_now* before = nullptr;
  for (const stage_now& now : list) {
    run.finish_and_update(before, &now);
    run.keep_positive(now);
    run.swap_states();
    before = &now;
  }
  points.drift(s.now_.points);
  run.finish_and_update(before, nullptr);
  s.pulls_ = fold_pulls(s);
  points.pull(s.pulls(), s.now_.points);
  if (s.par().radiation.enabled) run.radiate(dt, uncut, list.back().ends);
  epoch& at = s.now_;
  if (driven) at.ledger.driven += drive(s, dt, list.back().ends);
  run.complete();
  at.time = lands_at && dt >= dt_max ? *lands_at : at.time + dt;
  at.dt = dt;
  ++at.step;
  particles.finish(s, dt, at.time, at.particles);
  s.stars_ = balance_ledger(s, at.ledger);
  if (s.points().count > 0) at.ledger.points.energy += points.gained_energy(s.points(), s.pulls());
  if (s.par().radiation.enabled) add_radiated(s, at.ledger);
  at.orbit.follow(s.stars_, at.time, dt);
  expect_finite(s);
}

regrid::criteria refinement_criteria(const simulation& s) {
  const config::parameters& par = s.par();
  std::vector<regrid::refined_sphere> spheres;
  if (par.point_masses.cells > 0) {
    for (const point_mass& p : s.points()) {
      int level = 0;
      const auto cells = [&] { return std::ldexp(p.softening * mesh::N, level) / par.mesh.base_width; };
      while (level < par.mesh.max_level && cells() < par.point_masses.cells) ++level;
      // It moves less than this until the mesh is adapted again: in a step, by hydro.cfl of the finest cells along each
      // axis (point_rate). The adaptation may take the finest level away.
      const double way = std::sqrt(3.0) * par.mesh.regrid_interval * par.hydro.cfl *
                         s.tree().box().cell_width(std::max(level, s.tree().max_level() - 1));
      spheres.push_back({p.position, p.softening + way, level});
    }
  }
  return regrid::criteria(par, std::move(spheres));
}

void change_mesh(simulation& s, mesh::tree next, const mesh::partition& owners) {
  const bool alone = s.context().ranks() == nullptr;
  tree_change to{&next, alone ? mesh::local_partition(next) : s.look_up(next, s.owners()), {}, {}, &s.migrations_};
  if (owners != s.owners()) {
    to.after_migration = s.look_up(next, owners);
    to.moves = mesh::migrations(next, s.owners(), owners);
  }
  std::unique_ptr<transferred_fields> transferred = s.stepper_->transfer(to);
  const totals before = s.ledger().grid, initial = s.ledger().initial;
  s.change_tree(std::move(next), owners);
  prepare(s, std::move(transferred));
  s.now_.ledger.initial = initial;  // at time 0 prepare() took the grid's, but the ledger began on the mesh before
  totals change = s.ledger().grid;
  s.now_.ledger.regrid += change.add(-1, before);
}

bool adapt(simulation& s) {
  const exec::profile::scope timed(s.context().times(), "regrid");
  const std::vector<int> flags =
      exchange::gather_lists(s.context(), s.stepper().refinement_flags(refinement_criteria(s)));
  mesh::tree next(s.tree().box(), s.tree().adapted(flags));
  bool changed = next.leaves() != s.tree().leaves();
  for (int n = 0; n < next.leaves() && !changed; ++n) changed = next[n].id != s.tree()[n].id;
  const mesh::partition owners = balanced_owners(s, next, s.par().mesh.rebalance_threshold);
  if (changed || owners != s.owners()) change_mesh(s, std::move(next), owners);
  return changed;
}

void rebalance(simulation& s, double threshold) {
  const exec::profile::scope timed(s.context().times(), "regrid");
  const mesh::partition owners = balanced_owners(s, s.tree(), threshold);
  if (owners != s.owners()) change_mesh(s, mesh::tree(s.tree()), owners);
}

void rotate_grid(simulation& s, double rate) {
  if (rate == s.rotation()) return;
  s.now_.orbit.rate -= rate - s.rotation();  // that of the line of centres is against the grid
  s.now_.turn.change(rate, s.time());
  s.stepper().rotation_changed();
}

}  // namespace rednova::step
