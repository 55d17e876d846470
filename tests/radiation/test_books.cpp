// What gas and light have together, on refined meshes and grids that turn, with random gas, opacities and speeds of
// light.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>

#include "light_box.hpp"

namespace {

using namespace rednova;
using core::vec3d;
using test::light_box;
using test::lit_gas;

mesh::tree refined_tree() {
  const mesh::domain box{.lower = {-0.4, -0.5, -0.6}, .base_width = 1};
  mesh::tree t = mesh::tree::uniform(box, 1);
  for (int round = 0; round < 2; ++round) {
    std::vector<int> flags(static_cast<std::size_t>(t.leaves()), 0);
    flags[static_cast<std::size_t>(t.leaf_at({0.13, -0.07, 0.03}))] = 1;
    t = mesh::tree(box, t.adapted(flags));
  }
  return t;
}

/// What gas is like in a part of the domain: powers of ten of rho c² and of its heat by volume.
struct span_of_gas {
  double thinnest, thickest, coldest, hottest;
};

/// Faces of leaves whose substeps are longer than those of leaves behind, of their level and of the one below, and how
/// many lengths there are, of the last step.
struct slow_meets_fast {
  int beside, finer;
  std::size_t lengths;
};
slow_meets_fast meetings_of(const light_box& box) {
  const radiation::local_substeps& pace = box.solver().pace();
  slow_meets_fast found{0, 0, pace.lengths().size()};
  for (int leaf = 0; leaf < box.tree().leaves(); ++leaf)
    for (int face = 0; face < mesh::faces; ++face) {
      const bool beside = pace.faster_beside(leaf, face) != mesh::no_block;
      found.beside += beside ? 1 : 0;
      found.finer += !beside && pace.sum(leaf, face) >= 0 ? 1 : 0;
    }
  return found;
}

/// The largest error of the books, as a share of what there was, over some steps; gas: in the lower and in the upper
/// part along x.
double error_of_books(mesh::tree t, double rotation, double c, const std::array<span_of_gas, 2>& gas,
                      double heat_capacity = 1e-6, slow_meets_fast* meetings = nullptr) {
  radiation::scheme by;
  by.k = {c, 1};
  by.substeps = 8;
  by.cfl = 0.2;
  by.opacities.constant = {1e-4, 3e-4};
  by.heat_capacity = heat_capacity;
  by.energy_floor = 1e-20;
  light_box box(std::move(t), test::escaping, by, rotation);
  std::mt19937 random(17);
  const auto power = [&](double low, double high) {
    return std::pow(10.0, std::uniform_real_distribution<double>(low, high)(random));
  };
  std::normal_distribution<double> normal;
  const double dt = 8 * 0.03 / c;
  box.fill(
      [&](vec3d x) {
        const span_of_gas& here = gas[x.x < 0.1 ? 0 : 1];
        const double e = power(-3, 1), rho = power(here.thinnest, here.thickest) / (c * c);
        vec3d f{normal(random), normal(random), normal(random)};
        f = (0.9 * c * e / radiation::length_of(f)) * f;
        return lit_gas{.density = rho,
                       .velocity = (1e-3 * c) * vec3d{normal(random), normal(random), normal(random)},
                       .heat = power(here.coldest, here.hottest),
                       .energy = e,
                       .flux = f};
      },
      dt);
  const light_box::books first = box.all();
  light_box::books size{};
  box.each_cell([&](int leaf, int n, vec3d x) {
    const double volume = std::pow(box.tree().cell_width(leaf), 3);
    vec3d p;
    for (int d = 0; d < 3; ++d)
      p[d] = std::abs(box.gas().at(leaf, box.fields().momentum(d))[n]) +
             std::abs(box.light().at(leaf, radiation::field::momentum(d))[n]);
    const vec3d at{std::abs(x.x), std::abs(x.y), std::abs(x.z)};
    size[0] +=
        volume * (box.gas().at(leaf, box.fields().energy())[n] + box.light().at(leaf, radiation::field::energy)[n]);
    for (int d = 0; d < 3; ++d) {
      const int a = (d + 1) % 3, b = (d + 2) % 3;
      size[static_cast<std::size_t>(1 + d)] += volume * p[d];
      size[static_cast<std::size_t>(4 + d)] += volume * (at[a] * p[b] + at[b] * p[a]);
    }
  });
  double worst = 0;
  for (int step = 0; step < 10; ++step) {
    box.advance(dt);
    box.book();
    const light_box::books now = box.all();
    for (std::size_t n = 0; n < now.size(); ++n) worst = std::max(worst, std::abs(now[n] - first[n]) / size[n]);
  }
  std::printf("books, %d leaves, rotation %g, c %g: %.1e; left %.2f of the energy, floors %.0e\n", box.tree().leaves(),
              rotation, c, worst, box.left()[0] / size[0], box.floors()[0] / size[0]);
  // Light has left, so the books of the boundary are under test.
  EXPECT_GT(box.left()[0], 1e-4 * size[0]);
  if (meetings != nullptr) *meetings = meetings_of(box);
  return worst;
}

constexpr span_of_gas any_gas{4, 9, -2, 2};

// Ten steps of 16 stages, each with the rounding of its sums: a walk of some 1e-15 at most.
TEST(books, close_on_a_uniform_mesh) {
  EXPECT_LT(error_of_books(mesh::tree::uniform({.lower = {-0.4, -0.5, -0.6}}, 1), 0, 1, {any_gas, any_gas}), 1e-13);
}
TEST(books, close_where_levels_meet) { EXPECT_LT(error_of_books(refined_tree(), 0, 1, {any_gas, any_gas}), 1e-13); }
TEST(books, close_on_a_grid_that_turns) {
  EXPECT_LT(error_of_books(refined_tree(), 0.01 * 30, 30, {any_gas, any_gas}), 1e-13);
}
TEST(books, close_where_blocks_differ_in_their_substeps) {
  // Thin gas beside opaque gas that is hotter than light, within levels and across their boundaries.
  const std::array<span_of_gas, 2> gas{span_of_gas{3, 6, -2, 2}, span_of_gas{6.5, 9, 2, 3}};
  slow_meets_fast there{};
  EXPECT_LT(error_of_books(refined_tree(), 0.01, 1, gas, 1e-3, &there), 1e-13);
  std::printf("%zu lengths, %d faces to faster leaves of the same level, %d to finer ones\n", there.lengths,
              there.beside, there.finer);
  EXPECT_GE(there.lengths, 3u);
  EXPECT_GE(there.beside, 4);
  EXPECT_GE(there.finer, 4);
}

struct driven_gas {
  double fastest, push;  ///< push: by the brightest light of each step, all from one side
  double coldest;        ///< heat by volume
};

/// Ten steps of beams that cross in gas of a thousandth of their density, of this mass opacity. In cells of
/// refined_tree() whose depth is far below 1 light has 1/50 of its speed, and so 50 times its momentum: what transport
/// leaves of it above cE would throw the gas out at 1e4 c. The books must close with what is cut off.
driven_gas thin_gas_in_beams(double opacity) {
  radiation::scheme by;
  by.k = {1, 1};
  by.substeps = 4;
  by.cfl = 0.2;
  by.opacities.constant = {0.3 * opacity, opacity};
  by.heat_capacity = 1e-6;
  by.energy_floor = 1e-20;
  light_box box(refined_tree(), test::escaping, by);
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  const double dt = 2, rho = 1e-3;
  const auto at = [&](vec3d) {
    vec3d f{normal(random), normal(random), normal(random)};
    const double e = std::exp(2 * normal(random));
    return lit_gas{.density = rho, .heat = 1e-6, .energy = e, .flux = (0.9 * e / radiation::length_of(f)) * f};
  };
  box.fill(at, dt);
  const light_box::books first = box.all();
  driven_gas found{0, 0, 1e99};
  for (int step = 0; step < 10; ++step) {
    double most = 0;
    box.each_cell([&](int leaf, int c, vec3d) { most = std::max(most, box.energy(leaf, c)); });
    found.push += opacity * most * dt;
    box.advance(dt);
    box.book();
  }
  box.each_cell([&](int leaf, int c, vec3d) {
    found.coldest = std::min(found.coldest, box.heat(leaf, c));
    for (int d = 0; d < 3; ++d)
      found.fastest = std::max(found.fastest, std::abs(box.gas().at(leaf, box.fields().momentum(d))[c]) / rho);
  });
  const light_box::books now = box.all(), &cut = box.floors();
  for (std::size_t n = 0; n < now.size(); ++n) EXPECT_NEAR(now[n], first[n], 1e-13 * first[0]) << n;
  const double momentum = radiation::length_of(vec3d{cut[1], cut[2], cut[3]});
  EXPECT_GT(momentum, 1e-6 * first[0]);  // it goes all ways
  std::printf(
      "beams in thin gas, opacity %g: velocity %.1e, at most %.1e; heat from %.1e on; cut %.1e of the momentum\n",
      opacity, found.fastest, found.push, found.coldest, momentum);
  return found;
}

TEST(books, slowed_light_does_not_drive_thin_gas) {
  const driven_gas gas = thin_gas_in_beams(3e-6);
  EXPECT_LT(gas.fastest, gas.push);
  EXPECT_GT(gas.coldest, 0);
}

TEST(books, uniform_light_stays_uniform_on_a_grid_that_turns) {
  // The grid sweeps over light at rest: w is constant on a face and has no divergence.
  for (const double opacity : {0.0, 1e3}) {
    radiation::scheme by;
    by.k = {100, 1};
    by.substeps = 4;
    by.opacities.constant = {0, opacity};
    by.energy_floor = 1e-20;
    std::array<config::boundary, 6> ends{};
    ends.fill(config::boundary::zero_gradient);
    light_box box(refined_tree(), ends, by, 0.7);
    const double dt = 0.002;
    box.fill([](vec3d) { return lit_gas{.density = 1e6, .heat = 1e6, .energy = 2}; }, dt);
    for (int step = 0; step < 5; ++step) box.advance(dt);
    box.each_cell([&](int leaf, int c, vec3d) {
      EXPECT_NEAR(box.energy(leaf, c), 2, 1e-13);
      EXPECT_LT(radiation::length_of(box.flux(leaf, c)), 1e-10);
    });
  }
}

}  // namespace
