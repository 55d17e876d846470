// The functors of a stage, as a device runs them for single cells, against the cores' loops over packs, on any place:
// the same bits but for a device's powers. Arrays hold random numbers before, so that what is not written shows.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "stage_arrays.hpp"
#include "stage_of_collapse.hpp"
#include "step/stage.hpp"

namespace rednova::step::test {

using exec::test::different;
using exec::test::to_host;
using mesh::cells;

/// What functors use beside the state.
struct buffers {
  double *rate, *rows, *sums, *more_sums, *around;
  std::uint8_t *flags, *bytes;
};

/// Numbers of the buffers for a list of leaves, random but for the flags.
struct buffer_values {
  explicit buffer_values(const stage_of_collapse& of) {
    const std::size_t leaves = of.list.size(), species = static_cast<std::size_t>(of.s.fields().species());
    const std::size_t fields = static_cast<std::size_t>(of.s.fields().evolved());
    const std::size_t own = static_cast<std::size_t>(of.s.tree().leaves());
    for (const std::size_t count : {leaves * fields * cells, leaves * rows_of_leaf * species, own * mesh::faces,
                                    own * mesh::faces, leaves * mesh::ghosted_cells}) {
      numbers.emplace_back(count);
      fill(numbers.back().data(), count, 1e-3);
    }
    bytes = {std::vector<std::uint8_t>(leaves * cells), std::vector<std::uint8_t>(leaves * mesh::ghosted_cells)};
  }
  std::vector<std::vector<double>> numbers;
  std::vector<std::vector<std::uint8_t>> bytes;
};
template <class Numbers, class Bytes>
buffers point_into(Numbers& numbers, Bytes& bytes) {
  return {numbers[0].data(), numbers[1].data(), numbers[2].data(), numbers[3].data(),
          numbers[4].data(), bytes[0].data(),   bytes[1].data()};
}

template <class Opened>
class stage_functors : public exec::test::space_test<Opened> {
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
  /// Runs body(loops, view, buffers) with the cores' loops and with the execution space's launches, and compares all
  /// arrays, of which some must have changed. loops.cells(functor), loops.items(numbers, functor), loops.each(count,
  /// functor).
  template <class Body>
  void compare(stage_of_collapse& of, buffer_values mine, const Body& body, double relative = 0) const {
    const auto& here = this->here();
    stage_arrays state(of.s);
    const stage_arrays start(of.s);
    stage_there there(here, of.s, state);
    const auto list = here.copy_of(of.list);
    std::vector<typename Opened::place::template array<double>> numbers;
    std::vector<typename Opened::place::template array<std::uint8_t>> bytes;
    for (const auto& values : mine.numbers) numbers.push_back(here.copy_of(values));
    for (const auto& values : mine.bytes) bytes.push_back(here.copy_of(values));
    const int count = static_cast<int>(of.list.size());
    body(launches{here, list.data(), count}, there.at, point_into(numbers, bytes));
    const buffer_values before = mine;
    body(loops_on_host{{-1, 0, of.list.data(), count, nullptr, 0, 0, 0}}, state.at,
         point_into(mine.numbers, mine.bytes));

    const std::vector<std::vector<double>> found = there.numbers();
    bool changed = false;
    const auto check = [&](const std::vector<double>& mine_now, const std::vector<double>& there_now,
                           const std::vector<double>& then, const char* what, std::size_t n) {
      EXPECT_EQ(different(there_now, mine_now, relative), 0) << what << " " << n;
      changed = changed || different(then, mine_now) > 0;
    };
    for (std::size_t n = 0; n < found.size(); ++n) check(state.all[n], found[n], start.all[n], "array", n);
    for (std::size_t n = 0; n < numbers.size(); ++n)
      check(mine.numbers[n], to_host(here, numbers[n]), before.numbers[n], "buffer", n);
    for (std::size_t n = 0; n < bytes.size(); ++n) {
      EXPECT_EQ(to_host(here, bytes[n]), mine.bytes[n]) << "flags " << n;
      changed = changed || mine.bytes[n] != before.bytes[n];
    }
    EXPECT_TRUE(changed);
  }
  template <class Body>
  void compare(stage_of_collapse& of, const Body& body, double relative = 0) const {
    compare(of, buffer_values(of), body, relative);
  }

