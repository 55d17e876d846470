// The arrays that a stage of a step works on, as numbers on the host and in an execution space's memory
// (exec/space.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <span>
#include <vector>

#include "exec/on_space.hpp"
#include "mesh/tree_there.hpp"
#include "step/cores.hpp"
#include "step/flow_cells.hpp"
#include "step/workspace.hpp"

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
  for (mesh::block_view<double>* b : {&at.u, &at.next, &at.start, &at.gravity, &at.start_potential, &at.gravity_work,
                                      &at.work_inputs, &at.floor_density}) {
    b->values = values_of(n++);
  }
  for (double*& flow : at.mass_flow) flow = values_of(n++);
  at.faces.values = values_of(n);
}

/// A copy of a simulation's, and a view of that.
struct stage_arrays {
  explicit stage_arrays(simulation& s) : at(view(s, cores_of(s).work())) {
    workspace& w = cores_of(s).work();
    for (const mesh::block_data* b : {&s.u(), &w.next, &w.start, &s.gravity(), &w.start_potential, &w.gravity_work,
                                      &w.work_inputs, &w.floor_density})
      all.push_back(mesh::test::numbers(*b));
    for (const auto& flow : w.mass_flow) all.emplace_back(flow.begin(), flow.end());
    all.emplace_back(w.registers.data(), w.registers.data() + w.registers.size());
    point_to(at, [&](std::size_t n) { return all[n].empty() ? nullptr : all[n].data(); });
  }
  stage_arrays(const stage_arrays&) = delete;

  std::vector<std::vector<double>> all;
  state_view at;
};

/// The same in an execution space's memory, with the tables that the view points to.
template <class Space>
struct stage_there {
  stage_there(const Space& space, const simulation& s, const stage_arrays& from)
      : here(space),
        tree(space, s.tree()),
        slot(space.copy_of(cores_of(s).work().faces.slot_table())),
        coarse(space.copy_of(cores_of(s).work().faces.coarse_faces())),
        first_coarse(space.copy_of(cores_of(s).work().faces.first_coarse())),
        at(from.at) {
    for (const std::vector<double>& values : from.all) all.push_back(space.copy_of(values));
    point_to(at, [&](std::size_t n) { return all[n].size() == 0 ? nullptr : all[n].data(); });
    at.tree = tree.view;
    at.faces.slot = slot.data();
    at.faces.coarse = coarse.data();
    at.faces.first = first_coarse.data();
    // One rank alone has its blocks where their numbers say.
    for (const mesh::block_view<double>* b : {&at.u, &at.next, &at.start, &at.gravity, &at.work_inputs})
      EXPECT_EQ(b->place, nullptr);
  }
  std::vector<std::vector<double>> numbers() const {
    std::vector<std::vector<double>> there;
    for (const auto& values : all) there.push_back(exec::test::to_host(here, values));
    return there;
  }

  template <class T>
  using array = typename Space::template array<T>;

  Space here;
  mesh::test::tree_there<Space> tree;
  array<int> slot;
  array<exchange::coarse_face> coarse;
  array<int> first_coarse;
  std::vector<array<double>> all;
  state_view at;
};

}  // namespace rednova::step::test
