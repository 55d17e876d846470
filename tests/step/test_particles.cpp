// Tracer particles: where they begin, and how gas carries them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "core/check.hpp"
#include "passing_clouds.hpp"
#include "step/particles.hpp"
#include "step/step.hpp"

namespace rednova::step {
namespace {

using config::boundary;
using core::vec3d;

config::parameters box(int count, int level = 1) {
  config::parameters p;
  p.mesh.min_level = p.mesh.max_level = level;
  p.tracers.count = count;
  return p;
}

/// Gas of density 1 and this velocity.
template <class Velocity>
void fill(simulation& s, const Velocity& velocity) {
  for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
    for (int c = 0; c < mesh::cells; ++c) {
      const vec3d v = velocity(mesh::view(s.tree()).centre(leaf, c));
      s.u().at(leaf, 0)[c] = 1;
      for (int d = 0; d < 3; ++d) s.u().at(leaf, s.fields().momentum(d))[c] = v[d];
      s.u().at(leaf, s.fields().energy())[c] = 1 + 0.5 * dot(v, v);
      s.u().at(leaf, s.fields().entropy())[c] = s.eos().ideal.tracer_of_heat(1);
    }
  }
  prepare(s);
}

TEST(particles, uniform_flow_carries_them_exactly) {
  config::parameters p = box(1000);
  p.mesh.boundaries.fill(boundary::periodic);
  exec::context context(1);
  simulation s(p, context);
  const vec3d v{0.7, -0.4, 0.2};
  fill(s, [v](vec3d) { return v; });
  const auto start = s.particles();
  ASSERT_EQ(start.size(), 1000U);
  for (int n = 0; n < 20; ++n) advance(s, 1e9);
  double worst = 0;
  for (std::size_t n = 0; n < start.size(); ++n) {
    EXPECT_TRUE(s.particles()[n].inside());
    for (int d = 0; d < 3; ++d) {
      const double off = s.particles()[n].position[d] - start[n].position[d] - s.time() * v[d];
      worst = std::max(worst, std::fabs(off - std::round(off)));  // in a periodic box with edges of 1
    }
  }
  EXPECT_GT(s.time() * v.x, 0.19);
  // Two dozen roundings of numbers up to 1 a step, of which few go the same way.
  EXPECT_LT(worst, 1e-14);
}

/// What is beyond the domain is gone, and when.
TEST(particles, those_that_leave_are_counted) {
  exec::context context(1);
  simulation s(box(4000), context);
  fill(s, [](vec3d) { return vec3d{1, 0, 0}; });
  const auto start = s.particles();
  for (int n = 0; n < 8; ++n) advance(s, 0.01);
  EXPECT_NEAR(s.time(), 0.08, 1e-15);
  int gone = 0;
  for (std::size_t n = 0; n < start.size(); ++n) {
    const tracer_particle& p = s.particles()[n];
    const double way = 0.5 - start[n].position.x;
    EXPECT_EQ(p.inside(), way > 0.08) << way;
    if (p.inside()) continue;
    ++gone;
    EXPECT_GE(p.left, way - 1e-14);
    EXPECT_LE(p.left, way + 0.01 + 1e-14);
  }
  EXPECT_NEAR(gone, 0.08 * 4000, 20);
}

/// A field of velocities that stays as it is, linear in space, so that the error is that of time.
double error_on_circles(int steps, double rotation) {
  exec::context context(1);
  config::parameters p = box(500);
  p.mesh.rotation = rotation;
  simulation s(p, context);
  fill(s, [](vec3d x) { return vec3d{-x.y, x.x, 0}; });
  std::vector<tracer_particle> moved = s.particles();
  const double time = 1;
  for (int n = 0; n < steps; ++n) particle_motion(s, moved).finish(s, time / steps, 0, moved);
  double worst = 0;
  const double turn = time * (1 - rotation);
  int inner = 0;
  for (std::size_t n = 0; n < moved.size(); ++n) {
    const vec3d x = s.particles()[n].position;
    if (std::hypot(x.x, x.y) > 0.4) continue;  // where the domain ends its ghosts are no circles
    ++inner;
    const vec3d exact{std::cos(turn) * x.x - std::sin(turn) * x.y, std::sin(turn) * x.x + std::cos(turn) * x.y, x.z};
    const vec3d off = moved[n].position - exact;
    worst = std::max(worst, std::sqrt(dot(off, off)));
  }
  EXPECT_GT(inner, 200);
  return worst;
}

TEST(particles, circles_close_with_the_second_order_of_the_step) {
  const double coarse = error_on_circles(20, 0), fine = error_on_circles(40, 0);
  std::printf("    errors %.2e and %.2e: order %.3f\n", coarse, fine, std::log2(coarse / fine));
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.05);  // the next term is a fortieth of the first at most
  // Heun's method turns by dt²/6 of the angle less: 0.4/6/20² on the outermost.
  EXPECT_NEAR(coarse, 0.4 / 6 / 400, 0.2 * coarse);
}

TEST(particles, gas_that_turns_with_the_grid_keeps_them_where_they_are) {
  // Roundings of velocities up to 1.
  EXPECT_LT(error_on_circles(20, 1), 1e-14);
}

