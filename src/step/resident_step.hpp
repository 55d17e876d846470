// The phases of a step where the numbers stay: a launch over many leaves for each loop of the processor's, with the
// same formulas. Place says where they run: a CUDA device (cuda/device.cu), or the processor in tests.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "exchange/resident_ghosts.hpp"
#include "exchange/resident_links.hpp"
#include "regrid/resident_criteria.hpp"
#include "step/bad_cells.hpp"
#include "step/correct_cells.hpp"
#include "step/device.hpp"
#include "step/device_room.hpp"
#include "step/engine.hpp"
#include "step/floor_leaves.hpp"
#include "step/resident_books.hpp"
#include "step/resident_fields.hpp"
#include "step/resident_gravity.hpp"
#include "step/resident_stars.hpp"
#include "step/resident_state.hpp"
#include "step/stage.hpp"
#include "step/tracer_cells.hpp"
#include "step/work_cells.hpp"
#include "step/workspace.hpp"

namespace rednova::step {

/// A rank's steps. Place: one of gravity/device_solve.hpp with
///   interactions(par, tree, operators): the kernels of a solve;
///   block_update: made of (config::hydro, mesh::fields, eos), with scratch(), operator()(where, blocks, in, out,
///     scratch) and largest_signal_rate(where, blocks, in, rotation), as hydro/cuda/block_update.hpp;
///   sum_blocks(fields, blocks, in): as step/cuda/sums.hpp;
///   enter(phase), collect(profile): as exec/cuda/phase_clock.hpp.
template <class Place>
class resident_step final : public engine {
 public:
  /// together: leaves that are updated with one launch; free_memory: bytes that the place has left for this rank,
  /// asked by all ranks together.
  resident_step(
      const Place& where, simulation& s, int together = leaves_at_once,
      const std::function<double()>& free_memory = [] { return std::numeric_limits<double>::infinity(); })
      : where_(where),
        free_memory_(free_memory),
        s_(s),
        work_(use_workspace(s)),
        tables_(s),
        on_(where, tables_, together),
        tree_(on_.view(tables_, 0).tree),
        ghosts_(where, tree_, s.fields, s.par.mesh.boundaries),
        links_(where, *s.links, s.tree, tree_, s.fields),
        update_(s.par.hydro, s.fields, s.eos),
        scratch_(static_cast<std::size_t>(on_.together) * static_cast<std::size_t>(update_.scratch())),
        flags_(static_cast<std::size_t>(on_.leaves) * mesh::cells),
        bad_leaves_(static_cast<std::size_t>(on_.leaves)),
        stars_(on_.leaves, s.fields.species(), s.star_gas) {
    if (s.par.gravity.enabled) gravity_.emplace(where, s);
    if (s.where->ranks() != nullptr) connect();
    if (s.carried) {
      take_fields();
    } else {
      copies_[0].pin(where, s.u);
      where_.upload(on_.state[0].data(), std::span<const double>(s.u.data(), on_.state[0].size()));
    }
  }

  void derive() override {
    enter("device gravity");
    if (gravity_) solve();
    links_.restrict_all(view().u);
    fetched_ = false;
  }
  double signal_rate() override {
    enter("device time step");
    return update_.largest_signal_rate(where_, on_.leaves, on_.signals[parity()].data(), s_.rotation);
  }
  void between(const stage_now* before, const stage_now* now) override {
    fetched_ = false;
    if (before != nullptr) settle(*before);
    if (now == nullptr) return;
    enter("device ghosts");
    if (before != nullptr) links_.restrict_all(view().u);
    links_.send_ghosts(view().u);
    update(*now);
  }
  void keep_positive(const stage_now& now) override;
  void take_over() override { now_ = 1 - now_; }
  void complete() override;

