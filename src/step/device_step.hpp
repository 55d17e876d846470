// A device as the execution space of a step: the state of a rank's leaves stays in its memory, and each loop over a
// batch is a launch. Two batches: leaves whose ghost layers need no halo copies of other ranks' blocks, and those that
// do, so that messages travel while the first are updated. Space: a CUDA device (cuda/device.cu), or the processor in
// tests.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "exchange/device_ghosts.hpp"
#include "exchange/device_halo_exchange.hpp"
#include "exchange/flux_exchange.hpp"
#include "exec/scheduler.hpp"
#include "regrid/device_criteria.hpp"
#include "step/device.hpp"
#include "step/device_fields.hpp"
#include "step/device_gravity.hpp"
#include "step/device_memory.hpp"
#include "step/device_radiation.hpp"
#include "step/device_state.hpp"
#include "step/ledger_buffers.hpp"
#include "step/particle_cells.hpp"
#include "step/positivity.hpp"
#include "step/stage.hpp"
#include "step/stepper.hpp"
#include "step/workspace.hpp"

namespace rednova::step {

/// The host's scope of what it launches on a device outside of a list of tasks: of a trace a task.
inline exec::profile::task_scope launches_of(const simulation& s) {
  exec::profile& times = s.context().times();
  const std::uint32_t around = times.running();
  return {times, around != 0 ? around : times.last_task(), -1, exec::phases::launching};
}

/// A rank's steps. Space: one of gravity/device_solve.hpp with
///   interactions(par, tree, operators): the kernels of a solve;
///   block_update: made of (config::hydro, mesh::fields, eos), with scratch(), operator()(where, blocks, in, out,
///     scratch) and largest_signal_rate(where, blocks, in, rotation), as hydro/cuda/block_update.hpp;
///   enter(phase), collect(profile): as exec/cuda/phase_clock.hpp.
template <class Space>
class device_step final : public stepper {
 public:
  /// together: leaves that are updated with one launch; free_memory: bytes of the device that are left for this rank,
  /// asked by all ranks together; from: null, or what another of these has left.
  device_step(const Space& space, simulation& s, int together, const std::function<double()>& free_memory,
              std::unique_ptr<transferred_fields> from)
      : space_(space),
        free_memory_(free_memory),
        s_(s),
        work_(s, workspace::holds::plans),
        tables_(s, work_, inner_and_outer(s)),
        on_(space, s, tables_, together),
        view_(on_.view(s, tables_, 0)),
        tree_(view_.tree),
        ghosts_(space, tree_, s.fields(), s.par().mesh.boundaries),
        halo_(space, s.halo(), s.tree(), tree_, s.fields()),
        update_(s.par().hydro, s.fields(), s.eos()),
        scratch_(static_cast<std::size_t>(on_.together) * static_cast<std::size_t>(update_.scratch())),
        tasks_(s.context(), exec::scheduler::mode::serial, exec::phases::launching) {
    if (s.par().gravity.enabled) gravity_.emplace(space, s);
    if (s.context().ranks() != nullptr) connect();
    if (from) {
      take_fields(*from);
    } else {
      copies_[0].pin(space, s.u());
      space_.upload(on_.state[0].data(), std::span<const double>(s.u().data(), on_.state[0].size()));
    }
    if (s.par().radiation.enabled) {
      light_.emplace(
          space, s, work_.faces,
          typename radiation::device_light<Space>::surroundings{tree_, on_.every_leaf.data(), view_.faces, &ghosts_,
                                                                &halo_, on_.together, on_.ghosted.data()});
      look();
    }
  }

