#include "diagnose/orbit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gravity/result_field.hpp"
#include "stellar/roche.hpp"
#include "two_stars.hpp"

namespace rednova::diagnose {
namespace {

using core::vec3d;

/// Puts mass m of a species into the cell of a point, moving with v; gives the cell's centre and volume.
struct placed {
  vec3d x;
  double volume;
};
placed put(step::simulation& s, vec3d near, int species, double m, vec3d v) {
  const int leaf = s.tree().leaf_at(near);
  const double h = s.tree().cell_width(leaf);
  const vec3d o = s.tree().corner(leaf);
  const auto index = [&](int d) { return static_cast<int>((near[d] - o[d]) / h); };
  const int c = mesh::cell(index(0), index(1), index(2));
  s.u().at(leaf, species)[c] += m / (h * h * h);
  for (int d = 0; d < 3; ++d) s.u().at(leaf, s.fields().momentum(d))[c] += m / (h * h * h) * v[d];
  return {s.tree().centre(leaf, index(0), index(1), index(2)), h * h * h};
}

TEST(star_of_species, by_name_only_where_both_stars_are_named) {
  EXPECT_EQ(star_of_species({"accretor_core", "donor_core", "atmosphere"}), (std::vector<int>{0, 1, -1}));
  EXPECT_EQ(star_of_species({"core", "envelope"}), (std::vector<int>{0, 0}));
  EXPECT_EQ(star_of_species({"donor_core", "gas"}), (std::vector<int>{0, 0}));
}

TEST(measure, two_point_masses) {
  exec::context context(2);
  step::simulation s(two_stars(1), context);
  const vec3d v1{0.1, -0.2, 0.05}, v2{-0.3, 0.7, 0.01};
  const placed a = put(s, {-0.3, 0.1, 0.01}, 0, 2.0, v1);
  const placed b = put(s, {0.6, -0.2, 0.02}, 3, 0.5, v2);
  put(s, {0.1, 0.9, 0.9}, 4, 1e-3, {5, 5, 5});  // belongs to neither
  const orbit o = measure(s);
  EXPECT_DOUBLE_EQ(o.stars[0].mass, 2.0);
  EXPECT_DOUBLE_EQ(o.stars[1].mass, 0.5);
  for (int d = 0; d < 3; ++d) {
    EXPECT_NEAR(o.stars[0].centre[d], a.x[d], 1e-15);
    EXPECT_NEAR(o.stars[1].velocity[d], v2[d], 1e-15);
    EXPECT_NEAR(o.stars[0].spin[d], 0, 1e-15);
  }
  const vec3d r = b.x - a.x, v = v2 - v1;
  EXPECT_DOUBLE_EQ(o.separation, std::sqrt(dot(r, r)));
  EXPECT_NEAR(o.frequency, cross(r, v).z / dot(r, r), 1e-14);
  EXPECT_NEAR(o.angular_momentum.z, 2.0 * 0.5 / 2.5 * cross(r, v).z, 1e-15);
  EXPECT_DOUBLE_EQ(o.stars[0].max_density, 2.0 / a.volume);
  EXPECT_DOUBLE_EQ(o.stars[0].lobe_radius, o.separation * stellar::eggleton_lobe(4));
  EXPECT_DOUBLE_EQ(o.stars[1].lobe_radius, o.separation * stellar::eggleton_lobe(0.25));
  EXPECT_EQ(o.unbound, hydro::unbound_masses{});
}

TEST(measure, one_star_is_all_gas) {
  exec::context context(1);
  config::parameters p = two_stars(1);
  p.hydro.species = {"core", "envelope"};
  step::simulation s(p, context);
  put(s, {-0.3, 0.1, 0.01}, 0, 2.0, {});
  put(s, {0.9, 0.1, 0.01}, 1, 2.0, {});
  const orbit o = measure(s);
  EXPECT_EQ(o.found, stars_found::one);
  EXPECT_DOUBLE_EQ(o.stars[0].mass, 4.0);
  EXPECT_EQ(o.stars[1].mass, 0);
  EXPECT_EQ(o.separation, 0);
}

// Orbital and spin parts add up to the whole where all gas lies in a lobe: J = sum of spins + J_orb + M X × V.
TEST(measure, parts_of_the_angular_momentum_add_up) {
  exec::context context(2);
  step::simulation s(two_stars(1), context);
  vec3d total{}, moment{}, momentum{};
  double mass = 0;
  for (int i = 0; i < 40; ++i) {
    const double t = 0.7 * i;
    const double middle = i % 4 < 2 ? -0.4 : 0.5;
    const vec3d x{middle + 0.1 * std::sin(3 * t), 0.1 * std::sin(5 * t + 1), 0.1 * std::sin(7 * t + 2)};
    const vec3d v{std::cos(t), std::sin(2 * t), std::cos(3 * t)};
    const double m = 1 + 0.5 * std::sin(11 * t);
    const placed p = put(s, x, i % 4, m, v);
    total += m * cross(p.x, v);
    moment += m * p.x;
    momentum += m * v;
    mass += m;
  }
  // The cells' own spin counts too.
  const double h = s.tree().cell_width(0);
  const int leaf = s.tree().leaf_at({-0.4, 0.01, 0.01});
  s.u().at(leaf, s.fields().spin(2))[3] = 250;
  s.u().at(leaf, 0)[3] += 1e-3;
  total += vec3d{0, 0, 250 * h * h * h};
  const double added = 1e-3 * h * h * h;
  moment += added * s.tree().centre(leaf, 3, 0, 0);
  mass += added;
  const orbit o = measure(s);
  ASSERT_NEAR(o.stars[0].mass + o.stars[1].mass, mass, 1e-12) << "all gas is in a lobe";
  const vec3d sum = o.stars[0].spin + o.stars[1].spin + o.angular_momentum + (1 / mass) * cross(moment, momentum);
  for (int d = 0; d < 3; ++d) EXPECT_NEAR(sum[d], total[d], 1e-13);
}

TEST(measure, same_bits_on_any_number_of_threads) {
  const auto run = [](int threads) {
    exec::context context(threads);
    step::simulation s(two_stars(1), context);
    for (int n = 0; n < s.tree().leaves(); ++n) {
      for (int f = 0; f < s.fields().size(); ++f) {
        for (int c = 0; c < mesh::cells; ++c) s.u().at(n, f)[c] = 1 + 0.3 * std::sin(c + 0.1 * n + f);
      }
      for (int c = 0; c < mesh::cells; ++c) {
        const vec3d x = s.tree().centre(n, c % mesh::N, c / mesh::N % mesh::N, c / mesh::N / mesh::N);
        const vec3d a = x + vec3d{0.5, 0, 0}, b = x - vec3d{0.5, 0, 0};
        s.u().at(n, 0)[c] *= 30 * std::exp(-dot(a, a) / 0.02);
        s.u().at(n, 3)[c] *= 20 * std::exp(-dot(b, b) / 0.02);
        for (const int field : {1, 2}) s.u().at(n, field)[c] *= 1e-3;
      }
    }
    return measure(s);
  };
  const orbit one = run(1), four = run(4);
  ASSERT_EQ(one.found, stars_found::two);
  EXPECT_EQ(one.separation, four.separation);
  EXPECT_EQ(one.internal, four.internal);
  EXPECT_EQ(one.stars[1].spin, four.stars[1].spin);
}

// Potential -1 everywhere; kinetic and internal energy per mass of three cells decide, with p = 2/3 e.
TEST(measure, gas_that_escapes_by_three_criteria) {
  exec::context context(1);
  step::simulation s(two_stars(1), context);
  s.gravity() = mesh::block_data(s.tree().leaves(), gravity::result_fields);
  for (int n = 0; n < s.tree().leaves(); ++n) std::fill_n(s.gravity().at(n, gravity::potential), mesh::cells, -1.0);
  const auto gas = [&](vec3d near, double mass, double speed, double heat) {
    const placed p = put(s, near, 0, mass, {speed, 0, 0});
    const int leaf = s.tree().leaf_at(p.x);
    for (int c = 0; c < mesh::cells; ++c) {
      if (s.tree().centre(leaf, c % mesh::N, c / mesh::N % mesh::N, c / mesh::N / mesh::N) != p.x) continue;
      s.u().at(leaf, s.fields().energy())[c] = mass / p.volume * (speed * speed / 2 + heat);
      s.u().at(leaf, s.fields().entropy())[c] = s.eos().ideal.tracer_of_heat(mass / p.volume * heat);
    }
  };
  gas({0.1, 0.1, 0.1}, 0.25, 2, 0.01);  // 2.01: fast enough by itself
  gas({0.5, 0.1, 0.1}, 0.5, 1, 0.75);   // 0.5 + 0.75: with its heat
  gas({-0.5, 0.1, 0.1}, 1, 1, 0.375);   // 0.5 + 0.375 + 0.25: with its enthalpy
  gas({-0.5, -0.5, 0.1}, 2, 1, 0.25);   // 0.5 + 0.25 + 0.17: by none
  const orbit o = measure(s);
  EXPECT_DOUBLE_EQ(o.unbound[0], 0.25 + 0.5);
  EXPECT_DOUBLE_EQ(o.unbound[1], 0.25);
  EXPECT_DOUBLE_EQ(o.unbound[2], 0.25 + 0.5 + 1);
  EXPECT_DOUBLE_EQ(o.kinetic, 0.25 * 2 + 3.5 * 0.5);
  EXPECT_NEAR(o.internal, 0.0025 + 0.375 + 0.375 + 0.5, 1e-13);
  EXPECT_DOUBLE_EQ(o.gravitational, -0.5 * 3.75);
}

// Cold gas at high speed has no heat in E - rho v²/2: its heat is the entropy tracer's.
TEST(unbound, cold_gas_has_the_heat_of_its_tracer) {
  const mesh::field_numbers f(1);
  const eos::ideal_gas eos{2};
  std::vector<double> u(static_cast<std::size_t>(f.size()) * mesh::cells);
  u[0] = 1;
  u[static_cast<std::size_t>(f.momentum(0)) * mesh::cells] = 2;
  u[static_cast<std::size_t>(f.energy()) * mesh::cells] = 2;
  const auto escapes = [&](double phi, int by) { return hydro::unbound_cell(f, eos, 1e-3, u.data(), phi).by[by]; };
  EXPECT_FALSE(escapes(-2.25, 2));
  u[static_cast<std::size_t>(f.entropy()) * mesh::cells] = eos.tracer_of_heat(0.5);  // p = 0.5
  EXPECT_TRUE(escapes(-2.25, 0));
  EXPECT_FALSE(escapes(-2.25, 1));
  EXPECT_FALSE(escapes(-2.75, 0));
  EXPECT_TRUE(escapes(-2.75, 2));
  EXPECT_FALSE(escapes(-3.25, 2));
}

}  // namespace
}  // namespace rednova::diagnose
