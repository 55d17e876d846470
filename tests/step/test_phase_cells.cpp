// The phases of a step for single cells, as a device runs them, against the processor's loops: the same bits. Arrays
// hold random numbers before, so that what is not written shows.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "collapse.hpp"
#include "exec/place.hpp"
#include "step/bad_cells.hpp"
#include "step/correct_cells.hpp"
#include "step/floor_leaves.hpp"
#include "step/stage.hpp"
#include "step/stage_cells.hpp"
#include "step/tracer_cells.hpp"
#include "step/work_cells.hpp"

namespace rednova::step {
namespace {

using mesh::cells;

/// Fills with numbers in [low, 1), reproducibly.
void fill(double* to, std::size_t count, double low) {
  std::mt19937 generator(11);
  std::uniform_real_distribution<double> number(low, 1);
  std::generate_n(to, count, [&] { return number(generator); });
}
void fill(mesh::block_data& to, double low) { fill(to.data(), to.bytes() / sizeof(double), low); }

/// The arrays of a simulation's stage, and a view of them.
struct arrays {
  explicit arrays(simulation& s) : at(view(s)) {
    workspace& w = *s.work;
    all = {of(s.u), of(w.next), of(w.start), of(s.gravity), of(w.start_potential), of(w.gravity_work), of(w.weighed)};
    all.emplace_back(w.mass_flow[0].begin(), w.mass_flow[0].end());
    all.emplace_back(w.mass_flow[1].begin(), w.mass_flow[1].end());
    all.emplace_back(w.registers.data(), w.registers.data() + w.registers.size());
    int n = 0;
    for (mesh::block_view<double>* b :
         {&at.u, &at.next, &at.start, &at.gravity, &at.start_potential, &at.gravity_work, &at.weighed}) {
      b->values = values(n++);
    }
    for (double*& flow : at.mass_flow) flow = values(n++);
    at.faces.values = values(n);
  }
  static std::vector<double> of(const mesh::block_data& b) { return {b.data(), b.data() + b.bytes() / sizeof(double)}; }
  double* values(int n) {
    std::vector<double>& v = all[static_cast<std::size_t>(n)];
    return v.empty() ? nullptr : v.data();
  }

  std::vector<std::vector<double>> all;
  state_view at;
};

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

struct physics {
  bool gravity;
  double rotation;
  bool spin;
};

class phase_cells : public testing::TestWithParam<physics> {
 protected:
  phase_cells() : s(parameters(GetParam()), where) {
    start_collapse(s);
    for (int leaf = 0; leaf < s.tree.leaves(); ++leaf) fill(s.u.at(leaf, 2), cells, 1e-3);
    prepare(s);
    for (mesh::block_data* b :
         {&s.work->start, &s.work->next, &s.gravity, &s.work->start_potential, &s.work->gravity_work}) {
      fill(*b, -1);
    }
    fill(s.work->weighed, 0.1);
    for (auto& flow : s.work->mass_flow) fill(flow.data(), flow.size(), -1);
    fill(s.work->registers.data(), s.work->registers.size(), -1);
    std::vector<exec::task> none;
    s.work->add_flux_tasks(none);  // fluxes are to come
    // Not all, and not in their order: positions are no leaves.
    for (int leaf = s.tree.leaves() - 1; leaf > 0; --leaf) list.push_back(leaf);
  }

  static config::parameters parameters(const physics& p) {
    config::parameters c = collapse_parameters({.rotation = p.rotation, .gravity = p.gravity, .spin = p.spin});
    c.hydro.species = {"core", "envelope", "dust"};
    c.hydro.density_floor = 1e-3;
    c.hydro.heat_ceiling = 100;
    return c;
  }