  void derive() override {
    if (gravity_) run(solve_gravity(*this, all()));
    const auto at = launches();
    take_pulls();
    find_all_gas();
    fetched_ = false;
  }
  double signal_rate() override {
    const auto at = launches();
    space_.enter("time step");
    return update_.largest_signal_rate(space_, on_.leaves, on_.signals[parity()].data(), s_.rotation());
  }
  void finish_and_update(const stage_now* before, const stage_now* now) override {
    fetched_ = false;
    if (before != nullptr) {
      run(finish_stage(*this, *before, all()));
      not_in_ledger_.push_back(*before);
      if (before->last) {
        const auto at = launches();
        take_pulls();
        add_to_ledger();
      }
    }
    if (now == nullptr) return;
    send_ghosts(before != nullptr);
    for (exec::event* e : {&ghosts_ready_, &fine_fluxes_ready_}) e->reset();
    fluxes_made_.reset(2);
    std::vector<exec::task> tasks;
    tasks.push_back(update(*this, *now, batch_of(0)));
    tasks.push_back(receive_ghosts());
    tasks.push_back(update(*this, *now, batch_of(1)));
    tasks.push_back(exchange_fine_fluxes());
    tasks_.run(std::move(tasks));
    const auto at = launches();
    invalid_ = exec::on_host(space_, on_.invalid);
  }
  void keep_positive(const stage_now& now) override;  // device_repeat.hpp
  void swap_states() override {
    now_ = 1 - now_;
    look();
  }
  void light_up(double dt) override {
    const auto at = launches();
    space_.enter("radiation");
    light_->begin(view_, dt);
    find_all_gas();
  }
  void radiate(double dt, double uncut, double ends) override {
    const auto at = launches();
    space_.enter("radiation");
    light_->advance(view_, dt, uncut, ends, work_.sums);
  }
  const double* radiated(int leaf) const override { return light_->left(leaf).data(); }
  void complete() override;

  void sum() override {
    const auto at = launches();
    sum_leaves(*this, all());
    take_sums();
    if (light_) light_->bring();
    space_.collect(s_.context().times());
  }
  void sum_motions() override {
    const auto at = launches();
    step::sum_motions(*this, all());
    take_sums();
  }
  void drive(const star_velocities& by) override {
    const auto at = launches();
    step::drive(*this, all(), by);
    take_sums();
  }
  const core::compensated* sums(int leaf) const override { return of_leaf(sums_, leaf); }
  const core::compensated* pulls(int leaf) const override { return of_leaf(pulls_, leaf); }
  std::vector<core::vec3d> velocities(const std::vector<gas_place>& places) override;
  std::vector<int> refinement_flags(const regrid::criteria& by) override {
    const auto at = launches();
    space_.enter("refinement criteria");
    halo_.fetch_ghosts(view_.u);
    halo_.fetch_parents(view_.u);
    std::optional<regrid::photosphere> by_opacity;
    if (by.by_opacity() != nullptr) by_opacity = by.by_opacity()->with(light_->on_device());
    auto flags = regrid::device_criteria(space_, by, s_.tree(), s_.halo().partition(), s_.fields(), view_.eos, ghosts_,
                                         by_opacity)
                     .flags(view_.u, view_.gravity);
    space_.collect(s_.context().times());  // what follows is the host's
    return flags;
  }
  std::unique_ptr<transferred_fields> transfer(const tree_change& to) override;
  /// All leaves alike but for their substeps of light: a launch has no time for one of them.
  double cost(int node) const override {
    if (node < s_.tree().leaves()) return 1 + (light_ ? light_->cost(node) : 0);
    return s_.par().gravity.enabled ? refined_node_cost : 0;
  }
  void fetch() override;
  /// The lists of updates have it.
  void rotation_changed() override {
    const auto at = launches();
    on_.list_updates(space_, s_, tables_);
    look();
  }
  step_ledger& additions() override { return work_.sums; }
  double device_bytes() const override {
    return on_.bytes() + 8.0 * static_cast<double>(scratch_.size()) +
           (gravity_ ? static_cast<double>(gravity_->all.bytes()) : 0.0) + (light_ ? light_->bytes() : 0.0);
  }

