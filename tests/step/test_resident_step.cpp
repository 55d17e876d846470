// Whole steps as a device takes them, here on the processor: the phases of the cores' engine, launch by launch.
#include "step/resident_step.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "core/check.hpp"
#include "processor_place.hpp"
#include "step/collapse.hpp"
#include "step/device_room.hpp"

namespace rednova::step {
namespace {

using resident = resident_step<test::processor_place>;

std::unique_ptr<engine> resident_engine(simulation& s) {
  return std::make_unique<resident>(test::processor_place{}, s);
}

/// The same with few leaves a launch.
std::unique_ptr<engine> engine_of_small_launches(simulation& s) {
  return std::make_unique<resident>(test::processor_place{}, s, 7);
}

/// A dense cold ball in next to nothing, both at many times the sound speed.
void throw_a_ball(simulation& s) {
  const mesh::fields& f = s.fields;
  const core::vec3d v{3, 1, 0};
  for (int leaf = 0; leaf < s.tree.leaves(); ++leaf) {
    for (int c = 0; c < mesh::cells; ++c) {
      const core::vec3d x = s.tree.centre(leaf, c % mesh::N, c / mesh::N % mesh::N, c / mesh::N / mesh::N);
      const double rho = dot(x, x) < 0.03 ? 1 : 1e-7, e = s.eos.internal_energy(rho, 0.02 * rho);
      s.u.at(leaf, 0)[c] = s.u.at(leaf, 1)[c] = 0.5 * rho;
      for (int d = 0; d < 3; ++d) s.u.at(leaf, f.momentum(d))[c] = rho * v[d];
      for (int d = 0; d < 3; ++d) s.u.at(leaf, f.spin(d))[c] = 0;
      s.u.at(leaf, f.energy())[c] = e + 0.5 * rho * dot(v, v);
      s.u.at(leaf, f.entropy())[c] = s.eos.entropy_tracer(e);
    }
  }
  prepare(s);
}

/// Some steps of the collapse on a mesh that adapts; the fields are the host's in the end.
void run(simulation& s, int steps, void (*change)(simulation&)) {
  start_collapse(s);
  if (change != nullptr) change(s);
  for (int n = 0; n < steps; ++n) {
    s.par.refine.density = n < 3 ? 2 : 0.7;
    if (n % 3 == 2) adapt(s);
    advance(s, 1e9);
  }
  s.runs_on->fetch();
}

/// The same steps by the cores and by the resident engine.
struct both {
  explicit both(const config::parameters& p, int steps,
                const std::function<std::unique_ptr<engine>(simulation&)>& make = resident_engine,
                void (*change)(simulation&) = nullptr)
      : cores(p, where), resident(p, where) {
    resident.make_engine = make;
    run(cores, steps, change);
    run(resident, steps, change);
  }
  exec::context where;
  simulation cores, resident;
};

/// All numbers of the books, in a row.
std::vector<double> numbers(const ledger& books) {
  std::vector<double> all;
  const auto add = [&](const totals& t) {
    all.insert(all.end(), t.species.begin(), t.species.end());
    for (int d = 0; d < 3; ++d) all.insert(all.end(), {t.momentum[d], t.angular_momentum[d]});
    all.push_back(t.energy);
  };
  for (const totals* t : {&books.initial, &books.grid, &books.magnitude, &books.floors, &books.regrid}) add(*t);
  for (const totals& side : books.outflow) add(side);
  return all;
}

void expect_same_bits(const both& b) {
  ASSERT_EQ(b.resident.tree.leaves(), b.cores.tree.leaves());
  EXPECT_EQ(b.resident.time, b.cores.time);
  EXPECT_EQ(numbers(b.resident.books), numbers(b.cores.books));
  for (int leaf = 0; leaf < b.cores.tree.leaves(); ++leaf) {
    ASSERT_EQ(std::memcmp(b.resident.u.at(leaf), b.cores.u.at(leaf),
                          sizeof(double) * mesh::cells * static_cast<std::size_t>(b.cores.fields.size())),
              0)
        << "leaf " << leaf;
  }
}

// Without gravity nothing is added up in another order.
TEST(resident_step, has_the_bits_of_the_cores) {
  for (const bool spin : {true, false}) {
    for (const auto scheme : {config::integrator::rk3, config::integrator::rk2}) {
      SCOPED_TRACE(fmt::format("spin {}, {} stages", spin, scheme == config::integrator::rk3 ? 3 : 2));
      const both b(collapse_parameters({.rotation = 1.7, .scheme = scheme, .spin = spin}), 7);
      EXPECT_GT(b.cores.tree.max_level(), 2);
      EXPECT_NE(b.cores.books.total_outflow().momentum.z, 0);
      expect_same_bits(b);
    }
  }
}

TEST(resident_step, has_the_bits_of_the_cores_where_floors_act) {
  config::parameters p = collapse_parameters({.rotation = 1.7, .max_level = 2});
  p.hydro.density_floor = 0.0098;
  p.hydro.heat_ceiling = 20;
  const both b(p, 7);
  EXPECT_GT(b.cores.books.floors.mass(), 0);
  EXPECT_LT(b.cores.books.floors.energy, 0);
  expect_same_bits(b);
}

TEST(resident_step, has_the_bits_of_the_cores_with_few_leaves_a_launch) {
  expect_same_bits(both(collapse_parameters({.rotation = 1.7}), 4, engine_of_small_launches));
}

// The ball's edge drains thin cells, which first-order fluxes must mend.
TEST(resident_step, has_the_bits_of_the_cores_where_stages_are_repeated) {
  for (const auto& engine : {resident_engine, engine_of_small_launches}) {
    both b(collapse_parameters({.rotation = 1.7}), 4, engine, throw_a_ball);
    EXPECT_TRUE(b.where.times().entries().contains("hydro again"));
    expect_same_bits(b);
  }
}

TEST(resident_step, has_the_bits_of_the_cores_between_periodic_and_reflecting_sides) {
  config::parameters p = collapse_parameters({});
  using config::boundary;
  p.mesh.boundaries = {boundary::periodic,   boundary::periodic, boundary::reflecting,
                       boundary::reflecting, boundary::outflow,  boundary::zero_gradient};
  expect_same_bits(both(p, 7));
}

// The resident solve adds up far sources in another order (1e-15 of the largest field, test_resident_solve.cpp).
TEST(resident_step, agrees_with_the_cores_where_there_is_gravity) {
  const both b(collapse_parameters({.rotation = 1.7, .gravity = true}), 7);
  ASSERT_EQ(b.resident.tree.leaves(), b.cores.tree.leaves());
  const mesh::fields& f = b.cores.fields;
  for (int field = 0; field < f.size(); ++field) {
    double largest = 0, difference = 0;
    for (int leaf = 0; leaf < b.cores.tree.leaves(); ++leaf) {
      for (int c = 0; c < mesh::cells; ++c) {
        const double expected = b.cores.u.at(leaf, field)[c];
        largest = std::max(largest, std::fabs(expected));
        difference = std::max(difference, std::fabs(b.resident.u.at(leaf, field)[c] - expected));
      }
    }
    EXPECT_LT(difference, 1e-12 * largest) << f[field].name;
    EXPECT_GT(largest, 0);
  }
  // What is conserved is so to rounding: as in test_conservation.cpp.
  const totals r = b.resident.books.remainder(), &m = b.resident.books.magnitude;
  for (std::size_t k = 0; k < r.species.size(); ++k) EXPECT_LT(std::fabs(r.species[k]), 1e-14 * m.species[k]);
  for (int d = 0; d < 3; ++d) {
    EXPECT_LT(std::fabs(r.momentum[d]), 1e-14 * m.momentum[d]);
    EXPECT_LT(std::fabs(r.angular_momentum[d]), 1e-14 * m.angular_momentum[d]);
  }
  EXPECT_LT(std::fabs(r.energy), 1e-13 * m.energy);
}

TEST(resident_step, estimates_its_memory) {
  exec::context where;
  for (const bool gravity : {false, true}) {
    simulation s(collapse_parameters({.rotation = 1.7, .gravity = gravity}), where);
    s.make_engine = resident_engine;
    start_collapse(s);
    const double estimate = least_device_memory(s.par, s.tree.leaves()), held = s.runs_on->device_bytes();
    std::printf("%.4g MB, estimated %.4g\n", held * 1e-6, estimate * 1e-6);
    // What the estimate leaves out, lists of leaves, registers and boundaries, is a few hundredths of the fields.
    EXPECT_LE(estimate, held);
    EXPECT_GT(estimate, 0.85 * held);
  }
}

TEST(device_room, names_the_deepest_level_that_fits) {
  exec::context where;
  simulation s(collapse_parameters({.gravity = true}), where);
  start_collapse(s);
  ASSERT_EQ(s.tree.max_level(), 3);
  const std::vector<int> by_level = s.tree.leaves_by_level();
  const double cut = by_level[0] + by_level[1] + by_level[2] + by_level[3] / 8.0;
  expect_device_room(s.par, s.tree, least_device_memory(s.par, s.tree.leaves()));
  try {
    expect_device_room(s.par, s.tree, 1.01 * least_device_memory(s.par, cut));
    ADD_FAILURE() << "it does not fit";
  } catch (const core::user_error& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("set mesh.max_level to 2"));
  }
  try {
    expect_device_room(s.par, s.tree, 1);
    ADD_FAILURE() << "nothing fits";
  } catch (const core::user_error& e) {
    EXPECT_THAT(e.what(), testing::EndsWith("free: leave out --device gpu"));
  }
}

}  // namespace
}  // namespace rednova::step
