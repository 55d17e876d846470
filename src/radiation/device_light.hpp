// Light on a tree: the substeps of a step, for the leaves of a rank on a device: solver.hpp, launch by launch.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "exchange/device_ghosts.hpp"
#include "exchange/device_halo_exchange.hpp"
#include "exchange/device_scalars.hpp"
#include "exchange/fixed_cells.hpp"
#include "exchange/flux_exchange.hpp"
#include "exec/for_each.hpp"
#include "exec/space.hpp"
#include "radiation/light_transport_kernels.hpp"
#include "radiation/local_substeps.hpp"

namespace rednova::radiation {

/// As solver, with its bits where products are not fused with sums. Space: one of exec/space.hpp, in whose memory
/// fields and lists are. All ranks call each function in the same order.
template <class Space>
class device_light {
 public:
  template <class T>
  using array = typename Space::template array<T>;

  /// What a device_step has already: its tables, and memory that others use at other times.
  struct surroundings {
    mesh::tree_view tree;
    const int* leaves;          ///< own ones, in any order
    exchange::face_view faces;  ///< with registers of the gas
    const exchange::device_ghosts<Space>* ghosts;
    exchange::device_halo_exchange<Space>* halo;
    int together;     ///< leaves whose ghost layers are in memory at once
    double* ghosted;  ///< [together][the gas's fields][ghosted cell]
  };

  /// t, faces, halo: of this rank, as of a solver; they outlive this object. by: its tables are copied.
  device_light(const Space& space, exec::context& context, const mesh::tree& t, const exchange::face_plan& faces,
               const exchange::halo_exchange& halo, const mesh::field_numbers& fields,
               const std::array<config::boundary, mesh::faces>& boundaries, const scheme& by,
               std::span<const double> rosseland, std::span<const double> planck, const surroundings& at)
      : space_(space),
        context_(context),
        first_leaf_(halo.partition().leaves()[0]),
        count_(halo.partition().leaf_count()),
        at_(at),
        fields_(fields),
        boundaries_(boundaries),
        by_(by),
        pace_(t, halo.partition()),
        rosseland_(copied(rosseland)),
        planck_(copied(planck)),
        scalars_(space, halo, t, at.tree, exchanged::count),
        work_(of_leaves_each(halo.nodes().count(), exchanged::count)),
        start_(of_leaves_each(count_, start_fields)),
        matter_(of_leaves_each(count_, gas_fields)),
        couple_(of_leaves_each(count_, couple_fields)),
        rate_(of_leaves_each(count_, moment::count)),
        torque_(of_leaves_each(count_, 3)),
        added_(of_leaves_each(count_, moment::count)),
        around_(numbers(count_, gas_numbers * layered_cells)),
        depths_(numbers(count_, 3 * values_of_faces)),
        registers_(numbers(faces.slots(), moment::count * mesh::N * mesh::N)),
        through_(numbers(at.together, 3 * moment::count * values_of_faces)),
        outflow_rows_(numbers(at.together, rows_before_faces * outflow_numbers)),
        outflow_(numbers(count_, mesh::faces * outflow_numbers)),
        floors_(numbers(count_, outflow_numbers)),
        rows_(numbers(count_, rows_of_cells)),
        needed_(numbers(count_, 1)),
        any_added_(numbers(count_, rows_of_cells)) {
    EXPECT(fields.size() >= moment::count + 3);  // at.ghosted holds E, F and F/(cE), too
    std::vector<unsigned> fixed;
    std::vector<int> before_fixed;
    for (int leaf = first_leaf_; leaf < first_leaf_ + count_; ++leaf) {
      fixed.push_back(exchange::fixed_faces(t[leaf], boundaries));
      if (fixed.back() != 0) before_fixed.push_back(leaf);
    }
    fixed_ = space.copy_of(fixed);
    before_fixed_ = list(before_fixed);
    lists_of_pace();
    if (context.ranks() == nullptr) return;
    fluxes_of_ranks_ =
        exchange::flux_exchange(context, "fluxes of light", faces, halo.partition(), moment::count * mesh::N * mesh::N);
    fluxes_ = {space, fluxes_of_ranks_, [&faces](int key) {
                 return static_cast<std::ptrdiff_t>(exchange::slot_of(faces, key)) * moment::count * mesh::N * mesh::N;
               }};
  }

