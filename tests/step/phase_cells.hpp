// The phases of a step for single cells, as a device runs them, against the processor's loops, on any place: the same
// bits but for a device's powers. Arrays hold random numbers before, so that what is not written shows.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <optional>

#include "stage_arrays.hpp"
#include "stage_of_collapse.hpp"
#include "step/bad_cells.hpp"
#include "step/correct_cells.hpp"
#include "step/floor_leaves.hpp"
#include "step/stage_cells.hpp"
#include "step/tracer_cells.hpp"
#include "step/work_cells.hpp"

namespace rednova::step::test {

using exec::test::different;
using exec::test::to_host;
using mesh::cells;

template <class Opened>
class phase_cells : public exec::test::place_test<Opened> {
 protected:
  /// Calls body(stage) with and without gravity, turning and spin.
  template <class Body>
  void for_physics(const Body& body) const {
    for_gravity(body);
    for (const physics& p : {physics{false, 0.5, true}, physics{false, 0, false}}) run(p, body);
  }
  template <class Body>
  void for_gravity(const Body& body) const {
    for (const physics& p : {physics{true, 0.5, true}, physics{true, 0, false}}) run(p, body);
  }
  /// Runs both and compares all arrays, of which some must have changed. before(view): fills the arrays that the place
  /// gets.
  template <class OnProcessor, class OnPlace>
  void compare(stage_of_collapse& of, const OnProcessor& on_processor, const OnPlace& on_place, double relative = 0,
               const std::function<void(const state_view&)>& before = nullptr) const {
    const stage_arrays start(of.s), mine(of.s);
    if (before) before(mine.at);
    const stage_there there(this->here(), of.s, mine);
    on_place(there.at);
    on_processor();
    const stage_arrays expected(of.s);
    const std::vector<std::vector<double>> found = there.numbers();
    bool changed = false;
    for (std::size_t n = 0; n < expected.all.size(); ++n) {
      EXPECT_EQ(different(found[n], expected.all[n], relative), 0) << "array " << n;
      changed = changed || different(start.all[n], expected.all[n]) > 0;
    }
    EXPECT_TRUE(changed);
  }
  /// The same for a functor of cells and a function of leaves. kernel_of(view, list).
  template <class OnLeaf, class KernelOf>
  void compare_cells(stage_of_collapse& of, const OnLeaf& on_leaf, const KernelOf& kernel_of) const {
    const auto list = this->here().copy_of(of.list);
    compare(
        of,
        [&] {
          for (const int leaf : of.list) on_leaf(leaf);
        },
        [&](const state_view& v) { this->here().for_each(of.numbers(cells), kernel_of(v, list.data())); });
  }