  void begin_sums() override {
    enter("device sums");
    const summed_block* const in = on_.summed[parity()].data();
    sums_ = where_.sum_blocks(s_.fields, on_.leaves, in);
    stars_.sum(where_, in);
    where_.collect(s_.where->times());
  }
  void sum(int leaf, core::compensated* to) const override {
    const auto width = 2 * static_cast<std::ptrdiff_t>(s_.fields.species() + vector_and_energy);
    std::copy_n(sums_.begin() + width * (leaf - s_.own_leaves()[0]), width, to);
  }
  void sum_stars(int leaf, double* to) const override { stars_.give(leaf - s_.own_leaves()[0], to); }
  std::vector<int> wishes(const regrid::criteria& by) override {
    enter("device criteria");
    links_.fetch_ghosts(view().u);
    links_.fetch_parents(view().u);
    auto wish =
        regrid::resident_criteria(where_, by, s_.tree, s_.links->share(), s_.fields, s_.eos, ghosts_).wishes(view().u);
    where_.collect(s_.where->times());  // what follows is the host's
    return wish;
  }
  std::unique_ptr<carried_fields> carry(const tree_change& to) override;
  /// All leaves alike: a launch has no time for one of them.
  double cost(int node) const override {
    if (node < s_.tree.leaves()) return 1;
    return s_.par.gravity.enabled ? refined_node_cost : 0;
  }
  void fetch() override;
  double device_bytes() const override {
    return on_.bytes() + 8.0 * static_cast<double>(scratch_.size()) + static_cast<double>(flags_.size()) +
           stars_.bytes() + (gravity_ ? static_cast<double>(gravity_->all.bytes()) : 0.0);
  }

 private:
  template <class T>
  using array = typename Place::template array<T>;

  using update_list = typename resident_state<Place>::update_list;

  static workspace& use_workspace(simulation& s) {
    s.work = std::make_unique<workspace>(s, workspace::holds::plans);
    return *s.work;
  }
  std::size_t parity() const { return static_cast<std::size_t>(now_); }
  state_view view() { return on_.view(tables_, now_); }
  const int* leaves() const { return on_.every_leaf.data(); }
  int cells() const { return on_.leaves * mesh::cells; }
  int rows() const { return on_.leaves * rows_of_leaf; }
  /// Where the numbers of a stage begin in an array of all stages.
  template <class Array>
  auto* of_stage(Array& all, int stage) const {
    return all.data() + all.size() / static_cast<std::size_t>(tables_.stages) * static_cast<std::size_t>(stage);
  }
  void enter(const char* phase) { where_.enter(phase); }
  template <class T>
  std::vector<T> host(const array<T>& values) const {
    std::vector<T> copy(values.size());
    where_.download(values.data(), std::span<T>(copy));
    return copy;
  }

  void connect();
  void take_fields();
  void solve();
  void settle(const stage_now& now);
  /// Adds up what floors did to rows of cells, to[leaf][number].
  void add_floor_rows(int numbers, double* to) {
    where_.for_each(on_.leaves * numbers, add_rows{flags_.data(), on_.floor_rows.data(), numbers, to});
  }
  /// What the step adds to the books: once a step, for the host waits for it.
  void book();
  void update(const stage_now& now);
  /// before(list, count): what is done between the ghost layers and the update of leaves.
  void update_leaves(const stage_now& now, const update_list& which,
                     const std::function<void(const int* list, int count)>& before = nullptr);
  /// What follows the updates of leaves: finer faces' fluxes for coarser leaves, and what left the domain.
  void settle_fluxes(const stage_now& now, const array<int>& beside_finer);
  std::vector<char> find_bad(double dt, const mesh::block_view<double>& marks);
  void update_again(const stage_now& now, const std::vector<char>& which, const mesh::block_view<double>& troubled);
  /// Calls body(first, count) for so many at a time as are updated together.
  template <class Body>
  void for_batches(int count, const Body& body) const {
    for (int first = 0; first < count; first += on_.together) body(first, std::min(on_.together, count - first));
  }