  /// Runs both and compares all arrays, of which some must have changed.
  template <class OnProcessor, class OnPlace>
  void compare(const OnProcessor& on_processor, const OnPlace& on_place) {
    const arrays before(s);
    arrays mine(s);
    on_place(mine.at);
    on_processor();
    const arrays expected(s);
    bool changed = false;
    for (std::size_t n = 0; n < expected.all.size(); ++n) {
      EXPECT_TRUE(same_bits(mine.all[n], expected.all[n])) << "array " << n;
      changed = changed || !same_bits(before.all[n], expected.all[n]);
    }
    EXPECT_TRUE(changed);
  }
  /// The same for a functor of cells and a function of leaves.
  template <class OnLeaf, class Kernel>
  void compare_cells(const OnLeaf& on_leaf, const Kernel& kernel_on) {
    compare(
        [&] {
          for (const int leaf : list) on_leaf(leaf);
        },
        [&](const state_view& v) { place.for_each(numbers(cells), kernel_on(v)); });
  }
  int numbers(int of_leaf) const { return static_cast<int>(list.size()) * of_leaf; }
  std::vector<double> room(int of_leaf) const {
    return std::vector<double>(list.size() * static_cast<std::size_t>(of_leaf), std::nan(""));
  }
  /// What is in the books of the listed leaves.
  std::vector<double> books(const tally& sums) const {
    std::vector<double> all;
    for (const int leaf : list) {
      for (int i = 0; i < sums.numbers(); ++i) all.push_back(sums.row(leaf)[i].value());
    }
    return all;
  }
  void spoil(mesh::block_data& u, std::size_t first);

  exec::context where{1};
  exec::processor_place place;
  simulation s;
  std::vector<int> list;
  std::vector<stage_form> scheme = stages(config::integrator::rk3);
  double dt = 1e-3;
};

class cells_with_gravity : public phase_cells {};

INSTANTIATE_TEST_SUITE_P(of, cells_with_gravity, testing::Values(physics{true, 0.5, true}, physics{true, 0, false}));
INSTANTIATE_TEST_SUITE_P(of, phase_cells,
                         testing::Values(physics{true, 0.5, true}, physics{true, 0, false}, physics{false, 0.5, true},
                                         physics{false, 0, false}));

TEST_P(phase_cells, start) {
  compare_cells([&](int leaf) { start_step(s, leaf); },
                [&](const state_view& v) {
                  return start_cells{v, list.data()};
                });
}

/// Rates and fluxes of the listed leaves by the processor's kernel, where a device has them.
struct fluxes {
  std::vector<double> rate, outer;
  std::vector<boundary_face> ends;

