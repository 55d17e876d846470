#include "diagnose/lobes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/constants.hpp"
#include "diagnose/orbit.hpp"
#include "two_stars.hpp"

namespace rednova::diagnose {
namespace {

using core::vec3d;

/// Adds mass m of a species to the cell of a point.
void put(step::simulation& s, vec3d near, int species, double m) {
  const int leaf = s.tree().leaf_at(near);
  const double h = s.tree().cell_width(leaf);
  const vec3d o = s.tree().corner(leaf);
  const auto index = [&](int d) { return static_cast<int>((near[d] - o[d]) / h); };
  s.u().at(leaf, species)[mesh::cell(index(0), index(1), index(2))] += m / (h * h * h);
}

/// The volume by counting points against Eggleton's formula, good to 1 %; 0.2 % more for 40 points to the separation.
/// Neither place, direction nor scale of the binary matter.
TEST(roche_lobes, have_the_volumes_of_eggleton) {
  for (const double q : {0.1, 0.5, 1.0, 3.0}) {
    const vec3d first{0.3, -0.2, 0.1}, second{0.3 + 0.6, -0.2 - 1.5, 0.1 + 0.2};
    const double a = std::sqrt(dot(second - first, second - first));
    const roche_lobes lobes({q * 2.0, 2.0}, {first, second});
    const double h = a / 40;
    std::array<double, 2> volume{};
    for (int i = -74; i < 74; ++i) {
      for (int j = -74; j < 74; ++j) {
        for (int k = -74; k < 74; ++k) {
          const int star = lobes.star_at(0.5 * (first + second) + h * vec3d{i + 0.5, j + 0.5, k + 0.5});
          if (star >= 0) volume[static_cast<std::size_t>(star)] += h * h * h;
        }
      }
    }
    EXPECT_NEAR(std::cbrt(3 * volume[0] / (4 * core::pi)) / (a * stellar::eggleton_lobe(q)), 1, 0.012) << q;
    EXPECT_NEAR(std::cbrt(3 * volume[1] / (4 * core::pi)) / (a * stellar::eggleton_lobe(1 / q)), 1, 0.012) << q;
  }
}

TEST(roche_lobes, a_cube_that_may_not_touch_has_no_point_in_a_lobe) {
  const roche_lobes lobes({1.0, 0.4}, {vec3d{-0.4, 0, 0}, vec3d{1.0, 0.1, 0}});
  int touched = 0, spared = 0;
  for (int n = 0; n < 1000; ++n) {
    const vec3d lower = 0.4 * vec3d{n % 10 - 5.0, n / 10 % 10 - 5.0, n / 100 - 5.0};
    const bool may = lobes.may_touch(lower, 0.4);
    (may ? touched : spared) += 1;
    for (int c = 0; c < 512 && !may; ++c)
      EXPECT_EQ(lobes.star_at(lower + 0.05 * vec3d{c % 8 + 0.5, c / 8 % 8 + 0.5, c / 64 + 0.5}), -1);
  }
  EXPECT_GT(touched, 10);
  EXPECT_GT(spared, 500);
}

TEST(roche_lobes, of_extreme_binaries) {
  for (const double q : {2e-6, 5e5}) {
    for (const vec3d second : {vec3d{-1, 0.5, 0}, vec3d{0, 0, 2}, vec3d{0, 0, -2}}) {
      const roche_lobes lobes({q, 1}, {vec3d{}, second});
      EXPECT_EQ(lobes.star_at({1e-4, 1e-4, -1e-4}), 0) << q;
      EXPECT_EQ(lobes.star_at(second + vec3d{1e-4, -1e-4, 1e-4}), 1) << q;
      EXPECT_EQ(lobes.star_at({0, 20, 0}), -1) << "where the rotation has lowered the potential again";
    }
  }
}

/// Masses are powers of two, so that the sums are exact.
TEST(measure, mass_that_changed_hands) {
  exec::context context(2);
  step::simulation s(two_stars(2), context);
  const vec3d accretor{-0.5, 0.05, 0.05}, donor{1.0, 0.05, 0.05};
  put(s, accretor, 0, 2.0);
  put(s, donor, 3, 1.0);
  put(s, accretor + vec3d{0.2, 0.1, 0}, 3, 0.125);     // has gone over
  put(s, accretor + vec3d{0.3, -0.1, 0}, 2, 0.03125);  // that too
  put(s, donor - vec3d{0, 0.2, 0}, 1, 0.0625);         // the other way
  put(s, accretor, 4, 0.25);                           // belongs to neither, and lies in a lobe
  put(s, {0, 1.5, 0}, 3, 0.5);                         // donor's gas that left the lobes
  const orbit o = measure(s);
  EXPECT_EQ(o.found, stars_found::two);
  EXPECT_EQ(o.stars[0].species_mass, 2.0625);
  EXPECT_EQ(o.stars[1].species_mass, 1.65625);
  EXPECT_EQ(o.stars[0].mass, 2.0 + 0.125 + 0.03125 + 0.25);
  EXPECT_EQ(o.stars[1].mass, 1.0 + 0.0625);
  EXPECT_EQ(o.stars[0].received, 0.125 + 0.03125);
  EXPECT_EQ(o.stars[1].received, 0.0625);
}

/// Most of the donor has gone over, so that the centre of its species lies in the accretor: the lobes follow the gas,
/// and with them centres, separation and densities.
TEST(measure, lobes_follow_the_gas_and_not_the_species) {
  exec::context context(1);
  step::simulation s(two_stars(2), context);
  const vec3d accretor{-0.5, 0.05, 0.05}, donor{1.0, 0.05, 0.05};
  put(s, accretor, 0, 1.0);
  for (const double y : {-0.2, -0.1, 0.1, 0.2}) {
    for (const double z : {-0.1, 0.1}) put(s, accretor + vec3d{0, y, z}, 3, 0.0625);
  }
  put(s, donor, 3, 0.25);
  const orbit o = measure(s);
  EXPECT_EQ(o.stars[0].mass, 1.5);
  EXPECT_EQ(o.stars[0].received, 0.5);
  EXPECT_EQ(o.stars[1].mass, 0.25);
  const double h = s.tree().cell_width(0);
  EXPECT_NEAR(o.stars[1].centre.x - o.stars[0].centre.x, 1.5, 2 * h);
  EXPECT_GT(o.separation, 1.5 - 2 * h);
  EXPECT_DOUBLE_EQ(o.stars[1].max_density, 0.25 / (h * h * h));
}

TEST(measure, no_binary_without_two_stars) {
  const auto expect_merged = [](const step::simulation& s, double mass, const char* why) {
    const orbit o = measure(s);
    EXPECT_EQ(o.found, stars_found::merged) << why;
    EXPECT_DOUBLE_EQ(o.stars[0].mass, mass) << why;
    EXPECT_TRUE(std::isnan(o.separation) && std::isnan(o.frequency) && std::isnan(o.angular_momentum.z)) << why;
    EXPECT_TRUE(std::isnan(o.stars[1].mass) && std::isnan(o.stars[1].centre.x) && std::isnan(o.stars[0].received));
  };
  exec::context context(1);
  step::simulation s(two_stars(2), context);
  put(s, {0.5, 0, 0}, 0, 1.0);
  expect_merged(s, 1, "one star");
  put(s, {0.5, 0, 0}, 3, 0.25);
  expect_merged(s, 1.25, "all gas in one cell");
  step::simulation far(two_stars(2), context);
  put(far, {0.5, 0, 0}, 0, 1.0);
  put(far, {-0.5, 0, 0}, 3, 1e-8);
  expect_merged(far, 1 + 1e-8, "too light for a lobe");
}

/// No cell is mostly one star's gas, but it is that of the two; the denser cell of the atmosphere is not.
TEST(measure, merged_stars_have_a_largest_density_however_well_they_are_mixed) {
  exec::context context(1);
  step::simulation s(two_stars(2), context);
  const vec3d middle{0.1, 0.1, 0.1};
  put(s, middle, 0, 0.5);
  put(s, middle, 3, 0.5);
  put(s, middle, 4, 0.25);
  put(s, {1, 1, 1}, 4, 2.0);
  const orbit o = measure(s);
  ASSERT_EQ(o.found, stars_found::merged);
  const double h = s.tree().cell_width(0);
  EXPECT_DOUBLE_EQ(o.stars[0].max_density, 1.25 / (h * h * h));
}

/// Two spheres of the shape of Gauss's curve, the donor's twice as wide.
void make_two_spheres(step::simulation& s, double distance) {
  for (int n = 0; n < s.tree().leaves(); ++n) {
    for (int c = 0; c < mesh::cells; ++c) {
      const vec3d x = s.tree().centre(n, c % mesh::N, c / mesh::N % mesh::N, c / mesh::N / mesh::N);
      const vec3d a = x - vec3d{-distance / 3, 0, 0}, b = x - vec3d{2 * distance / 3, 0, 0};
      s.u().at(n, 0)[c] = 4 * std::exp(-dot(a, a) / (2 * 0.15 * 0.15));
      s.u().at(n, 2)[c] = std::exp(-dot(b, b) / (2 * 0.3 * 0.3));
    }
  }
}

/// Also where the lobes are smaller than the stars, so that a lobe that shrinks loses mass and shrinks further.
TEST(measure_lobes, end_with_the_lobes_of_the_masses_that_they_hold) {
  exec::context context(1);
  step::simulation s(two_stars(2), context);
  const std::vector<int> star_of = step::star_of_species(s.par().hydro.species);
  for (const double distance : {0.84, 0.94, 0.98, 1.04, 1.08, 1.4}) {
    make_two_spheres(s, distance);
    std::array<double, 2> mass{0.2, 0.5};
    std::array<vec3d, 2> centre{vec3d{-distance / 3, 0, 0}, vec3d{2 * distance / 3, 0, 0}};
    const auto found = measure_lobes(s, star_of, mass, centre);
    ASSERT_TRUE(found.has_value()) << distance;
    for (std::size_t i = 0; i < 2; ++i) {
      mass[i] = (*found)[i].mass.value();
      centre[i] = (1 / mass[i]) * value((*found)[i].moment);
    }
    const auto again = measure_lobes(s, star_of, mass, centre);
    ASSERT_TRUE(again.has_value()) << distance;
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ((*again)[i].mass.value(), mass[i]) << distance << ' ' << i;
  }
}

/// Two stars at a distance, one when the centres are closer than the sum of what is left of the widths in the square of
/// the density, sqrt(3/2) of each.
TEST(measure, stars_merge_when_their_dense_parts_do) {
  const auto found = [](double distance) {
    exec::context context(1);
    step::simulation s(two_stars(2), context);
    make_two_spheres(s, distance);
    return measure(s).found;
  };
  const double touch = std::sqrt(1.5) * 0.45;
  EXPECT_EQ(found(1.05 * touch), stars_found::two);
  EXPECT_EQ(found(0.95 * touch), stars_found::merged);
}

TEST(measure, lobes_with_the_same_bits_on_any_number_of_threads) {
  const auto run = [](int threads) {
    exec::context context(threads);
    step::simulation s(two_stars(2), context);
    for (int n = 0; n < s.tree().leaves(); ++n) {
      for (int c = 0; c < mesh::cells; ++c) {
        const vec3d x = s.tree().centre(n, c % mesh::N, c / mesh::N % mesh::N, c / mesh::N / mesh::N);
        const vec3d a = x - vec3d{-0.5, 0, 0}, b = x - vec3d{0.9, 0, 0};
        s.u().at(n, 0)[c] = std::exp(-8 * dot(a, a));
        s.u().at(n, 2)[c] = 0.5 * std::exp(-12 * dot(b, b));
      }
    }
    return measure(s);
  };
  const orbit one = run(1), four = run(4);
  EXPECT_GT(one.stars[1].mass, 0);
  EXPECT_GT(one.stars[0].received, 0);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(one.stars[i].mass, four.stars[i].mass);
    EXPECT_EQ(one.stars[i].spin, four.stars[i].spin);
    EXPECT_EQ(one.stars[i].received, four.stars[i].received);
  }
}

}  // namespace
}  // namespace rednova::diagnose