  /// u: the gas's fields of nodes; light: [field::count] of own leaves; gas: with tables in the space's memory. As
  /// solver::begin.
  void begin(const mesh::block_view<double>& u, const mesh::block_view<double>& light, const gas_rules& gas,
             double dt) {
    const light_view v = view(u, light, gas);
    look_around(v);
    for_leaves(all(), mesh::cells, begin_light_cells{v, dt / by_.substeps});
  }

  /// As solver::advance.
  void advance(const mesh::block_view<double>& u, const mesh::block_view<double>& light, const gas_rules& gas,
               double dt, double uncut) {
    EXPECT(dt <= uncut);
    const double substep = dt / by_.substeps;
    light_view v = view(u, light, gas);
    look_around(v);
    fetch(v, exchanged::extinction, exchanged::count);
    find_pace(v, uncut);
    clear(outflow_);
    clear(floors_);
    for_leaves(all(), mesh::cells, take_light_cells{v, uncut});
    for_leaves(before_fixed_, 1, take_fixed_cells{v});
    pace_.for_all(
        by_.substeps, [&](int begun) { refresh_velocities(v, begun); },
        [&](int length) { substep_of(v, length, length * substep); });
    for_leaves(all(), mesh::cells, hand_back_cells{v, dt});
    host_outflow_ = exec::on_host(space_, outflow_);
    host_floors_ = exec::on_host(space_, floors_);
  }

  /// As those of solver.
  std::span<const double, outflow_numbers> outflow(int leaf, int face) const {
    return std::span<const double, outflow_numbers>(host_outflow_.data() +
                                                        numbers(leaf - first_leaf_, mesh::faces * outflow_numbers) +
                                                        numbers(face, outflow_numbers),
                                                    outflow_numbers);
  }
  std::span<const double, outflow_numbers> floors(int leaf) const {
    return std::span<const double, outflow_numbers>(host_floors_.data() + numbers(leaf - first_leaf_, outflow_numbers),
                                                    outflow_numbers);
  }
  /// Substeps that an own leaf took in the last step.
  int substeps(int leaf) const { return by_.substeps / pace_.length(leaf); }
  /// With tables in the space's memory.
  scheme on_device() const {
    scheme there = by_;
    if (rosseland_.size() > 0) there.rosseland = opacity_view(rosseland_.data());
    if (planck_.size() > 0) there.planck = opacity_view(planck_.data());
    return there;
  }
  /// Of all arrays.
  double bytes() const {
    std::size_t doubles = 0;
    for (const auto* a :
         {&work_, &start_, &matter_, &couple_, &rate_, &torque_, &added_, &around_, &registers_, &through_,
          &outflow_rows_, &outflow_, &floors_, &rows_, &needed_, &sums_, &rosseland_, &planck_})
      doubles += a->size();
    return static_cast<double>(doubles * sizeof(double) + any_added_.size());
  }

 private:
  struct leaf_list {
    const int* leaves;
    int count;
  };
  struct owned_list {
    array<int> leaves;
    operator leaf_list() const { return {leaves.data(), static_cast<int>(leaves.size())}; }
  };

