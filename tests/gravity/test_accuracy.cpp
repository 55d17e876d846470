// Errors against direct summation by order and near radius, and against spheres whose field is known.
#include <gtest/gtest.h>

#include <numbers>

#include "system.hpp"

namespace rednova::gravity::test {
namespace {

struct setting {
  int order, near2;
  double uniform, refined;  ///< rms relative errors of the acceleration that are allowed, 1.3 times the measured
};

constexpr std::array settings{
    setting{3, 3, 6e-3, 8.3e-3},    setting{3, 4, 5e-3, 7.7e-3},   setting{3, 5, 2.6e-3, 4.9e-3},
    setting{3, 6, 8.6e-4, 3.2e-3},  setting{3, 8, 6.8e-4, 3e-3},   setting{3, 10, 3.4e-4, 2.9e-3},
    setting{3, 15, 1.3e-4, 2.9e-3}, setting{4, 4, 1.4e-3, 3.7e-3}, setting{4, 6, 1.7e-4, 2.9e-3},
    setting{4, 10, 5.1e-5, 2.9e-3}, setting{5, 4, 5.6e-4, 3e-3},   setting{5, 6, 4.8e-5, 2.9e-3},
    setting{5, 10, 1.2e-5, 2.9e-3}};

/// Prints a row of the table in docs/gravity.md.
errors row(const system& s, int order, int near2, int stride) {
  const errors e = error_of(s, solved(s, order, near2, 2), stride);
  std::printf("| %d | %2d | %.1e | %.1e | %.1e | %+.0e |\n", order, near2, e.g, e.g_all, e.phi, e.bias);
  return e;
}

void heading() {
  std::printf("| p | R² | rms g by mass | rms g by cell | rms φ by mass | mean bias |\n|---|---|---|---|---|---|\n");
}

TEST(accuracy, two_blobs_on_32_cells) {
  const system s(mesh::tree::uniform(unit_box(), 2), two_blobs);
  heading();
  for (const setting& b : settings) EXPECT_LT(row(s, b.order, b.near2, 13).g, b.uniform) << b.order << ' ' << b.near2;
}

/// Levels meet right through both blobs: the direct sum takes a coarse cell for a point, the solver for a cube where
/// finer cells are near. That difference, 2e-3 here, no order makes smaller.
TEST(accuracy, two_blobs_on_three_levels) {
  const system s(three_levels(), two_blobs);
  heading();
  for (const setting& b : settings) EXPECT_LT(row(s, b.order, b.near2, 37).g, b.refined) << b.order << ' ' << b.near2;
}

/// The pull of a star's companion on it, over that of the sum over pairs, less 1. Stars of radii 0.35 and 0.27
/// separations on a box of four, the larger one's centre `shift` cells of the coarsest level that parts them (a quarter
/// of the separation) off the middle of the box.
double pull_error(int order, int near2, vec3d shift) {
  constexpr double a = 0.25;
  const vec3d first = 0.25 * a * shift, second = first + vec3d{a, 0, 0};
  const auto star = [](vec3d d, double radius) {
    return std::pow(std::max(1 - dot(d, d) / (radius * radius), 0.0), 1.5);
  };
  const system s(mesh::tree::uniform(unit_box(), 3),
                 [&](vec3d x) { return star(x - first, 0.35 * a) + 1.2 * star(x - second, 0.27 * a); });
  const mesh::block_data result = solved(s, order, near2, 2);
  std::vector<std::size_t> cells[2];
  for (std::size_t c = 0; c < s.mass.size(); ++c) {
    if (s.mass[c] > 0) cells[s.place[c].x > first.x + a / 2 ? 1 : 0].push_back(c);
  }
  double pull = 0, exact = 0;
  for (const std::size_t i : cells[0]) {
    pull += s.mass[i] * s.of(result, acceleration, static_cast<int>(i));
    for (const std::size_t j : cells[1]) {
      const vec3d d = s.place[j] - s.place[i];
      exact += s.mass[i] * s.mass[j] * d.x / std::pow(dot(d, d), 1.5);
    }
  }
  return pull / exact - 1;
}

/// What decides a binary's orbit. The grid turns with the stars, so an error does not average out, and it hangs on
/// where they lie on the lattice: worst with centres on corners of coarse cells, where all pairs of these err alike.
TEST(accuracy, pull_of_a_companion) {
  constexpr vec3d places[] = {{0, 0, 0}, {0.5, 0, 0}, {0.5, 0.5, 0.5}, {0.25, 0.4, 0.1}};
  struct bound {
    int order, near2;
    double error;
  };
  // The bounds are the worst place's errors and a third; with order 3 the pull is always too weak.
  for (const bound& b : {bound{3, 6, 1e-2}, bound{3, 10, 3e-3}, bound{4, 6, 1e-3}, bound{5, 6, 3e-4}}) {
    std::printf("| %d | %2d |", b.order, b.near2);
    for (const vec3d& shift : places) {
      const double off = pull_error(b.order, b.near2, shift);
      std::printf(" %+.1e |", off);
      EXPECT_LT(std::abs(off), b.error);
    }
    std::printf("\n");
  }
}

/// A sphere of radius 0.4 and mass 1 about a point off the lattice: density, enclosed mass and potential by radius.
struct sphere {
  const char* name;
  double (*density)(double);
  double (*within)(double);
  double (*potential)(double);
  double remainder;  ///< error of g of the smooth density, as a share of the points', that is allowed
};
constexpr double radius = 0.4;

double uniform_density(double r) { return r < radius ? 3 / (4 * std::numbers::pi * std::pow(radius, 3)) : 0; }
double uniform_within(double r) { return r < radius ? std::pow(r / radius, 3) : 1; }
double uniform_potential(double r) { return r < radius ? -(3 - std::pow(r / radius, 2)) / (2 * radius) : -1 / r; }
/// Lane-Emden of index 1: density ~ sin(x)/x with x = pi r / radius.
double polytrope_density(double r) {
  const double x = std::numbers::pi * r / radius;
  const double central = std::numbers::pi / (4 * std::pow(radius, 3));
  return r >= radius ? 0 : x > 0 ? central * std::sin(x) / x : central;
}
double polytrope_within(double r) {
  const double x = std::numbers::pi * r / radius;
  return r < radius ? (std::sin(x) - x * std::cos(x)) / std::numbers::pi : 1;
}

double polytrope_potential(double r) {
  const double x = std::numbers::pi * r / radius;
  return r < radius ? -(1 + (x > 0 ? std::sin(x) / x : 1)) / radius : -1 / r;
}
/// Density 105 (1 - (r/radius)²)² / (32 pi radius³), which goes smoothly to zero.
double bump_density(double r) {
  const double s = r / radius;
  return s < 1 ? 105 / (32 * std::numbers::pi * std::pow(radius, 3)) * std::pow(1 - s * s, 2) : 0;
}
double bump_within(double r) {
  const double s = r / radius;
  return s < 1 ? std::pow(s, 3) * (35 - 42 * s * s + 15 * std::pow(s, 4)) / 8 : 1;
}
double bump_potential(double r) {
  const double s = r / radius;
  return s < 1 ? -(35 - 35 * s * s + 21 * std::pow(s, 4) - 5 * std::pow(s, 6)) / (16 * radius) : -1 / r;
}

constexpr vec3d middle{0.013, -0.007, 0.004};

/// Mean density of a cell: exact enough for the sphere's edge not to dominate the error.
double cell_mean(const sphere& star, vec3d x, double h) {
  constexpr int n = 8;
  const auto at = [&](int i) { return h * ((i + 0.5) / n - 0.5); };
  double sum = 0;
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const vec3d d = x + vec3d{at(i), at(j), at(k)} - middle;
        sum += star.density(std::sqrt(dot(d, d)));
      }
    }
  }
  return sum / (n * n * n);
}

