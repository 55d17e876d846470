// Light in the steps of a simulation on a device: radiation_phase.hpp, launch by launch. It stays in the device's
// memory, and comes to the host for sums, files and the next mesh.
#pragma once

#include <span>
#include <vector>

#include "radiation/device_light.hpp"
#include "radiation/opacity_table.hpp"
#include "regrid/migrate.hpp"
#include "regrid/transfer_light.hpp"
#include "step/device_fields.hpp"
#include "step/light_books.hpp"
#include "step/radiation_cells.hpp"
#include "step/stepper.hpp"
#include "step/view.hpp"

namespace rednova::step {

template <class Space>
class device_radiation {
 public:
  /// A simulation's light, which the host has. It and what is in `at` outlive this object.
  device_radiation(const Space& space, simulation& s, const exchange::face_plan& faces,
                   const typename radiation::device_light<Space>::surroundings& at)
      : space_(space),
        s_(s),
        leaves_(at.leaves),
        by_(radiation::scheme_of(s.par())),
        substeps_(space, s.context(), s.tree(), faces, s.halo(), s.fields(), s.par().mesh.boundaries, by_,
                  tables(s.par().radiation.tables), tables(s.par().radiation.planck_tables), at),
        light_(numbers(radiation::field::count * mesh::cells)),
        stiffness_(numbers(mesh::cells)),
        rows_(numbers(rows_of_turn * numbers_of_turn)),
        lost_(numbers(numbers_of_turn)),
        books_(s) {
    upload();
  }

  /// As radiation_phase's. v: the state, with u that light changes.
  void begin(const state_view& v, double dt) {
    launch(mesh::cells, light_up_cells{gas_and_light(v), s_.par().radiation.temperature, s_.light_shares_pressure()});
    substeps_.begin(v.u, light(), rules(v), dt);
    on_host_ = false;
  }
  void advance(const state_view& v, double dt, double uncut, double ends, step_ledger& to) {
    if (s_.rotation() != 0) {
      launch(rows_of_turn, turn_rows{gas_and_light(v), frame_rotation::of_frame(s_.rotation(), dt), rows_.data()});
      launch(numbers_of_turn, add_turned_rows{rows_.data(), lost_.data(), s_.own_leaves()[0]});
      std::vector<double> lost(lost_.size());
      space_.download(lost_.data(), std::span<double>(lost));
      for (int leaf = s_.own_leaves()[0]; leaf < s_.own_leaves()[1]; ++leaf)
        books_.book_turn(lost.data() + (leaf - s_.own_leaves()[0]) * numbers_of_turn, leaf, ends, to);
    }
    substeps_.advance(v.u, light(), rules(v), dt, uncut);
    on_host_ = false;
    for (int leaf = s_.own_leaves()[0]; leaf < s_.own_leaves()[1]; ++leaf) books_.book(substeps_, leaf, ends, to);
  }
  void find_stiffness(const state_view& v) { launch(mesh::cells, stiffness_cells{gas_and_light(v), stiffness()}); }
  mesh::block_view<double> stiffness() { return on_leaves(stiffness_, 1); }
  const std::array<double, radiation::outflow_numbers>& left(int leaf) const { return books_.left(leaf); }

  /// What light goes by, with tables in the space's memory.
  radiation::scheme on_device() const { return substeps_.on_device(); }

  /// simulation::light() as it is here;
  void bring() {
    if (on_host_) return;
    copy_.pin(space_, s_.light());
    space_.download(light_.data(), std::span<double>(s_.light().data(), light_.size()));
    on_host_ = true;
  }
  /// and this as that is.
  void upload() {
    copy_.pin(space_, s_.light());
    space_.upload(light_.data(), std::span<const double>(s_.light().data(), light_.size()));
    on_host_ = true;
  }
  /// What a leaf costs of what it costs without light: a substep is a sixteenth, as on cores.
  double cost(int leaf) const { return substeps_.substeps(leaf) / 16.0; }
  /// Own leaves' light on the next tree, by way of the host.
  mesh::block_data transferred(const tree_change& to) {
    bring();
    mesh::block_data next = regrid::transfer_light(s_.context(), s_.tree(), *to.next, s_.halo(), s_.reach(),
                                                   to.before_migration, s_.light(), by_.k.speed, s_.par().hydro.spin);
    if (!to.after_migration) return next;
    regrid::migration_counts counted_already;
    return regrid::migrate(s_.context(), to.moves, to.before_migration, *to.after_migration, next, counted_already);
  }
  double bytes() const {
    const std::size_t doubles = light_.size() + stiffness_.size() + rows_.size() + lost_.size();
    return substeps_.bytes() + static_cast<double>(doubles * sizeof(double));
  }

 private:
  template <class T>
  using array = typename Space::template array<T>;

  std::size_t numbers(int each) const {
    return static_cast<std::size_t>(s_.halo().partition().leaf_count()) * static_cast<std::size_t>(each);
  }
  std::span<const double> tables(const std::vector<std::string>& paths) const {
    if (paths.empty()) return {};
    return radiation::opacity_tables::of(paths, by_.opacities.mix.metals).numbers();
  }
  mesh::block_view<double> on_leaves(array<double>& a, int fields) const {
    return {a.data(), nullptr, s_.own_leaves()[0], fields};
  }
  mesh::block_view<double> light() { return on_leaves(light_, radiation::field::count); }
  radiation::gas_rules rules(const state_view& v) const { return {v.eos, v.pressure_share, v.rotation, v.spin}; }
  lit_gas gas_and_light(const state_view& v) {
    return {.by = substeps_.on_device(),
            .gas = rules(v),
            .tree = v.tree,
            .fields = v.fields,
            .first_leaf = v.first_leaf,
            .u = v.u,
            .light = light()};
  }
  template <class Functor>
  void launch(int numbers, const Functor& functor) const {
    exec::for_each_of(space_, s_.halo().partition().leaf_count(), numbers, [&](int first) {
      return radiation::of_leaves<Functor>{functor, leaves_ + first, numbers};
    });
  }

  Space space_;
  simulation& s_;
  const int* leaves_;
  radiation::scheme by_;
  radiation::device_light<Space> substeps_;
  array<double> light_;        // [own leaf][field::count][cell]
  array<double> stiffness_;    // [own leaf][cell]
  array<double> rows_, lost_;  // of turns
  light_books books_;
  host_copy<Space> copy_;  // simulation::light()
  bool on_host_ = false;
};

}  // namespace rednova::step
