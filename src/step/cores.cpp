#include "step/cores.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "exchange/halo_exchange.hpp"
#include "hydro/signal_speed.hpp"
#include "regrid/criteria.hpp"
#include "regrid/migrate.hpp"
#include "regrid/transfer.hpp"
#include "regrid/transfer_light.hpp"
#include "step/particle_cells.hpp"
#include "step/positivity.hpp"

namespace rednova::step {

namespace {

struct on_the_host final : transferred_fields {
  on_the_host(mesh::block_data u, mesh::block_data l) : leaves(std::move(u)), light(std::move(l)) {}
  mesh::block_data leaves;  // own ones
  mesh::block_data light;   // of them; empty without radiation
};

/// Other ranks wait for what outer batches make.
exec::task hurried(exec::task t, bool outer) { return outer ? std::move(t).urgent() : std::move(t); }

/// Adds what flux corrections of a leaf wait for: the fluxes of the finer leaves beside it.
void add_flux_inputs(workspace& w, int leaf, std::vector<exec::event*>& to) {
  for (const exchange::coarse_face& q : w.faces.coarse_faces(leaf)) {
    for (const int fine : q.fine) to.push_back(&w.fluxes_ready(fine, q.face ^ 1));
  }
}

/// Adds what gravity's work on a leaf waits for: density and potential sum of the leaves behind its faces.
void add_potential_inputs(workspace& w, const mesh::tree& t, int leaf, std::vector<exec::event*>& to) {
  for (int face = 0; face < mesh::faces; ++face) {
    const auto side = static_cast<std::size_t>(exchange::side_of_face(face));
    const int m = t[leaf].neighbour[side];
    if (m >= 0 && m < t.leaves()) to.push_back(&w.work_inputs_ready(m));
    if (m == mesh::no_block) to.push_back(&w.work_inputs_ready(t[t[leaf].parent].neighbour[side]));
  }
  for (const exchange::coarse_face& q : w.faces.coarse_faces(leaf)) {
    for (const int fine : q.fine) to.push_back(&w.work_inputs_ready(fine));
  }
}

}  // namespace

cores::cores(simulation& s, const transferred_fields* from)
    : s_(s),
      work_(s),
      tables_(s, work_, work_.batches),
      for_ledger_(tables_, s.star_gas().two(), s.points().count),
      view_(step::view(s, work_)) {
  if (from != nullptr) take_fields(*from);
  if (s.par().gravity.enabled) {
    s.gravity() = mesh::block_data(mesh::slots::of_leaves(s.halo().partition()), gravity::result_fields);
    gravity_.emplace(s.par().gravity, s.tree(), s.context(), s.halo().partition());
  }
  if (s.par().radiation.enabled) light_.emplace(s);
  connect_batches();
}

/// Notes what each batch waits for in each stage.
void cores::connect_batches() {
  for (std::size_t i = 0; i < work_.batches.size(); ++i) {
    const auto each_once = [&](const auto& add) {
      std::vector<exec::event*> list;
      for (const int leaf : work_.batches[i]) add(leaf, list);
      std::ranges::sort(list);
      list.erase(std::ranges::unique(list).begin(), list.end());
      return list;
    };
    batch_inputs& in = work_.inputs[i];
    in.around = each_once([&](int leaf, auto& to) { s_.halo().add_ghost_inputs(leaf, to); });
    in.fluxes = each_once([&](int leaf, auto& to) { add_flux_inputs(work_, leaf, to); });
    if (!gravity_) continue;
    in.expansions = each_once([&](int leaf, auto& to) { gravity_->add_inputs(leaf, to); });
    in.potentials = each_once([&](int leaf, auto& to) { add_potential_inputs(work_, s_.tree(), leaf, to); });
  }
}

batch cores::at(std::size_t number) const {
  return tables_.at(static_cast<int>(number), tables_.leaves.data(), tables_.beside_finer.data());
}

template <class Body>
void cores::for_batches(const char* phase, const Body& body) {
  exec::for_each(s_.context(), phase, static_cast<int>(work_.batches.size()),
                 [&](int i) { body(at(static_cast<std::size_t>(i))); });
}

void cores::run(std::vector<exec::task> tasks) { exec::run_tasks(s_.context(), work_.tasks, std::move(tasks)); }

void cores::look() {
  view_ = step::view(s_, work_);
  if (light_) view_.stiffness = mesh::view(light_->stiffness());
}

void cores::find_all_gas() {
  if (light_) light_->find_stiffness();
  if (s_.fields().has_gas()) for_batches("equation of state", [&](const batch& b) { find_gas(*this, b, true); });
  s_.halo().restrict_all(s_.u());
}

void cores::derive() {
  look();
  if (gravity_) {
    std::vector<exec::task> tasks;
    gravity_->add_tasks(s_.context(), tasks);
    for (std::size_t i = 0; i < work_.batches.size(); ++i) tasks.push_back(solve_gravity(*this, at(i)));
    run(std::move(tasks));
  }
  find_all_gas();
}

double cores::signal_rate() {
  return exec::reduce(
      s_.context(), "time step", s_.halo().partition().leaf_count(), 0.0,
      [&](int i) {
        const int leaf = s_.own_leaves()[0] + i;
        const double h = s_.tree().cell_width(leaf);
        return work_.update.signal_speed(s_.u().at(leaf), s_.tree().corner(leaf), h, s_.rotation()) / h;
      },
      hydro::larger_rate);
}

/// One after the other: refined nodes are restricted and halo copies sent as soon as their leaves are finished.
exec::task cores::stage_of_batch(stage_now before, stage_now now, batch b) {
  co_await finish_stage(*this, before, b);
  for (int i = 0; i < b.count; ++i) s_.halo().ready(b.leaves[i]).arrive();
  exec::task next = update(*this, now, b);
  co_await hurried(std::move(next), inputs(b).outer);
}

void cores::add_tasks(const stage_now* before, const stage_now* now, std::vector<exec::task>& to) {
  look();
  if (before != nullptr && gravity_) {
    if (before->last) gravity_->add_tasks(s_.context(), to);
    work_.add_potential_tasks(to);
  }
  if (before != nullptr && now != nullptr) s_.halo().add_restriction_tasks(to, s_.u());
  if (before == nullptr) s_.halo().add_ghost_tasks(to, s_.u());
  if (now != nullptr) work_.add_flux_tasks(to);
  for (std::size_t i = 0; i < work_.batches.size(); ++i) {
    if (before == nullptr) {
      to.push_back(hurried(update(*this, *now, at(i)), work_.inputs[i].outer));
    } else {
      to.push_back(now != nullptr ? stage_of_batch(*before, *now, at(i)) : finish_stage(*this, *before, at(i)));
    }
  }
}

void cores::finish_and_update(const stage_now* before, const stage_now* now) {
  std::vector<exec::task> tasks;
  {
    const auto timed = phase(exec::phases::task_lists);
    add_tasks(before, now, tasks);
  }
  run(std::move(tasks));
  if (before == nullptr) return;
  const auto timed = phase("ledger");
  not_in_ledger_.push_back(*before);
  if (before->last) add_to_ledger();
}

void cores::add_to_ledger() {
  for_ledger_.enter(
      not_in_ledger_, ledger_entries(tables_, s_.now().turn, work_.sums),
      [](const auto& values) -> const auto& { return values; });
  not_in_ledger_.clear();
}

void cores::keep_positive(const stage_now& now) {
  if (!any_flagged(s_, work_.invalid)) return;
  mesh::block_data troubled(s_.halo().nodes(), 1);
  std::vector<int> all(tables_.leaves), again;
  const auto for_each_alone = [&](const std::vector<int>& list, const auto& body) {
    exec::for_each(s_.context(), "repeated stages", static_cast<int>(list.size()),
                   [&](int i) { body(tables_.alone(&list[static_cast<std::size_t>(i)])); });
  };
  const auto find = [&] {
    for_each_alone(all, [&](const batch& leaf) { find_invalid(*this, now.dt, leaf, mesh::view(troubled)); });
    return work_.invalid;
  };
  repeat_while_invalid(s_, work_.invalid, find, [&](const std::vector<std::uint8_t>& flagged) {
    s_.halo().restrict_scalar(troubled, 0);
    s_.halo().fetch_scalar(troubled, 0);
    again.clear();
    std::ranges::copy_if(all, std::back_inserter(again),
                         [&](int leaf) { return flagged[static_cast<std::size_t>(leaf)] != 0; });
    const mesh::block_view<const double> before = mesh::view(std::as_const(troubled));
    for_each_alone(again, [&](const batch& leaf) { update_leaves(*this, now, leaf, before); });
    work_.exchange_fluxes();
    for_each_alone(again, [&](const batch& leaf) { correct_fluxes(*this, now, leaf); });
  });
}

void cores::swap_states() { std::swap(s_.u(), work_.next); }

void cores::light_up(double dt) {
  light_->begin(dt);
  find_all_gas();
}

void cores::radiate(double dt, double uncut, double ends) { light_->advance(dt, uncut, ends, work_.sums); }

void cores::complete() {
  look();
  s_.halo().restrict_scalar(s_.u(), s_.fields().energy());
  s_.halo().fetch_scalar(s_.u(), s_.fields().energy());
  for_batches("dual energy", [&](const batch& b) { synchronise(*this, b); });
  if (light_) {
    find_all_gas();
  } else {
    s_.halo().restrict_all(s_.u());
  }
}

void cores::gather(const batch& leaf) {
  work_.ghosts.gather(s_.u(), leaf.leaves[0], s_.rotation(), work_.scratch().ghosted.data());
}

void cores::gather_scalar(const mesh::block_view<const double>& u, int field, const batch& leaf) {
  work_.ghosts.gather_scalar(u, leaf.leaves[0], field, around());
}

void cores::update_rows(const batch& leaf, int stage, const hydro::stage_spin_exchange& exchange, bool troubled) {
  thread_scratch& mine = work_.scratch();
  hydro::block_input in = tables_.input(leaf.leaves[0], s_.rotation());
  in.u = mine.ghosted.data();
  if (troubled) in.first_order = mine.first_order.data();
  const update_targets to{mine.rate.data(), work_.registers.data(), for_ledger_.boundary_flux(),
                          work_.mass_flow[static_cast<std::size_t>(stage % 2)].data()};
  work_.update(in, tables_.output(leaf.leaves[0], to), exchange, mine.hydro);
}

exec::task cores::solve(batch b) {
  {
    const auto timed = phase("gravity upward pass");
    for (int i = 0; i < b.count; ++i) gravity_->take(b.leaves[i], work_.work_inputs.at(b.leaves[i]));
  }
  co_await exec::all(inputs(b).expansions);
  const auto timed = phase("gravity leaves (near field)");
  for (int i = 0; i < b.count; ++i) {
    gravity_->give(b.leaves[i], s_.gravity().at(b.leaves[i]));
    s_.context().poll_messages();
  }
}

exec::all cores::potentials(const batch& b) {
  for (int i = 0; i < b.count; ++i) work_.work_inputs_ready(b.leaves[i]).arrive();
  return exec::all(inputs(b).potentials);
}

void cores::fluxes_made(const batch& b) {
  for (int i = 0; i < b.count; ++i) {
    for (int face = 0; face < mesh::faces; ++face) {
      if (work_.faces.slot(b.leaves[i], face) >= 0) work_.fluxes_ready(b.leaves[i], face).arrive();
    }
  }
}

void cores::sum() {
  look();
  for_batches("sums", [&](const batch& b) { sum_leaves(*this, b); });
}

void cores::sum_motions() {
  look();
  for_batches("driving", [&](const batch& b) { step::sum_motions(*this, b); });
}

void cores::drive(const star_velocities& by) {
  for_batches("driving", [&](const batch& b) { step::drive(*this, b, by); });
}

const core::compensated* cores::sums(int leaf) const { return of_leaf(for_ledger_.all_leaf_sums(), leaf); }

const core::compensated* cores::pulls(int leaf) const { return of_leaf(for_ledger_.all_pulls(), leaf); }

std::vector<core::vec3d> cores::velocities(const std::vector<gas_place>& places) {
  s_.halo().start_ghosts(s_.u());
  s_.halo().finish_ghosts(s_.u());
  const leaves_with_places by_leaf(places);
  std::vector<core::vec3d> found(places.size());
  exec::for_each(s_.context(), "tracer particles", by_leaf.count(), [&](int i) {
    double* const ghosted = work_.scratch().ghosted.data();
    const auto n = static_cast<std::size_t>(i);
    work_.ghosts.gather(s_.u(), by_leaf.leaves[n], s_.rotation(), ghosted);
    const interpolate_velocities at{mesh::view(s_.tree()), s_.fields(), ghosted, i, places.data(), found.data()};
    for (int place = by_leaf.first[n]; place < by_leaf.first[n + 1]; ++place) at(place);
  });
  return found;
}

std::vector<int> cores::refinement_flags(const regrid::criteria& by) {
  s_.halo().start_ghosts(s_.u());
  s_.halo().finish_ghosts(s_.u());
  s_.halo().fetch_parents(s_.u());
  return by.flags(s_.context(), s_.tree(), s_.halo().partition(), s_.fields(), s_.eos(), work_.ghosts, s_.u(),
                  mesh::view(std::as_const(s_.gravity())));
}

std::unique_ptr<transferred_fields> cores::transfer(const tree_change& to) {
  mesh::block_data u = regrid::transfer(s_.context(), s_.tree(), *to.next, to.before_migration, s_.fields(), s_.u());
  mesh::block_data light;
  if (light_) {
    light = regrid::transfer_light(s_.context(), s_.tree(), *to.next, s_.halo(), s_.reach(), to.before_migration,
                                   s_.light(), radiation::scheme_of(s_.par()).k.speed, s_.par().hydro.spin);
  }
  s_.u() = {};
  s_.gravity() = {};
  s_.light() = {};
  if (to.after_migration) {
    const auto moved = [&](const mesh::block_data& of, regrid::migration_counts& counts) {
      return regrid::migrate(s_.context(), to.moves, to.before_migration, *to.after_migration, of, counts);
    };
    regrid::migration_counts of_light;  // the same leaves
    u = moved(u, *to.counts);
    if (light_) light = moved(light, of_light);
  }
  return std::make_unique<on_the_host>(std::move(u), std::move(light));
}

double cores::cost(int node) const {
  const double gravity = gravity_ ? gravity_->seconds(node) : 0.0;
  if (node >= s_.tree().leaves()) return gravity;
  return work_.seconds[work_.own(node)] + (light_ ? light_->seconds(node) : 0.0) + gravity;
}

/// Stores them where halo copies have their slots, too.
void cores::take_fields(const transferred_fields& given) {
  const auto* const transferred = dynamic_cast<const on_the_host*>(&given);
  EXPECT(transferred != nullptr);  // else a stepper of another kind has left them
  const mesh::block_data& from = transferred->leaves;
  s_.u() = mesh::block_data(s_.halo().nodes(), s_.fields().size());
  exchange::for_leaves(s_.context(), "transfer", s_.halo().partition(), [&](int leaf) {
    std::copy_n(from.at(leaf), s_.fields().size() * mesh::cells, s_.u().at(leaf));
  });
  if (!transferred->light.empty()) s_.light() = transferred->light;
}

cores& cores_of(const simulation& s) {
  auto* const found = dynamic_cast<cores*>(&s.stepper());
  EXPECT(found != nullptr);
  return *found;
}

std::unique_ptr<stepper> stepper_on_cores(simulation& s, std::unique_ptr<transferred_fields> from) {
  return std::make_unique<cores>(s, from.get());
}

}  // namespace rednova::step