  fluxes(const simulation& s, const state_view& v, int stage, const std::vector<int>& list) {
    const std::size_t block = static_cast<std::size_t>(s.fields.size()) * cells;
    const std::size_t face_size = static_cast<std::size_t>(s.fields.size()) * mesh::N * mesh::N;
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
      s.work->update(in, out, mine.hydro);
    }
  }
};

TEST_P(phase_cells, update) {
  for (int stage = 0; stage < 3; ++stage) {
    const stage_form& form = scheme[static_cast<std::size_t>(stage)];
    std::vector<exec::task> none;
    s.work->add_flux_tasks(none);
    const int width = s.fields.species() + vector_and_energy;
    std::vector<boundary_face> ends;
    std::vector<double> sums;
    compare(
        [&] {
          for (const int leaf : list) update_leaf(s, form, dt, stage, leaf);
        },
        [&](const state_view& v) {
          const fluxes by(s, v, stage, list);
          if (v.has_gravity()) {
            place.for_each(numbers(3 * face_values), flow_values{v, form, stage, list.data()});
            place.for_each(numbers(mesh::faces * mesh::N * mesh::N), leave_flows{v, stage, list.data()});
          }
          ends = by.ends;
          sums.assign(ends.size() * static_cast<std::size_t>(width), std::nan(""));
          place.for_each(static_cast<int>(ends.size()), boundary_sums{v, ends.data(), by.outer.data(), sums.data()});
          const stage_turns turns(v.rotation, form, dt);
          place.for_each(numbers(cells), finish_cells{v, form, turns, dt, list.data(), by.rate.data()});
        });
    ASSERT_FALSE(ends.empty());
    for (std::size_t n = 0; n < ends.size(); ++n) {
      const totals mine(sums.data() + n * static_cast<std::size_t>(width), s.fields.species());
      const totals& expected =
          s.work->leaf_outflow[s.work->own(ends[n].leaf) * mesh::faces + static_cast<std::size_t>(ends[n].face)];
      EXPECT_EQ(mine.species, expected.species);
      EXPECT_EQ(mine.momentum, expected.momentum);
      EXPECT_EQ(mine.angular_momentum, expected.angular_momentum);
      EXPECT_EQ(mine.energy, expected.energy);
    }
  }
}

TEST_P(phase_cells, flux_correction) {
  std::erase_if(list, [&](int leaf) { return s.work->faces.coarse_faces(leaf).empty(); });
  ASSERT_GT(list.size(), 1u);
  for (const stage_form& form : scheme) {
    std::vector<double> rate = room(s.fields.size() * cells);
    compare_cells([&](int leaf) { correct_fluxes(s, form, dt, leaf); },
                  [&](const state_view& v) {
                    return correct_cells{v,  form,        stage_turns(v.rotation, form, dt).from_here,
                                         dt, list.data(), rate.data()};
                  });
  }
}

/// Makes cells of some leaves break a limit each, from the one at position `first` on.
void phase_cells::spoil(mesh::block_data& u, std::size_t first) {
  const mesh::fields& f = s.fields;
  const double infinite = std::numeric_limits<double>::infinity();
  const std::vector<std::pair<int, double>> wrong{
      {f.species(0), -1.0}, {f.species(1), -1e-18}, {f.momentum(1), 1e9},       {f.energy(), 1e9},
      {f.entropy(), 0.0},   {f.entropy(), -1.0},    {f.energy(), std::nan("")}, {f.energy(), -infinite}};
  for (std::size_t n = 0; n < wrong.size(); ++n) {
    for (const int c : {static_cast<int>(7 * n), cells - 1})
      u.at(list[first + 1 + n], wrong[n].first)[c] = wrong[n].second;
  }
  for (int k = 0; k < f.species(); ++k) u.at(list[first], k)[33] = 1e-6;
}

TEST_P(phase_cells, bad) {
  s.work->next = s.u;
  spoil(s.work->next, 1);
  mesh::block_data marks(s.links->nodes(), 1), mine = marks;
  for (const bool marked : {false, true, true}) {
    std::vector<std::uint8_t> flags(list.size() * cells, 77), found(list.size(), 77);
    const mesh::block_view<double> of_mine = marked ? mesh::view(mine) : mesh::block_view<double>();
    place.for_each(numbers(cells), bad_cells{view(s), dt, list.data(), of_mine, flags.data()});
    place.for_each(numbers(1), bad_leaves{list.data(), flags.data(), of_mine, found.data()});
    int bad = 0;
    for (std::size_t n = 0; n < list.size(); ++n) {
      const bool expected = find_bad_cells(s, list[n], dt, marked ? marks.at(list[n]) : nullptr);
      EXPECT_EQ(found[n], expected ? 1 : 0) << n;
      bad += expected ? 1 : 0;
    }
    EXPECT_TRUE(same_bits(arrays::of(mine), arrays::of(marks)));
    // Not a rounding error, nor too much heat, nor an energy that the quick look lets pass.
    if (!marked) {
      EXPECT_EQ(bad, 6);
    }
  }
  // Those that were marked are not found again.
  EXPECT_EQ(std::ranges::count(arrays::of(marks), 1.0), 1 + 5 * 2);
}

TEST_P(phase_cells, floors) {
  std::vector<double> account(static_cast<std::size_t>(s.tree.leaves()) * cells, std::nan(""));
  for (int stage = 0; stage < 3; ++stage) {
    const stage_form& form = scheme[static_cast<std::size_t>(stage)];
    spoil(s.u, static_cast<std::size_t>(stage));  // each time other leaves, too
    tally mine(s.links->share(), s.fields.species());
    s.work->sums.clear();
    const int species = s.fields.species();
    std::vector<double> of_rows = room(rows_of_leaf * species), masses = room(species), energies = room(1);
    std::vector<std::uint8_t> flags(list.size() * cells, 7);
    compare(
        [&] {
          for (const int leaf : list) raise_density(s, form, stage, 0.3, leaf);
          for (const int leaf : list) raise_energy(s, form, leaf);
        },
        [&](const state_view& v) {
          place.for_each(static_cast<int>(account.size()), weigh_floor_density{form, stage, account.data()});
          place.for_each(numbers(cells), limit_cells{v, list.data(), flags.data()});
          place.for_each(numbers(rows_of_leaf),
                         raise_densities{v, list.data(), flags.data(), account.data(), of_rows.data()});
          place.for_each(numbers(species), add_rows{flags.data(), of_rows.data(), species, masses.data()});
          place.for_each(numbers(cells), limit_cells{v, list.data(), flags.data()});
          place.for_each(numbers(rows_of_leaf), raise_energies{v, list.data(), flags.data(), of_rows.data()});
          place.for_each(numbers(1), add_rows{flags.data(), of_rows.data(), 1, energies.data()});
        });
    for (std::size_t n = 0; n < list.size(); ++n) {
      totals added(s.fields.species());
      for (std::size_t k = 0; k < added.species.size(); ++k) added.species[k] = masses[n * added.species.size() + k];
      mine.add(list[n], tally::floors, form.floor_weight, added);
      mine.add_energy(list[n], tally::floors, form.floor_weight * energies[n]);
      const std::vector<double>& expected = s.work->floor_density[s.work->own(list[n])];
      const double* dense = account.data() + s.work->own(list[n]) * cells;
      for (std::size_t c = 0; c < cells; ++c) EXPECT_EQ(dense[c], expected.empty() ? 0 : expected[c]);
    }
    EXPECT_TRUE(same_bits(books(mine), books(s.work->sums)));
  }
}

TEST_P(cells_with_gravity, what_gravity_takes) {
  compare_cells([&](int leaf) { set_density(s, leaf); },
                [&](const state_view& v) {
                  return density_cells{v, list.data()};
                });
  compare_cells([&](int leaf) { set_mean_potential(s, leaf); },
                [&](const state_view& v) {
                  return mean_potential_cells{v, list.data()};
                });
}

TEST_P(cells_with_gravity, gravity_work) {
  for (const int stage : {0, 1}) {
    compare_cells([&](int leaf) { add_work(s, dt, stage, leaf); },
                  [&](const state_view& v) {
                    return work_cells{v, dt, stage, list.data()};
                  });
  }
}

TEST_P(cells_with_gravity, books_of_potential_energy) {
  std::vector<double> account(static_cast<std::size_t>(s.tree.leaves()) * cells, 0.0);
  for (const int leaf : {list[0], list[3]}) {
    std::vector<double>& added = s.work->floor_density[s.work->own(leaf)];
    added.resize(cells);
    fill(added.data(), cells, -1);
    std::ranges::copy(added, account.begin() + static_cast<std::ptrdiff_t>(s.work->own(leaf)) * cells);
  }
  std::vector<double> through_faces = room(mesh::faces), of_floors = room(1);
  place.for_each(numbers(1),
                 potential_books{view(s), dt, 2, list.data(), account.data(), through_faces.data(), of_floors.data()});
  tally mine(s.links->share(), s.fields.species());
  s.work->sums.clear();
  for (std::size_t n = 0; n < list.size(); ++n) {
    book_potential(s, dt, 2, list[n]);
    for (int face = 0; face < mesh::faces; ++face) {
      mine.add_energy(list[n], face, through_faces[n * mesh::faces + static_cast<std::size_t>(face)]);
    }
    mine.add_energy(list[n], tally::floors, of_floors[n]);
  }
  EXPECT_TRUE(same_bits(books(mine), books(s.work->sums)));
  EXPECT_NE(books(mine), std::vector<double>(books(mine).size(), 0.0));
}

TEST_P(phase_cells, tracer) {
  list.push_back(0);  // the processor takes all leaves
  for (const int leaf : list) fill(s.u.at(leaf, s.fields.entropy()), cells, 0);
  s.links->restrict_scalar(s.u, s.fields.energy());
  std::vector<double> energy = room(mesh::ghosted_cells);
  for (std::size_t n = 0; n < list.size(); ++n) {
    s.work->ghosts.gather_scalar(s.u, list[n], s.fields.energy(), energy.data() + n * mesh::ghosted_cells);
  }
  compare([&] { dual_energy_phase(s); },
          [&](const state_view& v) {
            place.for_each(numbers(cells), tracer_cells{v, list.data(), energy.data()});
          });
}

}  // namespace
}  // namespace rednova::step