 private:
  struct launches {
    typename Opened::place here;
    const int* list;
    int count;
    template <class Functor>
    void cells(const Functor& f) const {
      here.for_each(count * mesh::cells, launched_cells<Functor>{f, list});
    }
    template <class Functor>
    void items(int numbers, const Functor& f) const {
      here.for_each(count * numbers, launched_items<Functor>{f, list, numbers});
    }
  };
  struct loops_on_host {
    batch b;
    template <class Functor>
    void cells(const Functor& f) const {
      loop_over_cells(b, f);
    }
    template <class Functor>
    void items(int numbers, const Functor& f) const {
      loop_over_items(b, numbers, f);
    }
  };
  template <class Body>
  void run(const physics& p, const Body& body) const {
    SCOPED_TRACE(testing::Message() << "gravity " << p.gravity << ", rotation " << p.rotation << ", spin " << p.spin);
    stage_of_collapse of(p);
    body(of);
  }
};
TYPED_TEST_SUITE_P(stage_functors);

TYPED_TEST_P(stage_functors, start_of_a_step) {
  this->for_physics([this](stage_of_collapse& of) {
    this->compare(of, [](const auto& loop, const state_view& v, const buffers&) { loop.cells(start_cells{v}); });
  });
}

TYPED_TEST_P(stage_functors, sum_of_states) {
  this->for_physics([this](stage_of_collapse& of) {
    for (int stage = 0; stage < 3; ++stage) {
      const stage_form& form = of.scheme[static_cast<std::size_t>(stage)];
      this->compare(of, [&](const auto& loop, const state_view& v, const buffers& b) {
        if (v.has_gravity()) {
          loop.items(3 * face_values, accumulate_mass_flow{v, form, stage});
          loop.items(mesh::faces * mesh::N * mesh::N, register_mass_flow{v, stage});
        }
        loop.cells(finish_cells{v, form, stage_rotations(v.rotation, form, of.dt), of.dt, b.rate});
      });
    }
  });
}

TYPED_TEST_P(stage_functors, flux_correction) {
  this->for_physics([this](stage_of_collapse& of) {
    std::erase_if(of.list, [&](int leaf) { return of.work().faces.coarse_faces(leaf).empty(); });
    ASSERT_FALSE(of.list.empty());
    const stage_form& form = of.scheme[1];
    this->compare(of, [&](const auto& loop, const state_view& v, const buffers& b) {
      loop.items(cells, reflux_cells{v, form, stage_rotations(v.rotation, form, of.dt).from_here, of.dt, b.rate});
    });
  });
}

TYPED_TEST_P(stage_functors, invalid_cells) {
  this->for_physics([this](stage_of_collapse& of) {
    of.work().next = of.s.u();
    of.spoil(of.work().next, 1);
    for (const bool flagged : {false, true}) {
      buffer_values start(of);
      // flags stand where the sums would: [own leaf][cell] is more than they are
      start.numbers[2].assign(static_cast<std::size_t>(of.s.tree().leaves()) * cells, 0.0);
      start.numbers[2][static_cast<std::size_t>(of.list[2]) * cells + cells - 1] = 1;
      int found = 0;
      this->compare(of, start, [&](const auto& loop, const state_view& v, const buffers& b) {
        const mesh::block_view<double> flags{flagged ? b.sums : nullptr, nullptr, 0, 1};
        loop.cells(find_outstanding_cells{v, of.dt, b.flags});
        loop.items(rows_of_leaf, find_invalid_cells{v, of.dt, flags, b.flags});
        loop.items(1, find_invalid_leaves{v, b.flags, flags, b.bytes});
        ++found;
      });
      EXPECT_EQ(found, 2);
    }
  });
}

/// Each cell that spoil() has broken is found, but for the one that rounding explains and the cells that are but cold.
TYPED_TEST_P(stage_functors, finds_what_is_broken) {
  stage_of_collapse of({false, 0.5, true});
  of.work().next = of.s.u();
  of.spoil(of.work().next, 1);
  const state_view v = view(of.s, of.work());
  std::vector<std::uint8_t> flags(of.list.size() * cells), found(static_cast<std::size_t>(of.s.tree().leaves()));
  const batch all{-1, 0, of.list.data(), static_cast<int>(of.list.size()), nullptr, 0, 0, 0};
  loop_over_cells(all, find_outstanding_cells{v, of.dt, flags.data()});
  loop_over_items(all, rows_of_leaf, find_invalid_cells{v, of.dt, {}, flags.data()});
  loop_over_items(all, 1, find_invalid_leaves{v, flags.data(), {}, found.data()});
  // A negative species, one by a rounding, a fast cell, a hot one, no entropy, a negative one, NaN, minus infinity.
  const bool invalid[] = {true, false, true, false, true, true, true, true};
  for (std::size_t n = 0; n < std::size(invalid); ++n) {
    EXPECT_EQ(found[static_cast<std::size_t>(of.list[2 + n])], invalid[n] ? 1 : 0) << n;
  }
}

TYPED_TEST_P(stage_functors, first_order) {
  stage_of_collapse of({false, 0, false});
  buffer_values start(of);
  for (std::size_t i = 0; i < start.numbers[4].size(); i += 3) start.numbers[4][i] = 0;
  this->compare(of, start, [](const auto& loop, const state_view&, const buffers& b) {
    loop.items(mesh::ghosted_cells, first_order_cells{b.around, b.bytes});
  });
}

TYPED_TEST_P(stage_functors, floors) {
  this->for_physics([this](stage_of_collapse& of) {
    of.spoil(of.s.u(), 0);
    const int species = of.s.fields().species();
    for (const int stage : {0, 1}) {
      const stage_form& form = of.scheme[static_cast<std::size_t>(stage)];
      this->compare(
          of,
          [&](const auto& loop, const state_view& v, const buffers& b) {
            loop.cells(weigh_floor_density{v, form, stage});
            loop.cells(find_beyond_limits{v, b.flags});
            loop.items(rows_of_leaf, raise_densities{v, of.dt, b.flags, b.rows});
            loop.items(species, add_rows{b.flags, b.rows, species, b.sums, v.first_leaf});
            loop.cells(find_beyond_limits{v, b.flags});
            loop.items(rows_of_leaf, raise_energies{v, b.flags, b.rows});
            loop.items(1, add_rows{b.flags, b.rows, 1, b.more_sums, v.first_leaf});
          },
          TypeParam::of_powers);
    }
  });
}

TYPED_TEST_P(stage_functors, gravity) {
  this->for_gravity([this](stage_of_collapse& of) {
    this->compare(of, [&](const auto& loop, const state_view& v, const buffers&) {
      loop.cells(density_cells{v});
      loop.cells(acceleration_cells{v});
      loop.cells(last_pull_cells{v, of.dt});
    });
    this->compare(of, [&](const auto& loop, const state_view& v, const buffers&) {
      loop.cells(potential_sum_cells{v});
      loop.cells(work_cells{v, of.dt, 2});
    });
    this->compare(of, [&](const auto& loop, const state_view& v, const buffers& b) {
      loop.items(1, potential_energy_sums{v, of.dt, 2, b.sums, b.more_sums});
    });
  });
}

TYPED_TEST_P(stage_functors, outflow) {
  this->for_physics([this](stage_of_collapse& of) {
    const auto& here = this->here();
    std::vector<boundary_face> ends;
    const std::ptrdiff_t face = of.s.fields().evolved() * mesh::N * mesh::N;
    for (const int leaf : of.list) {
      for (int f = 0; f < mesh::faces; ++f) {
        if (on_boundary(mesh::view(of.s.tree()), leaf, f))
          ends.push_back({leaf, f, static_cast<std::ptrdiff_t>(ends.size()) * face});
      }
    }
    ASSERT_FALSE(ends.empty());
    std::vector<double> flux(ends.size() * static_cast<std::size_t>(face));
    fill(flux.data(), flux.size(), -1);
    const int numbers = numbers_of_outflow(of.s.fields().species()), count = static_cast<int>(ends.size());
    std::vector<double> rows(static_cast<std::size_t>(count * rows_of_face * numbers), std::nan(""));
    std::vector<double> sums(static_cast<std::size_t>(count * numbers), std::nan(""));
    stage_arrays state(of.s);
    const sum_boundary_fluxes on_host{state.at, ends.data(), flux.data(), rows.data()};
    for (int i = 0; i < count * rows_of_face; ++i) on_host(i);
    const add_boundary_rows of_faces{rows.data(), numbers, sums.data()};
    for (int i = 0; i < count * numbers; ++i) of_faces(i);
    const stage_there there(here, of.s, state);
    const auto ends_there = here.copy_of(ends);
    const auto flux_there = here.copy_of(flux);
    auto rows_there = here.copy_of(std::vector<double>(rows.size(), std::nan("")));
    auto sums_there = here.copy_of(std::vector<double>(sums.size(), std::nan("")));
    here.for_each(count * rows_of_face,
                  sum_boundary_fluxes{there.at, ends_there.data(), flux_there.data(), rows_there.data()});
    here.for_each(count * numbers, add_boundary_rows{rows_there.data(), numbers, sums_there.data()});
    EXPECT_EQ(different(to_host(here, sums_there), sums, TypeParam::of_powers), 0);
  });
}

/// The example of CONTRIBUTING.md.
struct drag_cells {
  state_view s;
  double factor;  ///< exp(-rate dt)