  static std::size_t numbers(int count, int each) {
    return static_cast<std::size_t>(count) * static_cast<std::size_t>(each);
  }
  static std::size_t of_leaves_each(int count, int fields) { return numbers(count, fields * mesh::cells); }
  array<double> copied(std::span<const double> values) const {
    return space_.copy_of(std::vector<double>(values.begin(), values.end()));
  }
  owned_list list(const std::vector<int>& leaves) const { return {space_.copy_of(leaves)}; }
  leaf_list all() const { return {at_.leaves, count_}; }
  void clear(array<double>& values) const {
    space_.for_each(static_cast<int>(values.size()), clear_numbers{values.data()});
  }
  template <class Functor>
  void for_leaves(const leaf_list& of, int numbers, const Functor& functor) const {
    if (of.count > 0) {
      exec::for_each_of(space_, of.count, numbers, [&](int first) {
        return of_leaves<Functor>{functor, of.leaves + first, numbers};
      });
    }
  }
  /// Calls body(list) for parts of a list whose ghost layers have room.
  template <class Body>
  void in_parts(const leaf_list& of, const Body& body) const {
    for (int i = 0; i < of.count; i += at_.together)
      body(leaf_list{of.leaves + i, std::min(at_.together, of.count - i)});
  }

  light_view view(const mesh::block_view<double>& u, const mesh::block_view<double>& light, const gas_rules& gas) {
    const auto of_own = [&](array<double>& a, int fields) {
      return mesh::block_view<double>{a.data(), nullptr, first_leaf_, fields};
    };
    exchange::face_view faces = at_.faces;
    faces.values = registers_.data();
    faces.register_stride = moment::count * mesh::N * mesh::N;
    return {.by = on_device(),
            .gas = gas,
            .tree = at_.tree,
            .fields = fields_,
            .boundaries = boundaries_,
            .first_leaf = first_leaf_,
            .u = u,
            .light = light,
            .work = {work_.data(), u.place, 0, exchanged::count},
            .start = of_own(start_, start_fields),
            .matter = of_own(matter_, gas_fields),
            .couple = of_own(couple_, couple_fields),
            .rate = of_own(rate_, moment::count),
            .torque = of_own(torque_, 3),
            .around = around_.data(),
            .depths = depths_.data(),
            .faces = faces,
            .outflow = outflow_.data(),
            .floors = floors_.data(),
            .fixed = fixed_.data(),
            .length = length_.data(),
            .sum = sum_.data(),
            .sums = sums_.data()};
  }

  void look_around(const light_view& v) {
    at_.halo->restrict_all(v.u);
    at_.halo->fetch_ghosts(v.u);
    in_parts(all(), [&](const leaf_list& part) {
      at_.ghosts->gather(v.u, part.leaves, part.count, v.gas.rotation, at_.ghosted);
      for_leaves(part, layered_cells, look_at_gas_cells{v, at_.ghosted});
      for_leaves(part, faces_of_cells, look_at_faces{v, at_.ghosted});
    });
  }

  void find_pace(light_view& v, double dt) {
    for_leaves(all(), rows_of_cells, needed_by_rows{v, dt, rows_.data()});
    for_leaves(all(), 1, needed_by_leaves{v, rows_.data(), needed_.data()});
    std::vector<int> longest;
    for (const double needed : exec::on_host(space_, needed_)) longest.push_back(longest_substep(by_.substeps, needed));
    const std::vector<int> before = pace_.all_lengths();
    pace_.set(context_, longest);
    if (pace_.all_lengths() != before) lists_of_pace();
    clear(sums_);
    v.length = length_.data();
    v.sum = sum_.data();
    v.sums = sums_.data();
  }

  /// Of each length those leaves that advance, and those that take the fluxes of leaves that do.
  void lists_of_pace() {
    length_ = space_.copy_of(pace_.all_lengths());
    sum_ = space_.copy_of(pace_.all_sums());
    sums_ = array<double>(numbers(pace_.sums(), numbers_of_sum));
    advancing_.clear();
    taking_.clear();
    for (const int length : pace_.lengths()) {
      std::vector<int> advancing, taking;
      for (const int leaf : pace_.moved(length)) (pace_.length(leaf) == length ? advancing : taking).push_back(leaf);
      advancing_.push_back(list(advancing));
      taking_.push_back(list(taking));
    }
  }

  void fetch(const light_view& v, int first, int last) {
    scalars_.restrict_fields(v.work, first, last);
    scalars_.fetch(v.work, first, last);
  }

