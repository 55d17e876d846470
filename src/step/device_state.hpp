// The fields of a tree in an execution space's memory (exec/space.hpp), with the tables and buffers that a step on them
// needs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/check.hpp"
#include "eos/stellar_tables.hpp"
#include "gravity/result_field.hpp"
#include "hydro/block_update.hpp"
#include "hydro/signal_speed.hpp"
#include "step/batch.hpp"
#include "step/ledger_buffers.hpp"
#include "step/simulation.hpp"
#include "step/stage_tables.hpp"
#include "step/view.hpp"

namespace rednova::step {

/// The state of a rank. Arrays are named as in state_view, which the kernels see.
template <class Space>
struct device_state {
  template <class T>
  using array = typename Space::template array<T>;

  /// most_together: leaves that are updated together, if the rank has so many.
  device_state(const Space& space, const simulation& s, const stage_tables& from, int most_together)
      : leaves(from.leaf_count()),
        together(std::min(leaves, most_together)),
        fields(from.fields),
        nodes(space.copy_of(from.tree->nodes())),
        place(space.copy_of(map_of(*from.nodes, from.tree->size()))),
        work_input_places(space.copy_of(map_of(*from.work_inputs, from.tree->size()))),
        slot(space.copy_of(from.faces->slot_table())),
        coarse(space.copy_of(from.faces->coarse_faces())),
        first_coarse(space.copy_of(from.faces->first_coarse())),
        registers(numbers(from.faces->slots(), from.register_fields() * cells_of_face)),
        state{array<double>(numbers(from.nodes->count(), fields.size() * mesh::cells)),
              array<double>(numbers(from.nodes->count(), fields.size() * mesh::cells))},
        start(numbers(leaves, fields.evolved() * mesh::cells)),
        gravity(of_gravity(from, leaves, gravity::result_fields * mesh::cells)),
        start_potential(of_gravity(from, leaves, mesh::cells)),
        gravity_work(of_gravity(from, leaves, mesh::cells)),
        work_inputs(of_gravity(from, from.work_inputs->count(), work_input_fields * mesh::cells)),
        mass_flow{array<double>(of_gravity(from, leaves, 3 * face_values)),
                  array<double>(of_gravity(from, leaves, 3 * face_values))},
        ghosted(numbers(together, fields.size() * mesh::ghosted_cells)),
        rate(numbers(together, fields.evolved() * mesh::cells)),
        floor_density(numbers(leaves, mesh::cells)),
        floor_rows(numbers(leaves, rows_of_leaf * fields.species())),
        flags(numbers(leaves, mesh::cells)),
        invalid(static_cast<std::size_t>(leaves)),
        for_ledger(from, s.star_gas().two(), s.points().count),
        every_leaf(space.copy_of(from.leaves)),
        beside_finer(space.copy_of(from.beside_finer)),
        boundary(space.copy_of(from.boundary_faces)),
        gas_table(
            space.copy_of(s.eos().tabulated() ? eos::table_of(s.par().eos).coefficients() : std::vector<double>())) {
    list_updates(space, s, from);
    for (std::size_t parity = 0; parity < 2; ++parity)
      signals[parity] = space.copy_of(from.signals(state[parity].data()));
  }
  // Tables point into the arrays.
  device_state(const device_state&) = delete;
  device_state& operator=(const device_state&) = delete;