  // What stage.hpp asks of an execution space.
  const state_view& view() const { return view_; }
  /// A phase lasts until the next one on a device's clock.
  struct begun {
    ~begun() {}
  };
  begun phase(const char* name) const { return space_.enter(name), begun(); }
  template <class Functor>
  void for_cells(const batch& b, const Functor& functor) const {
    space_.for_each(b.count * mesh::cells, launched_cells<Functor>{functor, b.leaves});
  }
  template <class Functor>
  void for_items(const batch& b, int numbers, const Functor& functor) const {
    space_.for_each(b.count * numbers, launched_items<Functor>{functor, b.leaves, numbers});
  }
  template <class Functor>
  void for_boundary(const batch& b, int numbers, const Functor& functor) const {
    space_.for_each(b.boundary_count * numbers, launched_from<Functor>{functor, b.first_boundary * numbers});
  }
  template <class Body>
  void in_parts(const batch& b, const Body& body) const {
    for (int i = 0; i < b.count; i += on_.together) body(b.part(i, std::min(on_.together, b.count - i)));
  }
  template <class Body>
  void in_coarse_parts(const batch& b, const Body& body) const {
    for (int i = 0; i < b.beside_finer_count; i += on_.together)
      body(b.coarse_part(i, std::min(on_.together, b.beside_finer_count - i)));
  }
  std::uint8_t* flags(const batch&) { return on_.flags.data(); }
  double* floor_rows(const batch&) { return on_.floor_rows.data(); }
  const boundary_face* boundary_faces() const { return on_.boundary.data(); }
  ledger_buffers<Space>& for_ledger() { return on_.for_ledger; }
  std::uint8_t* invalid() { return on_.invalid.data(); }
  double* ghosted() { return on_.ghosted.data(); }
  const star_species& star_gas() const { return s_.star_gas(); }
  const point_masses& points() const { return s_.points(); }
  const point_masses& points_before() const { return s_.points_before(); }
  double* rate() { return on_.rate.data(); }
  /// The ghosted fields, which nobody reads meanwhile, have room for one of them.
  double* around() { return repeating_ != nullptr ? around_.data() : on_.ghosted.data(); }
  std::uint8_t* first_order() { return first_order_.data(); }
  void gather(const batch& part) {
    ghosts_.gather(view_.u, part.leaves, part.count, s_.rotation(), on_.ghosted.data());
  }
  void gather_scalar(const mesh::block_view<const double>& u, int field, const batch& part) {
    ghosts_.gather_scalar(u, field, part.leaves, part.count, around());
  }
  void update_rows(const batch& part, int stage, const hydro::stage_spin_exchange& exchange, bool) {
    const update_list& list = repeating_ != nullptr ? *repeating_ : on_.updates[static_cast<std::size_t>(part.number)];
    update_(space_, part.count, list.in.data() + part.first,
            list.out[static_cast<std::size_t>(stage % 2)].data() + part.first, exchange, scratch_.data());
  }
  exec::task solve(batch) {
    space_.enter("gravity solve");
    gravity_->all.solve(view_.work_inputs.values, work_input_fields * mesh::cells, view_.gravity.values);
    co_return;
  }
  exec::all ghosts(const batch& b) { return b.number == 0 ? exec::all() : exec::all(ghosts_ready_); }
  exec::all refluxing(const batch&) { return exec::all(fine_fluxes_ready_); }
  exec::all potentials(const batch&) {
    behind_faces_.exchange(view_.work_inputs.values);
    return exec::all();
  }
  void fluxes_made(const batch&) { fluxes_made_.arrive(); }

 private:
  template <class T>
  using array = typename Space::template array<T>;
  using update_list = typename device_state<Space>::update_list;

  /// What the host launches while this lives is one task of a trace, but for what tasks of a list launch.
  exec::profile::task_scope launches() const { return launches_of(s_); }

  static std::vector<std::vector<int>> inner_and_outer(const simulation& s) {
    std::vector<std::vector<int>> lists(2);
    for (int leaf = s.own_leaves()[0]; leaf < s.own_leaves()[1]; ++leaf)
      lists[s.halo().halo_of(leaf).empty() ? 0 : 1].push_back(leaf);
    return lists;
  }
  std::size_t parity() const { return static_cast<std::size_t>(now_); }
  batch batch_of(int number) const { return tables_.at(number, on_.every_leaf.data(), on_.beside_finer.data()); }
  batch all() const { return tables_.all(on_.every_leaf.data(), on_.beside_finer.data()); }
  const core::compensated* of_leaf(const std::vector<core::compensated>& all, int leaf) const {
    return &all[static_cast<std::size_t>(leaf - s_.own_leaves()[0]) * all.size() /
                static_cast<std::size_t>(on_.leaves)];
  }
  void look() {
    view_ = on_.view(s_, tables_, now_);
    if (light_) view_.stiffness = light_->stiffness();
  }
  /// What is kept of the gas at the end of a step, in refined nodes, too.
  void find_all_gas() {
    if (light_) {
      space_.enter("radiation");
      light_->find_stiffness(view_);
    }
    find_gas(*this, all(), true);
    halo_.restrict_all(view_.u);
  }
  void take_sums() { sums_ = exec::on_host(space_, on_.for_ledger.all_leaf_sums()); }
  void take_pulls() {
    if (points().count > 0) pulls_ = exec::on_host(space_, on_.for_ledger.all_pulls());
  }
  /// A task that waits for nothing but the device.
  void run(exec::task t) {
    std::vector<exec::task> one;
    one.push_back(std::move(t));
    tasks_.run(std::move(one));
  }
  void send_ghosts(bool of_new_leaves) {
    const auto at = launches();
    space_.enter("ghosts");
    if (of_new_leaves) halo_.restrict_all(view_.u);
    halo_.send_ghosts(view_.u);
  }
  /// Messages travel while the inner leaves are updated.
  exec::task receive_ghosts() {
    space_.enter("ghosts");
    halo_.receive_ghosts(view_.u);
    ghosts_ready_.arrive();
    co_return;
  }
  exec::task exchange_fine_fluxes() {
    co_await fluxes_made_;
    space_.enter("flux correction");
    fine_fluxes_.exchange(on_.registers.data());
    fine_fluxes_ready_.arrive();
  }