  void refresh_velocities(const light_view& v, int begun) {
    fetch(v, exchanged::velocities, exchanged::extinction);
    in_parts(all(), [&](const leaf_list& part) {
      at_.ghosts->gather_scalars(v.work, exchanged::velocities, exchanged::extinction, part.leaves, part.count,
                                 at_.ghosted);
      for_leaves(part, cells_before_faces, refresh_velocities_beyond{v, begun, at_.ghosted});
    });
    for_leaves(all(), mesh::cells, refresh_velocity_cells{v, begun});
  }

  /// Advances the blocks that take substeps of this length by one, to where faster ones stand already.
  void substep_of(const light_view& v, int length, double dt) {
    const auto place =
        static_cast<std::size_t>(std::ranges::lower_bound(pace_.lengths(), length) - pace_.lengths().begin());
    const leaf_list advancing = advancing_[place], taking = taking_[place];
    const added_to_cells added{added_.data(), any_added_.data()};
    for (int stage = 0; stage < 2; ++stage) {
      fetch(v, 0, moment::count);
      in_parts(advancing, [&](const leaf_list& part) { transport(v, part, dt); });
      for_leaves(taking, cells_before_faces, add_fluxes_beside{v, length});
      fluxes_.exchange(registers_.data());
      for_leaves(taking, cells_before_faces, add_fluxes_of_finer{v, length});
      for_leaves(advancing, mesh::cells, add_rates_of_other_leaves{v, dt});
      if (stage == 1) for_leaves(advancing, cells_before_faces, clear_sums{v});
      for_leaves(advancing, mesh::cells, end_stage_cells{v, stage, dt, added});
      for_leaves(advancing, rows_of_cells, find_added{v, added});
      for_leaves(advancing, outflow_numbers, book_added{v, added});
      for_leaves(before_fixed_, 1, keep_fixed_light{v, stage, length});
    }
  }

  void transport(const light_view& v, const leaf_list& part, double dt) {
    double* const reduced = at_.ghosted + numbers(at_.together, moment::count * mesh::ghosted_cells);
    const gathered_light of{at_.ghosted, reduced, through_.data()};
    at_.ghosts->gather_scalars(v.work, moment::energy, moment::count, part.leaves, part.count, at_.ghosted,
                               exchanged::extinction);
    for_leaves(part, cells_before_faces, fill_boundaries{v, of});
    for_leaves(part, mesh::ghosted_cells, reduce_cells{v, of});
    for_leaves(part, faces_of_cells, find_fluxes{v, of});
    for_leaves(part, cells_before_faces, register_fluxes{v, of});
    for_leaves(part, rows_before_faces, find_outflows{v, of, {outflow_rows_.data()}});
    for_leaves(part, mesh::faces * outflow_numbers, book_outflows{v, {outflow_rows_.data()}, dt});
    for_leaves(part, mesh::cells, find_rates{v, of, dt});
  }

  Space space_;
  exec::context& context_;
  int first_leaf_, count_;
  surroundings at_;
  mesh::field_numbers fields_;
  std::array<config::boundary, mesh::faces> boundaries_;
  scheme by_;
  local_substeps pace_;
  array<double> rosseland_, planck_;
  exchange::device_scalars<Space> scalars_;
  // As in light_view.
  array<double> work_, start_, matter_, couple_, rate_, torque_;
  array<double> added_;  // [own leaf][moment::count][cell]
  array<double> around_, depths_, registers_;
  array<double> through_, outflow_rows_;  // of leaves that are worked on together
  array<double> outflow_, floors_, rows_, needed_, sums_;
  array<unsigned char> any_added_;
  array<unsigned> fixed_;
  array<int> length_, sum_;
  owned_list before_fixed_;
  std::vector<owned_list> advancing_, taking_;  // [place in pace_.lengths()]
  exchange::block_exchange fluxes_of_ranks_;
  exchange::device_block_exchange<Space> fluxes_;
  std::vector<double> host_outflow_, host_floors_;
};

}  // namespace rednova::radiation