  template <class T>
  REDNOVA_FN void cells(const batch_cell& at) const {
    for (int d = 0; d < 3; ++d) {
      double* momentum = s.u.at(at.leaf, s.fields.momentum(d)) + at.cell;
      exec::store(momentum, T(factor * exec::load<T>(momentum)));
    }
  }
};

TYPED_TEST_P(stage_functors, a_phase_that_is_added) {
  this->for_physics([this](stage_of_collapse& of) {
    const double factor = std::exp(-0.3 * of.dt);
    this->compare(of, [&](const auto& loop, const state_view& v, const buffers&) {
      loop.cells(drag_cells{v, factor});
    });
  });
}

TYPED_TEST_P(stage_functors, tracer) {
  this->for_physics([this](stage_of_collapse& of) {
    this->compare(
        of,
        [&](const auto& loop, const state_view& v, const buffers& b) {
          loop.cells(synchronise_tracers{v, b.around});
        },
        TypeParam::of_powers);
  });
}

TYPED_TEST_P(stage_functors, sums) {
  this->for_physics([this](stage_of_collapse& of) {
    for (const std::vector<std::string>& names :
         {std::vector<std::string>{"a", "b", "c"}, {"accretor", "donor", "x"}}) {
      const star_species stars(names);
      this->compare(of, [&](const auto& loop, const state_view& v, const buffers& b) {
        loop.items(rows_of_leaf, sum_rows{v, stars, b.rate});
        // Two doubles each; there is room for 16 species of them.
        auto* const of_leaves = reinterpret_cast<core::compensated*>(b.around);
        loop.items(numbers_of_sums(v.fields.species(), stars.two()), add_row_sums{v, stars.two(), b.rate, of_leaves});
      });
    }
  });
}

REGISTER_TYPED_TEST_SUITE_P(stage_functors, start_of_a_step, sum_of_states, flux_correction, invalid_cells,
                            finds_what_is_broken, first_order, floors, gravity, outflow, a_phase_that_is_added, tracer,
                            sums);

}  // namespace rednova::step::test