  void connect();
  void take_fields(transferred_fields& given);
  /// What the step adds to the ledger: once a step, for the host waits for it.
  void add_to_ledger();
  void update_again(const stage_now& now, const std::vector<std::uint8_t>& which,
                    const mesh::block_view<const double>& troubled);

  Space space_;
  std::function<double()> free_memory_;
  simulation& s_;
  workspace work_;
  stage_tables tables_;
  device_state<Space> on_;
  state_view view_;  // of the state before the stage that is under way
  mesh::tree_view tree_;
  exchange::device_ghosts<Space> ghosts_;
  exchange::device_halo_exchange<Space> halo_;
  exchange::device_block_exchange<Space> fine_fluxes_, behind_faces_;
  typename Space::block_update update_;
  array<double> scratch_;
  host_copies<Space> copies_;
  std::optional<device_gravity<Space>> gravity_;
  std::optional<device_radiation<Space>> light_;
  std::vector<core::compensated> sums_;   // [leaf][numbers_of_sums]
  std::vector<core::compensated> pulls_;  // [leaf][numbers_of_pulls]
  std::vector<std::uint8_t> invalid_;     // [leaf]: the stage made invalid cells
  std::vector<stage_now> not_in_ledger_;  // stages of the step that the ledger does not know yet
  exec::scheduler tasks_;
  exec::event ghosts_ready_, fluxes_made_, fine_fluxes_ready_;
  const update_list* repeating_ = nullptr;  // leaves that are updated anew, with first-order fluxes in places
  array<double> around_;                    // of these: troubled cells with ghost layers
  array<std::uint8_t> first_order_;
  int now_ = 0;  // which state is u
  bool fetched_ = false;
};

template <class Space>
std::unique_ptr<stepper> make_device_step(const Space& space, simulation& s, int together,
                                          const std::function<double()>& free_memory,
                                          std::unique_ptr<transferred_fields> from) {
  const auto at = launches_of(s);
  return std::make_unique<device_step<Space>>(space, s, together, free_memory, std::move(from));
}

template <class Space>
void device_step<Space>::connect() {
  const auto stride = static_cast<std::ptrdiff_t>(tables_.register_fields()) * mesh::N * mesh::N;
  fine_fluxes_ = {space_, work_.refluxing, [&](int key) { return exchange::slot_of(work_.faces, key) * stride; }};
  if (!s_.par().gravity.enabled) return;
  behind_faces_ = {space_, work_.behind_faces, [&](int node) {
                     return static_cast<std::ptrdiff_t>(work_.work_input_places[node]) * work_input_fields *
                            mesh::cells;
                   }};
}

template <class Space>
void device_step<Space>::add_to_ledger() {
  on_.for_ledger.enter(not_in_ledger_, ledger_entries(tables_, s_.now().turn, work_.sums),
                       [this](const auto& values) { return exec::on_host(space_, values); });
  not_in_ledger_.clear();
}

template <class Space>
void device_step<Space>::complete() {
  const auto at = launches();
  space_.enter("dual energy");
  halo_.restrict_scalar(view_.u, s_.fields().energy());
  halo_.fetch_scalar(view_.u, s_.fields().energy());
  synchronise(*this, all());
  if (light_) {
    find_all_gas();
  } else {
    halo_.restrict_all(view_.u);
  }
}

}  // namespace rednova::step

#include "step/device_repeat.hpp"
#include "step/device_step_fields.hpp"