  /// s: whose tables they are; now: which of the two states is u; the other is next.
  state_view view(const simulation& s, const stage_tables& from, int now) {
    state_view v = view_without_arrays(s);
    const int first = v.first_leaf;
    const auto on_nodes = [&](array<double>& a) {
      return mesh::block_view<double>{a.data(), place.size() > 0 ? place.data() : nullptr, 0, fields.size()};
    };
    const auto on_leaves = [&](array<double>& a, int n) {
      return mesh::block_view<double>{from.with_gravity ? a.data() : nullptr, nullptr, first, n};
    };
    v.tree.nodes = nodes.data();
    if (gas_table.size() > 0) v.eos.star.table.data = gas_table.data();
    v.u = on_nodes(state[static_cast<std::size_t>(now)]);
    v.next = on_nodes(state[static_cast<std::size_t>(1 - now)]);
    v.start = {start.data(), nullptr, first, fields.evolved()};
    v.gravity = on_leaves(gravity, gravity::result_fields);
    v.start_potential = on_leaves(start_potential, 1);
    v.gravity_work = on_leaves(gravity_work, 1);
    v.floor_density = {floor_density.data(), nullptr, first, 1};
    v.work_inputs = work_input_places.size() == 0
                        ? on_leaves(work_inputs, work_input_fields)
                        : mesh::block_view<double>{work_inputs.data(), work_input_places.data(), 0, work_input_fields};
    v.mass_flow[0] = mass_flow[0].data();
    v.mass_flow[1] = mass_flow[1].data();
    v.faces = {slot.data(), coarse.data(), first_coarse.data(), registers.data(),
               static_cast<std::ptrdiff_t>(from.register_fields()) * cells_of_face};
    return v;
  }
  /// Where the update of leaves writes in a stage of this parity.
  update_targets targets(int parity) {
    return {rate.data(), registers.data(), for_ledger.boundary_flux(),
            mass_flow[static_cast<std::size_t>(parity)].data()};
  }
  /// Bytes of all arrays.
  double bytes() const {
    std::size_t doubles = 0;
    for (const auto* a :
         {&registers, &state[0], &state[1], &start, &gravity, &start_potential, &gravity_work, &work_inputs,
          &mass_flow[0], &mass_flow[1], &ghosted, &rate, &floor_density, &floor_rows, &gas_table})
      doubles += a->size();
    const std::size_t per_leaf = sizeof(hydro::block_input) + 2 * sizeof(hydro::block_output) +
                                 2 * sizeof(hydro::signal_input) + 8 * sizeof(int);
    return static_cast<double>(doubles * sizeof(double) + for_ledger.bytes() + flags.size() +
                               nodes.size() * sizeof(mesh::node) + static_cast<std::size_t>(leaves) * per_leaf);
  }

  int leaves, together;
  mesh::field_numbers fields;
  array<mesh::node> nodes;
  array<int> place, work_input_places;  // of nodes, where the rank is not alone
  array<int> slot;
  array<exchange::coarse_face> coarse;
  array<int> first_coarse;
  array<double> registers;
  std::array<array<double>, 2> state;  // [place][field][cell]: u and next, in turns
  array<double> start, gravity, start_potential, gravity_work, work_inputs;
  std::array<array<double>, 2> mass_flow;
  array<double> ghosted, rate;  // of leaves that are updated together
  array<double> floor_density;  // [leaf][cell]: added in this step
  array<double> floor_rows;     // [leaf][row of cells]([species]): added by the last floors
  array<std::uint8_t> flags;    // [leaf][cell]
  array<std::uint8_t> invalid;  // [leaf]
  ledger_buffers<Space> for_ledger;
  array<int> every_leaf, beside_finer;  // lists of leaves
  array<boundary_face> boundary;
  /// Leaves that are updated after each other, and where each one's update reads and writes.
  struct update_list {
    int count = 0;
    array<int> leaves;
    array<hydro::block_input> in;
    std::array<array<hydro::block_output>, 2> out;  // by the stage's parity
  };
  std::array<update_list, 2> updates;                 // of the two batches
  std::array<array<hydro::signal_input>, 2> signals;  // [leaf], by the state
  array<double> gas_table;                            // of stored gas

  /// Anew where the grid's rotation has changed.
  void list_updates(const Space& space, const simulation& s, const stage_tables& from) {
    for (std::size_t number = 0; number < 2; ++number)
      updates[number] = update(space, from, list_of(from, static_cast<int>(number)), s.rotation());
  }
  /// first_order: flags of so many leaves as are updated together; null: none.
  update_list update(const Space& space, const stage_tables& from, const std::vector<int>& list, double rotation,
                     const std::uint8_t* first_order = nullptr) {
    return {static_cast<int>(list.size()),
            space.copy_of(list),
            space.copy_of(from.inputs(list, ghosted.data(), together, rotation, first_order)),
            {space.copy_of(from.outputs(list, targets(0), together)),
             space.copy_of(from.outputs(list, targets(1), together))}};
  }

 private:
  static std::vector<int> list_of(const stage_tables& from, int number) {
    const batch b = from.at(number, from.leaves.data(), nullptr);
    return {b.leaves, b.leaves + b.count};
  }
  static constexpr int cells_of_face = mesh::N * mesh::N;

  static std::size_t numbers(int count, int each) {
    return static_cast<std::size_t>(count) * static_cast<std::size_t>(each);
  }
  static std::size_t of_gravity(const stage_tables& from, int count, int each) {
    return from.with_gravity ? numbers(count, each) : 0;
  }
  static std::vector<int> map_of(const mesh::slots& s, int nodes) {
    return s.map() == nullptr ? std::vector<int>() : std::vector<int>(s.map(), s.map() + nodes);
  }
};

}  // namespace rednova::step
