// The operators in textbook form against sums over all pairs: errors fall as Taylor's theorem says.
#include <gtest/gtest.h>

#include <random>

#include "gravity/operators_textbook.hpp"

namespace rednova::gravity::textbook {
namespace {

struct point {
  double m;
  vec3d at;  ///< from the centre of its cell
};

/// Random masses in a cell of width 1.
std::vector<point> random_points(int count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> mass(0.5, 1.5), side(-0.5, 0.5);
  std::vector<point> all(index(count));
  for (point& p : all) p = {mass(generator), {side(generator), side(generator), side(generator)}};
  return all;
}

tensors moments_of(const std::vector<point>& points, int p) {
  tensors moments(p);
  for (const point& s : points) p2m(s.m, s.at, moments);
  return moments;
}

/// Sum over all sources at y, whose cell's centre lies at r from that of theirs.
field direct_sum(const std::vector<point>& sources, vec3d r, vec3d y) {
  field sum;
  for (const point& s : sources) p2p(s.m, r + y - s.at, sum);
  return sum;
}

double length(vec3d x) { return std::sqrt(dot(x, x)); }

constexpr int points_of_a_cell = 12;
constexpr double corner = 0.8660254037844387;  ///< from a cell's centre, √3/2
const vec3d direction = 1 / std::sqrt(14.0) * vec3d{2, -3, 1};
/// Directions over which errors are averaged: in a single one the first term that is left out may nearly vanish.
constexpr int directions = 20;

TEST(textbook_p2p, gradient_is_that_of_the_potential) {
  const vec3d r{1.1, -0.7, 0.4};
  const double step = 1e-5;
  field here;
  p2p(1.7, r, here);
  EXPECT_NEAR(here.potential, -1.7 / length(r), 1e-15);
  for (int d = 0; d < 3; ++d) {
    vec3d to{};
    to[d] = step;
    field above, below;
    p2p(1.7, r + to, above);
    p2p(1.7, r - to, below);
    // A central difference: an error of step² and rounding over step, 1e-10 and 1e-11.
    EXPECT_NEAR((above.potential - below.potential) / (2 * step), here.gradient[d], 1e-9);
  }
}

TEST(textbook_derivatives, are_one_anothers) {
  const vec3d r{1.7, -2.3, 0.9};
  const double step = 1e-4;
  const tensors here = derivatives(highest_order, r);
  EXPECT_NEAR((here[{0, 0, 0}]), -1 / length(r), 1e-15);
  for (const multi_index a : indices(highest_order - 1)) {
    for (int d = 0; d < 3; ++d) {
      vec3d to{};
      to[d] = step;
      multi_index raised = a;
      ++raised[d];
      const double difference =
          (derivatives(highest_order, r + to)[a] - derivatives(highest_order, r - to)[a]) / (2 * step);
      // A central difference: step²/6 times a derivative of two orders more, (n + 2)! / 3^(n + 3) at this distance.
      EXPECT_NEAR(difference, here[raised], step * step * std::tgamma(order(a) + 4) / std::pow(3, order(a) + 4));
    }
  }
}

class textbook_operators : public testing::TestWithParam<int> {
 protected:
  static int p() { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(p, textbook_operators, testing::Range(1, 8));

/// Translations are exact but for the rounding of sums of components(p) terms, for masses of 1.
constexpr double rounding = 1e-14;

// Children of width 1 at d = (±1/2, ±1/2, ±1/2) from their parent's centre.
TEST_P(textbook_operators, moments_of_children_are_those_of_their_masses) {
  tensors sum(p()), direct(p());
  for (int octant = 0; octant < 8; ++octant) {
    const vec3d d{(octant & 1) - 0.5, (octant >> 1 & 1) - 0.5, (octant >> 2) - 0.5};
    const auto masses = random_points(points_of_a_cell, static_cast<unsigned>(octant));
    m2m(moments_of(masses, p()), d, sum);
    for (const point& s : masses) p2m(s.m, d + s.at, direct);
  }
  for (const multi_index a : indices(p())) EXPECT_NEAR(sum[a], direct[a], 100 * rounding);  // 96 masses
}

TEST_P(textbook_operators, expansions_of_children_are_their_parents) {
  tensors parent(p());
  m2l(moments_of(random_points(points_of_a_cell, 1), p()), 4.0 * direction, parent);
  const vec3d d{0.5, -0.5, 0.5}, y{-0.3, 0.2, 0.1};
  tensors child(p());
  l2l(parent, d, child);
  field expected, found;
  l2p(parent, d + y, expected);
  l2p(child, y, found);
  EXPECT_NEAR(found.potential, expected.potential, points_of_a_cell * rounding);
  EXPECT_LT(length(found.gradient - expected.gradient), points_of_a_cell * rounding);
}

/// Rms and largest errors of potential and gradient.
struct errors {
  double potential = 0, gradient = 0, largest_potential = 0, largest_gradient = 0;
};

/// How the field of sources gets to a target at y, whose cell's centre lies at r from that of theirs.
using way = field (*)(int p, const std::vector<point>& sources, vec3d r, vec3d y);

/// P2M and M2P: all moments, at the target itself.
field at_the_target(int p, const std::vector<point>& sources, vec3d r, vec3d y) {
  tensors expansion(p);
  m2l(moments_of(sources, p), r + y, expansion);
  field result;
  l2p(expansion, {}, result);
  return result;
}

/// P2L and L2P: an expansion of each source's own field.
field about_the_target(int p, const std::vector<point>& sources, vec3d r, vec3d y) {
  tensors expansion(p);
  for (const point& s : sources) m2l(moments_of({{s.m, {}}}, p), r - s.at, expansion);
  field result;
  l2p(expansion, y, result);
  return result;
}

/// The chain P2M, M2M, M2L, L2L, L2P by cells of half the width about each source and the target.
field by_all_operators(int p, const std::vector<point>& sources, vec3d r, vec3d y) {
  const auto child_centre = [](vec3d x) {
    return vec3d{std::copysign(0.25, x.x), std::copysign(0.25, x.y), std::copysign(0.25, x.z)};
  };
  tensors moments(p), expansion(p), of_child(p);
  for (const point& s : sources) m2m(moments_of({{s.m, s.at - child_centre(s.at)}}, p), child_centre(s.at), moments);
  m2l(moments, r, expansion);
  l2l(expansion, child_centre(y), of_child);
  field result;
  l2p(of_child, y - child_centre(y), result);
  return result;
}

/// Of the masses of a cell at points of another, `distance` widths apart.
errors errors_of(way by, int p, double distance) {
  const auto sources = random_points(points_of_a_cell, 2), targets = random_points(directions, 3),
             towards = random_points(directions, 4);
  errors result;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const vec3d r = distance / length(towards[i].at) * towards[i].at, y = targets[i].at;
    const field exact = direct_sum(sources, r, y), found = by(p, sources, r, y);
    const double phi = std::abs(found.potential - exact.potential), g = length(found.gradient - exact.gradient);
    result.potential += phi * phi / directions;
    result.gradient += g * g / directions;
    result.largest_potential = std::max(result.largest_potential, phi);
    result.largest_gradient = std::max(result.largest_gradient, g);
  }
  result.potential = std::sqrt(result.potential);
  result.gradient = std::sqrt(result.gradient);
  return result;
}

double total(const std::vector<point>& points) {
  double sum = 0;
  for (const point& s : points) sum += s.m;
  return sum;
}

/// What is left out begins with the terms of order p + 1, |y - b|^(p+1)/R^(p+2) in the potential and |y - b|^p/R^(p+2)
/// in the gradient, and is within the bounds of m2l() for each point.
void expect_convergence(way by, int p) {
  const double mass = total(random_points(points_of_a_cell, 2));
  const auto error_at = [&](double distance) {
    const errors e = errors_of(by, p, distance);
    // The chain expands about both centres, a distance apart. The others expand about a point and a centre, which may
    // lie a corner nearer.
    const bool both = by == by_all_operators;
    const double r = both ? distance : distance - corner, s = (both ? 2 : 1) * corner / r;
    EXPECT_LE(e.largest_potential, mass / r * std::pow(s, p + 1) / (1 - s));
    EXPECT_LE(e.largest_gradient, mass / (r * r) * std::pow(s, p) * (p + 1 - p * s) / ((1 - s) * (1 - s)));
    return e;
  };
  error_at(4);
  const errors near = error_at(8), far = error_at(16);
  const double of_potential = std::log2(near.potential / far.potential),
               of_gradient = std::log2(near.gradient / far.gradient);
  std::printf("    p = %d: potential %.1e, order %.2f; gradient %.1e, order %.2f\n", p, far.potential, of_potential,
              far.gradient, of_gradient);
  // Terms of higher orders change that by up to 0.17 at these distances (measured). A wrong term of order p or less
  // lowers it by one or more.
  EXPECT_NEAR(of_potential, p + 2, 0.3);
  EXPECT_NEAR(of_gradient, p + 2, 0.3);
}

TEST_P(textbook_operators, multipoles_converge) { expect_convergence(at_the_target, p()); }
TEST_P(textbook_operators, expansions_converge) { expect_convergence(about_the_target, p()); }
TEST_P(textbook_operators, chain_of_all_converges) { expect_convergence(by_all_operators, p()); }

// Forces of two cells' masses on each other, their torques, and what their spins get.
TEST_P(textbook_operators, pair_keeps_momentum_and_angular_momentum) {
  const std::array cells{random_points(points_of_a_cell, 4), random_points(points_of_a_cell, 5)};
  const vec3d r = 3.0 * direction;
  vec3d force{}, orbital{}, spin{};
  for (int target = 0; target < 2; ++target) {
    const auto &own = cells[index(target)], &other = cells[index(1 - target)];
    const vec3d to = target == 1 ? r : -r, centre = target == 1 ? r : vec3d{};
    tensors expansion(p()), top(p());
    m2l(moments_of(other, p()), to, expansion);
    m2l(moments_of(other, p()), to, top, p());
    for (const point& t : own) {
      field here;
      l2p(expansion, t.at, here);
      force += -t.m * here.gradient;
      orbital += cross(centre + t.at, -t.m * here.gradient);
    }
    spin += spin_torque(moments_of(own, p()), top);
  }
  // Both masses are some 12, so forces and torques are some 16 and 50.
  EXPECT_LT(length(force), 100 * rounding);
  EXPECT_LT(length(orbital + spin), 100 * rounding);
  // It is not nothing that the spins get.
  EXPECT_GT(length(orbital), 1e-4);
}

}  // namespace
}  // namespace rednova::gravity::textbook