 private:
  template <class Body>
  void run(const physics& p, const Body& body) const {
    SCOPED_TRACE(testing::Message() << "gravity " << p.gravity << ", rotation " << p.rotation << ", spin " << p.spin);
    stage_of_collapse of(p);
    body(of);
  }
};
TYPED_TEST_SUITE_P(phase_cells);

TYPED_TEST_P(phase_cells, start) {
  this->for_physics([this](stage_of_collapse& of) {
    this->compare_cells(
        of, [&](int leaf) { start_step(of.s, leaf); },
        [](const state_view& v, const int* list) {
          return start_cells{v, list};
        });
  });
}

/// The sums of fluxes through the domain's faces, as update_leaf has left them.
inline void expect_outflow(const stage_of_collapse& of, const std::vector<boundary_face>& ends,
                           const std::vector<double>& sums) {
  const int species = of.s.fields.species();
  const auto width = static_cast<std::size_t>(numbers_of_outflow(species));
  ASSERT_FALSE(ends.empty());
  for (std::size_t n = 0; n < ends.size(); ++n) {
    const totals mine(sums.data() + n * width, of.s.fields.species());
    const std::size_t at = of.s.work->own(ends[n].leaf) * mesh::faces + static_cast<std::size_t>(ends[n].face);
    const totals& expected = of.s.work->leaf_outflow[at];
    for (std::size_t i = 0; i < unbound_criteria; ++i)
      EXPECT_EQ(sums[n * width + static_cast<std::size_t>(species + vector_and_energy) + i],
                of.s.work->leaf_unbound[at][i]);
    EXPECT_EQ(mine.species, expected.species);
    EXPECT_EQ(mine.momentum, expected.momentum);
    EXPECT_EQ(mine.angular_momentum, expected.angular_momentum);
    EXPECT_EQ(mine.energy, expected.energy);
    EXPECT_EQ(mine.spin, expected.spin);
  }
}

TYPED_TEST_P(phase_cells, update) {
  this->for_physics([this](stage_of_collapse& of) {
    const auto& here = this->here();
    const auto list = here.copy_of(of.list);
    for (int stage = 0; stage < 3; ++stage) {
      const stage_form& form = of.scheme[static_cast<std::size_t>(stage)];
      std::vector<exec::task> none;
      of.s.work->add_flux_tasks(none);
      const int width = numbers_of_outflow(of.s.fields.species());
      std::optional<fluxes> by;
      std::vector<double> sums;
      this->compare(
          of,
          [&] {
            for (const int leaf : of.list) update_leaf(of.s, form, of.dt, stage, leaf);
          },
          [&](const state_view& v) {
            if (v.has_gravity()) {
              here.for_each(of.numbers(3 * face_values), flow_values{v, form, stage, list.data()});
              here.for_each(of.numbers(mesh::faces * mesh::N * mesh::N), leave_flows{v, stage, list.data()});
            }
            const auto ends = here.copy_of(by->ends);
            const auto outer = here.copy_of(by->outer), rate = here.copy_of(by->rate);
            auto found =
                here.copy_of(std::vector<double>(by->ends.size() * static_cast<std::size_t>(width), std::nan("")));
            here.for_each(static_cast<int>(by->ends.size()), boundary_sums{v, ends.data(), outer.data(), found.data()});
            const stage_turns turns(v.rotation, form, of.dt);
            here.for_each(of.numbers(cells), finish_cells{v, form, turns, of.dt, list.data(), rate.data()});
            sums = to_host(here, found);
          },
          0, [&](const state_view& v) { by.emplace(of.s, v, exchange_of(form, of.dt), stage, of.list); });
      expect_outflow(of, by->ends, sums);
    }
  });
}

TYPED_TEST_P(phase_cells, flux_correction) {
  this->for_physics([this](stage_of_collapse& of) {
    std::erase_if(of.list, [&](int leaf) { return of.s.work->faces.coarse_faces(leaf).empty(); });
    ASSERT_GT(of.list.size(), 1u);
    for (const stage_form& form : of.scheme) {
      auto rate = this->here().copy_of(of.room(of.s.fields.evolved() * cells));
      this->compare_cells(
          of, [&](int leaf) { correct_fluxes(of.s, form, of.dt, leaf); },
          [&](const state_view& v, const int* list) {
            const turn from_here = stage_turns(v.rotation, form, of.dt).from_here;
            return correct_cells{v, form, from_here, of.dt, list, rate.data()};
          });
    }
  });
}

TYPED_TEST_P(phase_cells, bad) {
  this->for_physics([this](stage_of_collapse& of) {
    const auto& here = this->here();
    of.s.work->next = of.s.u;
    of.spoil(of.s.work->next, 1);
    mesh::block_data marks(of.s.links->nodes(), 1);
    const std::vector<double> none = mesh::test::numbers(marks);
    auto mine = here.copy_of(std::vector<double>(none.size(), 1.0));
    here.for_each(static_cast<int>(none.size()), no_marks{mine.data()});
    EXPECT_EQ(to_host(here, mine), none);
    const stage_there there(here, of.s, stage_arrays(of.s));
    const auto list = here.copy_of(of.list);
    for (const bool marked : {false, true, true}) {
      auto flags = here.copy_of(std::vector<std::uint8_t>(of.list.size() * cells, 77));
      auto found_there = here.copy_of(std::vector<std::uint8_t>(of.list.size(), 77));
      mesh::block_view<double> of_mine;
      if (marked) of_mine = {mine.data(), nullptr, 0, 1};
      here.for_each(of.numbers(cells), bad_cells{there.at, of.dt, list.data(), of_mine, flags.data()});
      here.for_each(of.numbers(1), bad_leaves{list.data(), flags.data(), of_mine, found_there.data()});
      const std::vector<std::uint8_t> found = to_host(here, found_there);
      int count = 0;
      for (std::size_t n = 0; n < of.list.size(); ++n) {
        const bool expected = find_bad_cells(of.s, of.list[n], of.dt, marked ? marks.at(of.list[n]) : nullptr);
        EXPECT_EQ(found[n], expected ? 1 : 0) << n;
        count += expected ? 1 : 0;
      }
      EXPECT_EQ(to_host(here, mine), mesh::test::numbers(marks));
      // Not a rounding error, nor too much heat, nor an energy that the quick look lets pass.
      if (!marked) {
        EXPECT_EQ(count, 6);
      }
    }
    // Those that were marked are not found again.
    EXPECT_EQ(std::ranges::count(mesh::test::numbers(marks), 1.0), 1 + 5 * 2);
  });
}

TYPED_TEST_P(phase_cells, first_order) {
  const auto& here = this->here();
  const std::vector<double> marks{0, 1, 0.125, -1, 0, 1e-300};
  const auto there = here.copy_of(marks);
  auto found = here.copy_of(std::vector<std::uint8_t>(marks.size(), 77));
  here.for_each(static_cast<int>(marks.size()), first_order_cells{there.data(), found.data()});
  EXPECT_EQ(to_host(here, found), (std::vector<std::uint8_t>{0, 1, 1, 0, 0, 1}));
}

/// What floors have added on a place, compared with the books of the processor.
template <class Vector>
void expect_booked(const stage_of_collapse& of, const stage_form& form, const Vector& account, const Vector& masses,
                   const Vector& energies) {
  tally mine(of.s.links->share(), of.s.fields.species());
  for (std::size_t n = 0; n < of.list.size(); ++n) {
    totals added(of.s.fields.species());
    for (std::size_t k = 0; k < added.species.size(); ++k) added.species[k] = masses[n * added.species.size() + k];
    mine.add(of.list[n], tally::floors, form.floor_weight, added);
    mine.add_energy(of.list[n], tally::floors, form.floor_weight * energies[n]);
    const std::vector<double>& expected = of.s.work->floor_density[of.s.work->own(of.list[n])];
    const double* dense = account.data() + of.s.work->own(of.list[n]) * cells;
    for (std::size_t c = 0; c < cells; ++c) EXPECT_EQ(dense[c], expected.empty() ? 0 : expected[c]);
  }
  EXPECT_EQ(different(of.books(mine), of.books(of.s.work->sums)), 0);
}

TYPED_TEST_P(phase_cells, floors) {
  this->for_physics([this](stage_of_collapse& of) {
    const auto& here = this->here();
    const auto list = here.copy_of(of.list);
    const int all = of.s.tree.leaves() * cells;
    auto account = here.copy_of(std::vector<double>(static_cast<std::size_t>(all), std::nan("")));
    for (int stage = 0; stage < 3; ++stage) {
      const stage_form& form = of.scheme[static_cast<std::size_t>(stage)];
      of.spoil(of.s.u, static_cast<std::size_t>(stage));  // each time other leaves, too
      of.s.work->sums.clear();
      const int species = of.s.fields.species();
      auto of_rows = here.copy_of(of.room(rows_of_leaf * species));
      auto masses = here.copy_of(of.room(species)), energies = here.copy_of(of.room(1));
      auto flags = here.copy_of(std::vector<std::uint8_t>(of.list.size() * cells, 7));
      this->compare(
          of,
          [&] {
            for (const int leaf : of.list) raise_density(of.s, form, stage, 0.3, leaf);
            for (const int leaf : of.list) raise_energy(of.s, form, leaf);
          },
          [&](const state_view& v) {
            here.for_each(all, weigh_floor_density{form, stage, account.data()});
            here.for_each(of.numbers(cells), limit_cells{v, list.data(), flags.data()});
            here.for_each(of.numbers(rows_of_leaf),
                          raise_densities{v, list.data(), flags.data(), account.data(), of_rows.data()});
            here.for_each(of.numbers(species), add_rows{flags.data(), of_rows.data(), species, masses.data()});
            here.for_each(of.numbers(cells), limit_cells{v, list.data(), flags.data()});
            here.for_each(of.numbers(rows_of_leaf), raise_energies{v, list.data(), flags.data(), of_rows.data()});
            here.for_each(of.numbers(1), add_rows{flags.data(), of_rows.data(), 1, energies.data()});
          },
          TypeParam::of_powers);
      // Heat is no power; the tracer is one of it.
      expect_booked(of, form, to_host(here, account), to_host(here, masses), to_host(here, energies));
    }
  });
}

TYPED_TEST_P(phase_cells, what_gravity_takes) {
  this->for_gravity([this](stage_of_collapse& of) {
    this->compare_cells(
        of, [&](int leaf) { set_density(of.s, leaf); },
        [](const state_view& v, const int* list) {
          return density_cells{v, list};
        });
    this->compare_cells(
        of, [&](int leaf) { set_mean_potential(of.s, leaf); },
        [](const state_view& v, const int* list) {
          return mean_potential_cells{v, list};
        });
    this->compare_cells(
        of, [&](int leaf) { set_acceleration(of.s, leaf); },
        [](const state_view& v, const int* list) {
          return acceleration_cells{v, list};
        });
  });
}

TYPED_TEST_P(phase_cells, gravity_work) {
  this->for_gravity([this](stage_of_collapse& of) {
    for (const int stage : {0, 1}) {
      this->compare_cells(
          of, [&](int leaf) { add_work(of.s, of.dt, stage, leaf); },
          [&](const state_view& v, const int* list) {
            return work_cells{v, of.dt, stage, list};
          });
    }
  });
}

TYPED_TEST_P(phase_cells, books_of_potential_energy) {
  this->for_gravity([this](stage_of_collapse& of) {
    const auto& here = this->here();
    std::vector<double> account(static_cast<std::size_t>(of.s.tree.leaves()) * cells, 0.0);
    for (const int leaf : {of.list[0], of.list[3]}) {
      std::vector<double>& added = of.s.work->floor_density[of.s.work->own(leaf)];
      added.resize(cells);
      fill(added.data(), cells, -1);
      std::ranges::copy(added, account.begin() + static_cast<std::ptrdiff_t>(of.s.work->own(leaf)) * cells);
    }
    const auto list = here.copy_of(of.list);
    const auto account_there = here.copy_of(account);
    auto through = here.copy_of(of.room(mesh::faces)), floors = here.copy_of(of.room(1));
    const stage_there there(here, of.s, stage_arrays(of.s));
    here.for_each(of.numbers(1), potential_books{there.at, of.dt, 2, list.data(), account_there.data(), through.data(),
                                                 floors.data()});
    const std::vector<double> through_faces = to_host(here, through), of_floors = to_host(here, floors);
    tally mine(of.s.links->share(), of.s.fields.species());
    of.s.work->sums.clear();
    for (std::size_t n = 0; n < of.list.size(); ++n) {
      book_potential(of.s, of.dt, 2, of.list[n]);
      for (int face = 0; face < mesh::faces; ++face) {
        mine.add_energy(of.list[n], face, through_faces[n * mesh::faces + static_cast<std::size_t>(face)]);
      }
      mine.add_energy(of.list[n], tally::floors, of_floors[n]);
    }
    EXPECT_EQ(different(of.books(mine), of.books(of.s.work->sums)), 0);
    EXPECT_NE(of.books(mine), std::vector<double>(of.books(mine).size(), 0.0));
  });
}

TYPED_TEST_P(phase_cells, tracer) {
  this->for_physics([this](stage_of_collapse& of) {
    const auto& here = this->here();
    of.list.push_back(0);  // the processor takes all leaves
    for (const int leaf : of.list) fill(of.s.u.at(leaf, of.s.fields.entropy()), cells, 0);
    of.s.links->restrict_scalar(of.s.u, of.s.fields.energy());
    std::vector<double> energy = of.room(mesh::ghosted_cells);
    for (std::size_t n = 0; n < of.list.size(); ++n) {
      of.s.work->ghosts.gather_scalar(of.s.u, of.list[n], of.s.fields.energy(),
                                      energy.data() + n * mesh::ghosted_cells);
    }
    const auto list = here.copy_of(of.list);
    const auto around = here.copy_of(energy);
    this->compare(
        of, [&] { dual_energy_phase(of.s); },
        [&](const state_view& v) {
          here.for_each(of.numbers(cells), tracer_cells{v, list.data(), around.data()});
        },
        TypeParam::of_powers);
  });
}

REGISTER_TYPED_TEST_SUITE_P(phase_cells, start, update, flux_correction, bad, first_order, floors, what_gravity_takes,
                            gravity_work, books_of_potential_energy, tracer);

}  // namespace rednova::step::test