struct sphere_errors {
  double phi, g;
};

/// Mass-weighted mean errors relative to the means of the exact values. The mean, not the rms: at a jump of density
/// the force of point masses is wrong by O(h) in a layer of O(h) of the cells.
sphere_errors sphere_error(const sphere& star, int level, config::cell_mass cells) {
  const double h = 1.0 / (mesh::N << level);
  const system s(mesh::tree::uniform(unit_box(), level), [&](vec3d x) { return cell_mean(star, x, h); });
  const auto result = solved(s, 5, 15, 2, cells);
  double off = 0, sum = 0, phi_off = 0, phi_sum = 0;
  for (int c = 0; c < s.cells(); ++c) {
    const double m = s.mass[static_cast<std::size_t>(c)];
    const vec3d d = s.place[static_cast<std::size_t>(c)] - middle;
    const double r = std::sqrt(dot(d, d)), step = 1e-6;
    // Means over the cell, as the masses are: h²/24 times the Laplacian more than at its centre.
    const double slope = (star.density(r + step) - star.density(r - step)) / (2 * step);
    const double pull = star.within(r) / (r * r) + std::numbers::pi / 6 * h * h * slope;
    const double phi = star.potential(r) + std::numbers::pi / 6 * h * h * star.density(r);
    const vec3d difference = s.vector_of(result, acceleration, c) + (pull / r) * d;
    off += m * std::sqrt(dot(difference, difference));
    sum += m * std::abs(pull);
    phi_off += m * std::abs(s.of(result, potential, c) - phi);
    phi_sum += m * std::abs(phi);
  }
  return {phi_off / phi_sum, off / sum};
}

class spheres : public testing::TestWithParam<sphere> {};
INSTANTIATE_TEST_SUITE_P(stars, spheres,
                         testing::Values(sphere{"uniform", uniform_density, uniform_within, uniform_potential, 0.8},
                                         sphere{"polytrope_of_index_1", polytrope_density, polytrope_within,
                                                polytrope_potential, 0.02},
                                         sphere{"bump", bump_density, bump_within, bump_potential, 0.02}),
                         [](const auto& i) { return i.param.name; });

/// Second order as point masses. As a smooth density the errors are far smaller, and what is left comes from the
/// sphere's edge and, with the smoothest of them, from the expansions: the bounds are twice what is measured.
TEST_P(spheres, converge) {
  const sphere_errors coarse = sphere_error(GetParam(), 2, config::cell_mass::point),
                      fine = sphere_error(GetParam(), 3, config::cell_mass::point);
  const sphere_errors smooth = sphere_error(GetParam(), 3, config::cell_mass::smooth);
  const double phi_order = std::log2(coarse.phi / fine.phi), g_order = std::log2(coarse.g / fine.g);
  std::printf("    phi %.2e %.2e: order %.2f, smooth %.2e; g %.2e %.2e: order %.2f, smooth %.2e\n", coarse.phi,
              fine.phi, phi_order, smooth.phi, coarse.g, fine.g, g_order, smooth.g);
  // The margin is for where the lattice happens to cut the sphere's edge.
  EXPECT_GT(phi_order, 1.94);
  EXPECT_GT(g_order, 1.94);
  EXPECT_LT(smooth.phi, 0.01 * fine.phi);
  EXPECT_LT(smooth.g, GetParam().remainder * fine.g);
}

}  // namespace
}  // namespace rednova::gravity::test