  Place where_;
  std::function<double()> free_memory_;
  simulation& s_;
  workspace& work_;
  resident_tables tables_;
  resident_state<Place> on_;
  mesh::tree_view tree_;
  exchange::resident_ghosts<Place> ghosts_;
  exchange::resident_links<Place> links_;
  exchange::resident_images<Place> fine_fluxes_, behind_faces_;
  typename Place::block_update update_;
  array<double> scratch_;
  array<std::uint8_t> flags_;       // [leaf][cell]
  array<std::uint8_t> bad_leaves_;  // [leaf]
  resident_stars<Place> stars_;
  host_copies<Place> copies_;
  std::optional<resident_gravity<Place>> gravity_;
  std::vector<core::compensated> sums_;  // [leaf]
  std::vector<char> bad_;                // [leaf]: the stage made bad cells
  std::vector<stage_now> settled_;       // stages of the step that are to be booked
  int now_ = 0;                          // which state is u
  bool fetched_ = false;
};

template <class Place>
void resident_step<Place>::connect() {
  const auto stride = static_cast<std::ptrdiff_t>(tables_.register_fields()) * mesh::N * mesh::N;
  fine_fluxes_ = {where_, work_.fine_fluxes,
                  [&](int key) { return work_.faces.slot(key / mesh::faces, key % mesh::faces) * stride; }};
  if (!s_.par.gravity.enabled) return;
  behind_faces_ = {where_, work_.behind_faces, [&](int node) {
                     return static_cast<std::ptrdiff_t>(work_.weighed_places[node]) * weighed_fields * mesh::cells;
                   }};
}

template <class Place>
void resident_step<Place>::solve() {
  const state_view v = view();
  where_.for_each(cells(), density_cells{v, leaves()});
  gravity_->all.solve(v.weighed.values, weighed_fields * mesh::cells, v.gravity.values);
  where_.for_each(cells(), acceleration_cells{v, leaves()});
}

template <class Place>
void resident_step<Place>::settle(const stage_now& now) {
  const state_view v = view();
  settled_.push_back(now);
  enter("device floors");
  where_.for_each(cells(), weigh_floor_density{now.form, now.number, on_.floor_density.data()});
  where_.for_each(cells(), limit_cells{v, leaves(), flags_.data()});
  where_.for_each(rows(), raise_densities{v, leaves(), flags_.data(), on_.floor_density.data(), on_.floor_rows.data()});
  add_floor_rows(s_.fields.species(), of_stage(on_.floor_masses, now.number));
  if (gravity_) {
    enter("device gravity");
    solve();
    enter("device gravity work");
    where_.for_each(cells(), mean_potential_cells{v, leaves()});
    behind_faces_.exchange(v.weighed.values);
    where_.for_each(cells(), work_cells{v, now.dt, now.number, leaves()});
  }
  enter("device floors");
  where_.for_each(cells(), limit_cells{v, leaves(), flags_.data()});
  where_.for_each(rows(), raise_energies{v, leaves(), flags_.data(), on_.floor_rows.data()});
  add_floor_rows(1, of_stage(on_.floor_energy, now.number));
  if (now.last) book();
}

template <class Place>
void resident_step<Place>::book() {
  if (gravity_) {
    where_.for_each(on_.leaves, potential_books{view(), settled_.back().dt, settled_.back().number, leaves(),
                                                on_.floor_density.data(), on_.potential_of_flow.data(),
                                                on_.potential_of_floors.data()});
  }
  const std::vector<double> outflow = host(on_.boundary_sums), masses = host(on_.floor_masses),
                            energy = host(on_.floor_energy);
  const step_books to(tables_, s_.rotation, work_.sums);
  for (const stage_now& stage : settled_) {
    to.outflow(stage, of_stage(outflow, stage.number));
    to.floors(stage, of_stage(masses, stage.number), of_stage(energy, stage.number));
  }
  if (gravity_) to.potential(host(on_.potential_of_flow), host(on_.potential_of_floors));
  settled_.clear();
}

template <class Place>
void resident_step<Place>::update(const stage_now& now) {
  if (now.number == 0) where_.for_each(cells(), start_cells{view(), leaves()});
  // Messages travel while the inner leaves are updated.
  update_leaves(now, on_.updates[0]);
  enter("device ghosts");
  links_.receive_ghosts(view().u);
  update_leaves(now, on_.updates[1]);
  settle_fluxes(now, on_.beside_finer);
  enter("device positivity");
  bad_ = find_bad(now.dt, {});
}

template <class Place>
void resident_step<Place>::update_leaves(const stage_now& now, const update_list& which,
                                         const std::function<void(const int*, int)>& before) {
  const state_view v = view();
  const stage_turns turns(s_.rotation, now.form, now.dt);
  for_batches(which.count, [&](int first, int count) {
    const int* const list = which.leaves.data() + first;
    enter("device ghosts");
    ghosts_.gather(v.u, list, count, s_.rotation, on_.ghosted.data());
    if (before) before(list, count);
    enter("device hydro");
    update_(where_, count, which.in.data() + first, which.out[static_cast<std::size_t>(now.number % 2)].data() + first,
            exchange_of(now.form, now.dt), scratch_.data());
    enter("device sum of states");
    if (gravity_) {
      where_.for_each(count * 3 * face_values, flow_values{v, now.form, now.number, list});
      where_.for_each(count * mesh::faces * mesh::N * mesh::N, leave_flows{v, now.number, list});
    }
    where_.for_each(count * mesh::cells, finish_cells{v, now.form, turns, now.dt, list, on_.rate.data()});
  });
}

template <class Place>
void resident_step<Place>::settle_fluxes(const stage_now& now, const array<int>& beside_finer) {
  enter("device flux correction");
  fine_fluxes_.send(on_.registers.data());
  where_.for_each(tables_.boundary(), boundary_sums{view(), on_.boundary.data(), on_.boundary_flux.data(),
                                                    of_stage(on_.boundary_sums, now.number)});
  fine_fluxes_.receive(on_.registers.data());
  const turn from_here = stage_turns(s_.rotation, now.form, now.dt).from_here;
  for_batches(static_cast<int>(beside_finer.size()), [&](int first, int count) {
    where_.for_each(count * mesh::cells,
                    correct_cells{view(), now.form, from_here, now.dt, beside_finer.data() + first, on_.rate.data()});
  });
}

template <class Place>
std::vector<char> resident_step<Place>::find_bad(double dt, const mesh::block_view<double>& marks) {
  where_.for_each(cells(), bad_cells{view(), dt, leaves(), marks, flags_.data()});
  where_.for_each(on_.leaves, bad_leaves{leaves(), flags_.data(), marks, bad_leaves_.data()});
  const std::vector<std::uint8_t> found = host(bad_leaves_);
  return {found.begin(), found.end()};
}

template <class Place>
void resident_step<Place>::keep_positive(const stage_now& now) {
  if (!any_marked(s_, bad_)) return;
  array<double> marks(static_cast<std::size_t>(s_.links->nodes().count()) * mesh::cells);
  where_.for_each(s_.links->nodes().count() * mesh::cells, no_marks{marks.data()});
  mesh::block_view<double> troubled = view().u;
  troubled.values = marks.data();
  troubled.fields = 1;
  repeat_while_bad(
      s_, bad_, [&] { return find_bad(now.dt, troubled); },
      [&](const std::vector<char>& which) {
        links_.restrict_scalar(troubled, 0);
        links_.fetch_scalar(troubled, 0);
        update_again(now, which, troubled);
      });
}

template <class Place>
void resident_step<Place>::update_again(const stage_now& now, const std::vector<char>& which,
                                        const mesh::block_view<double>& troubled) {
  std::vector<int> list, coarse;
  for (const int leaf : tables_.leaves) {
    if (which[static_cast<std::size_t>(leaf)] == 0) continue;
    list.push_back(leaf);
    if (work_.faces.finer(leaf) != 0) coarse.push_back(leaf);
  }
  array<double> around(static_cast<std::size_t>(on_.together) * mesh::ghosted_cells);
  array<std::uint8_t> first_order(around.size());
  update_leaves(now, on_.update(where_, tables_, list, first_order.data()), [&](const int* there, int n) {
    ghosts_.gather_scalar(troubled, 0, there, n, around.data());
    where_.for_each(n * mesh::ghosted_cells, first_order_cells{around.data(), first_order.data()});
  });
  settle_fluxes(now, where_.copy_of(coarse));
}

template <class Place>
void resident_step<Place>::complete() {
  enter("device dual energy");
  const state_view v = view();
  links_.restrict_scalar(v.u, s_.fields.energy());
  links_.fetch_scalar(v.u, s_.fields.energy());
  for_batches(on_.leaves, [&](int first, int count) {
    ghosts_.gather_scalar(v.u, s_.fields.energy(), leaves() + first, count, on_.ghosted.data());
    where_.for_each(count * mesh::cells, tracer_cells{v, leaves() + first, on_.ghosted.data()});
  });
  links_.restrict_all(v.u);
}

template <class Place>
void resident_step<Place>::fetch() {
  if (fetched_) return;
  copies_[0].bring(where_, on_.state[parity()], s_.u, s_.links->nodes(), s_.fields.size());
  if (gravity_) {
    const mesh::slots leaves = mesh::slots::of_leaves(s_.links->share());
    copies_[1].bring(where_, on_.gravity, s_.gravity, leaves, gravity::result_fields);
  }
  fetched_ = true;
}

template <class Place>
std::unique_ptr<carried_fields> resident_step<Place>::carry(const tree_change& to) {
  expect_room_for_change(s_, to, free_memory_(), device_bytes());
  auto fields = carry_fields(where_, s_, tree_, mesh::block_view<const double>(view().u), to);
  fields->copies = std::move(copies_);
  return fields;
}

/// Own leaves stand first.
template <class Place>
void resident_step<Place>::take_fields() {
  auto* const carried = dynamic_cast<carried_in_place<Place>*>(s_.carried.get());
  EXPECT(carried != nullptr);  // else an engine of another kind has left them
  exec::copy_within(where_, carried->leaves.data(), on_.state[0].data(), carried->leaves.size());
  copies_ = std::move(carried->copies);
  s_.carried.reset();
}

}  // namespace rednova::step
