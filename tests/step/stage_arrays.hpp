// The arrays that a stage of a step works on, as numbers on the host and in a place's memory (exec/place.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <span>
#include <vector>

#include "exec/on_place.hpp"
#include "mesh/tree_there.hpp"
#include "step/flow_cells.hpp"
#include "step/stage.hpp"

namespace rednova::step::test {

/// Fills with numbers in [low, 1), reproducibly.
inline void fill(double* to, std::size_t count, double low) {
  std::mt19937 generator(11);
  std::uniform_real_distribution<double> number(low, 1);
  std::generate_n(to, count, [&] { return number(generator); });
}
inline void fill(mesh::block_data& to, double low) { fill(to.data(), to.bytes() / sizeof(double), low); }

/// The view's pointers to numbers, in the order of stage_arrays.
template <class ValuesOf>
void point_to(state_view& at, const ValuesOf& values_of) {
  std::size_t n = 0;
  for (mesh::block_view<double>* b :
       {&at.u, &at.next, &at.start, &at.gravity, &at.start_potential, &at.gravity_work, &at.weighed}) {
    b->values = values_of(n++);
  }
  for (double*& flow : at.mass_flow) flow = values_of(n++);
  at.faces.values = values_of(n);
}

/// A copy of a simulation's, and a view of that.
struct stage_arrays {
  explicit stage_arrays(simulation& s) : at(view(s)) {
    workspace& w = *s.work;
    for (const mesh::block_data* b :
         {&s.u, &w.next, &w.start, &s.gravity, &w.start_potential, &w.gravity_work, &w.weighed})
      all.push_back(mesh::test::numbers(*b));
    for (const auto& flow : w.mass_flow) all.emplace_back(flow.begin(), flow.end());
    all.emplace_back(w.registers.data(), w.registers.data() + w.registers.size());
    point_to(at, [&](std::size_t n) { return all[n].empty() ? nullptr : all[n].data(); });
  }
  stage_arrays(const stage_arrays&) = delete;

  std::vector<std::vector<double>> all;
  state_view at;
};

/// The same in a place's memory, with the tables that the view points to.
template <class Place>
struct stage_there {
  stage_there(const Place& where, const simulation& s, const stage_arrays& from)
      : here(where),
        tree(where, s.tree),
        slot(where.copy_of(s.work->faces.slot_table())),
        coarse(where.copy_of(s.work->faces.coarse_faces())),
        first_coarse(where.copy_of(s.work->faces.first_coarse())),
        at(from.at) {
    for (const std::vector<double>& values : from.all) all.push_back(where.copy_of(values));
    point_to(at, [&](std::size_t n) { return all[n].size() == 0 ? nullptr : all[n].data(); });
    at.tree = tree.view;
    at.faces.slot = slot.data();
    at.faces.coarse = coarse.data();
    at.faces.first = first_coarse.data();
    // One rank alone has its blocks where their numbers say.
    for (const mesh::block_view<double>* b : {&at.u, &at.next, &at.start, &at.gravity, &at.weighed})
      EXPECT_EQ(b->place, nullptr);
  }
  std::vector<std::vector<double>> numbers() const {
    std::vector<std::vector<double>> there;
    for (const auto& values : all) there.push_back(exec::test::to_host(here, values));
    return there;
  }

  template <class T>
  using array = typename Place::template array<T>;

  Place here;
  mesh::test::tree_there<Place> tree;
  array<int> slot;
  array<exchange::coarse_face> coarse;
  array<int> first_coarse;
  std::vector<array<double>> all;
  state_view at;
};

/// Rates and fluxes of the listed leaves by the processor's kernel, where a device has them. v: of arrays on the host,
/// whose registers and mass flows it fills.
struct fluxes {
  std::vector<double> rate, outer;
  std::vector<boundary_face> ends;

  fluxes(const simulation& s, const state_view& v, const hydro::stage_exchange& exchange, int stage,
         const std::vector<int>& list) {
    const std::size_t block = static_cast<std::size_t>(s.fields.evolved()) * mesh::cells;
    const std::size_t face_size = static_cast<std::size_t>(s.fields.evolved()) * mesh::N * mesh::N;
    rate.resize(list.size() * block);
    outer.resize(list.size() * mesh::faces * face_size);
    for (std::size_t n = 0; n < list.size(); ++n) {
      const int leaf = list[n];
      thread_scratch& mine = s.work->scratch();
      s.work->ghosts.gather(s.u, leaf, s.rotation, mine.ghosted.data());
      const hydro::block_input in{.u = mine.ghosted.data(),
                                  .corner = s.tree.corner(leaf),
                                  .h = s.tree.cell_width(leaf),
                                  .rotation = s.rotation,
                                  .finer_faces = s.work->faces.finer(leaf)};
      hydro::block_output out{.rate = rate.data() + n * block};
      for (int face = 0; face < mesh::faces; ++face) {
        const std::size_t first = (n * mesh::faces + static_cast<std::size_t>(face)) * face_size;
        if (v.faces.registered(leaf, face)) {
          out.outer_flux[face] = v.faces.at(leaf, face);
        } else if (on_boundary(v.tree, leaf, face)) {
          out.outer_flux[face] = outer.data() + first;
          ends.push_back({leaf, face, static_cast<std::ptrdiff_t>(first)});
        }
      }
      if (v.has_gravity()) out.mass_flux = v.flow(stage % 2, leaf, 0);
      s.work->update(in, out, exchange, mine.hydro);
    }
  }
};

}  // namespace rednova::step::test