/// Levels that meet, and blocks' faces, edges and corners: linear velocities are found exactly there, too.
TEST(particles, velocities_are_linear_across_blocks_and_levels) {
  config::parameters p = box(20000, 2);
  p.mesh.min_level = 1;
  exec::context context(1);
  simulation s(p, context);
  std::vector<int> flags(8, 0);
  flags[5] = 1;
  s.adopt(mesh::tree(s.tree().box(), s.tree().adapted(flags)));
  const auto linear = [](vec3d x) { return vec3d{x.x + 2 * x.y - x.z, 0.3 - x.y, 0.5 * x.x + x.y + 3 * x.z}; };
  fill(s, linear);
  const std::vector<vec3d> found = gas_velocities(s, s.particles());
  double worst = 0;
  for (std::size_t n = 0; n < found.size(); ++n) {
    const vec3d x = s.particles()[n].position;
    if (std::max({std::fabs(x.x), std::fabs(x.y), std::fabs(x.z)}) > 0.4) continue;  // ghosts beyond the domain
    const vec3d off = found[n] - linear(x);
    worst = std::max(worst, std::sqrt(dot(off, off)));
  }
  // Some roundings of numbers up to 3, and slopes of the coarse cells in ghosts, which are limited nowhere here.
  EXPECT_LT(worst, 1e-14);
}

// Particles of one of two clouds. As each stands for an equal mass along the curve, shells have the particles that
// their masses ask for, and fewer deviations than random ones would.
TEST(particles, begin_where_the_mass_of_their_species_is) {
  config::parameters p = box(20000, 3);
  p.hydro.species = {"left", "right"};
  p.tracers.species = {"right"};
  exec::context context(1);
  simulation s(p, context);
  fill_with_passing_clouds(s);
  constexpr int shells = 20;
  const auto shell = [](vec3d x) {
    x.x -= 0.25;
    return std::min(shells - 1, static_cast<int>(std::sqrt(dot(x, x)) / 0.01));
  };
  std::array<double, shells> mass{}, found{};
  double all = 0;
  for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
    const double volume = std::pow(s.tree().cell_width(leaf), 3);
    for (int c = 0; c < mesh::cells; ++c) {
      // A cell's particles are spread over it: so is its mass, over 4³ points.
      const double h = s.tree().cell_width(leaf), here = volume * s.u().at(leaf, 1)[c];
      const vec3d centre = mesh::view(s.tree()).centre(leaf, c);
      for (int q = 0; q < 64; ++q) {
        const vec3d at{(q % 4 - 1.5) / 4, (q / 4 % 4 - 1.5) / 4, (q / 16 - 1.5) / 4};
        mass[static_cast<std::size_t>(shell(centre + h * at))] += here / 64;
      }
      all += here;
    }
  }
  ASSERT_EQ(s.particles().size(), 20000U);
  for (const tracer_particle& q : s.particles()) {
    EXPECT_GT(q.position.x, 0);
    found[static_cast<std::size_t>(shell(q.position))] += 1;
  }
  double chi_squared = 0;
  for (std::size_t i = 0; i < shells; ++i) {
    const double expected = 20000 * mass[i] / all;
    EXPECT_GT(expected, 10);
    chi_squared += (found[i] - expected) * (found[i] - expected) / expected;
  }
  std::printf("    chi² %.1f in %d shells\n", chi_squared, shells);
  EXPECT_LT(chi_squared, 44);  // of as many free numbers, once in a thousand if they were drawn at random
}

/// A particle at a wall turns back, and one beyond a periodic side comes in again.
TEST(particles, walls_and_periodic_sides_keep_them) {
  config::parameters p = box(3000);
  p.mesh.boundaries = {boundary::reflecting, boundary::reflecting, boundary::periodic,
                       boundary::periodic,   boundary::periodic,   boundary::periodic};
  exec::context context(1);
  simulation s(p, context);
  fill(s, [](vec3d x) { return vec3d{x.x > 0 ? 0.5 : -0.5, 1, -1}; });
  for (int n = 0; n < 25; ++n) advance(s, 0.01);
  for (const tracer_particle& q : s.particles()) {
    EXPECT_TRUE(q.inside());
    for (int d = 0; d < 3; ++d) EXPECT_LE(std::fabs(q.position[d]), 0.5);
  }
}

TEST(particles, change_no_bit_of_the_gas) {
  exec::context context(1);
  config::parameters p = box(0, 2);
  p.hydro.species = {"left", "right"};
  simulation without(p, context);
  p.tracers.count = 500;
  simulation with(p, context);
  for (simulation* s : {&without, &with}) {
    fill_with_passing_clouds(*s);
    for (int n = 0; n < 3; ++n) advance(*s, 1e9);
  }
  EXPECT_EQ(with.time(), without.time());
  for (int leaf = 0; leaf < with.tree().leaves(); ++leaf) {
    const double *a = with.u().at(leaf), *b = without.u().at(leaf);
    EXPECT_TRUE(std::equal(a, a + with.fields().size() * mesh::cells, b)) << leaf;
  }
}

TEST(particles, need_gas_of_their_species) {
  config::parameters p = box(10);
  p.hydro.species = {"gas", "none"};
  p.tracers.species = {"none"};
  exec::context context(1);
  simulation s(p, context);
  EXPECT_THROW(fill(s, [](vec3d) { return vec3d{}; }), core::user_error);
}

}  // namespace
}  // namespace rednova::step
