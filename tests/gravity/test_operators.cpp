// The translations and rotations of expansions, against what they mean: harmonic polynomials, for which a truncated
// expansion is exact.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "gravity/basis.hpp"
#include "gravity/operators.hpp"

namespace rednova::gravity {
namespace {

using core::vec3d;
using complex = std::complex<double>;

/// The harmonic polynomial Re (w·x)^n with the null vector w = (cos t, sin t, i) turned about by t; every harmonic
/// polynomial of degree n is a sum of such.
struct harmonic {
  int n;
  double t;

  complex base(vec3d x) const { return {std::cos(t) * x.x + std::sin(t) * x.y, x.z}; }
  double at(vec3d x) const { return derivative_at({}, x); }
  double derivative_at(derivative a, vec3d x) const {
    if (a.order() > n) return 0;
    complex value = std::pow(base(x), n - a.order());
    for (int k = n; k > n - a.order(); --k) value *= k;
    value *= std::pow(std::cos(t), a.x) * std::pow(std::sin(t), a.y) * std::pow(complex(0, 1), a.z);
    return value.real();
  }
  /// The expansion about c, in the order of basis_index().
  std::vector<double> expansion(int p, vec3d c) const {
    std::vector<double> all;
    for (int i = 0; i < basis_size(p); ++i) all.push_back(derivative_at(basis<5>[static_cast<std::size_t>(i)], c));
    return all;
  }
};

std::vector<harmonic> harmonics(int p) {
  std::vector<harmonic> all;
  for (int n = 0; n <= p; ++n) {
    for (int k = 0; k < 2 * n + 1; ++k) all.push_back({n, 0.3 + 1.1 * k});
  }
  return all;
}

vec3d child_centre(int octant) {
  const auto side = [&](int d) { return (octant >> d & 1) != 0 ? 0.25 : -0.25; };
  return {side(0), side(1), side(2)};
}

std::vector<double> times(const matrix& m, const std::vector<double>& v) {
  std::vector<double> result(v.size());
  for (const matrix_entry& e : m) {
    result[static_cast<std::size_t>(e.row)] += e.value * v[static_cast<std::size_t>(e.column)];
  }
  return result;
}

double contraction(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

class order : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(p, order, testing::Values(3, 4, 5));

TEST_P(order, moment_of_a_point_acts_like_the_point) {
  const operators by(GetParam());
  std::vector<double> unit(static_cast<std::size_t>(basis_size(GetParam())));
  unit[0] = 1;
  for (int octant = 0; octant < 8; ++octant) {
    const std::vector<double> moment = times(by.m2m[static_cast<std::size_t>(octant)], unit);
    for (const harmonic& f : harmonics(GetParam())) {
      // S(d/dX) f = f(X - b) at X = 0.
      EXPECT_NEAR(contraction(moment, f.expansion(GetParam(), {})), f.at(-child_centre(octant)), 1e-13);
    }
  }
}

TEST_P(order, moments_translate_exactly) {
  const operators by(GetParam());
  std::vector<double> unit(static_cast<std::size_t>(basis_size(GetParam())));
  unit[0] = 1;
  for (int inner = 0; inner < 8; ++inner) {
    const int outer = 7 - inner;
    const auto moment =
        times(by.m2m[static_cast<std::size_t>(outer)], times(by.m2m[static_cast<std::size_t>(inner)], unit));
    const vec3d b = child_centre(outer) + 0.5 * child_centre(inner);
    for (const harmonic& f : harmonics(GetParam())) {
      EXPECT_NEAR(contraction(moment, f.expansion(GetParam(), {})), f.at(-b), 1e-13);
    }
  }
}

TEST_P(order, expansions_translate_exactly) {
  const operators by(GetParam());
  for (int octant = 0; octant < 8; ++octant) {
    for (const harmonic& f : harmonics(GetParam())) {
      const auto moved = times(by.l2l[static_cast<std::size_t>(octant)], f.expansion(GetParam(), {}));
      const auto exact = f.expansion(GetParam(), child_centre(octant));
      for (std::size_t i = 0; i < moved.size(); ++i) {
        // The child's unit of length is half the cell's, that of the potential m/h twice.
        const int n = basis<5>[i].order();
        EXPECT_NEAR(std::ldexp(moved[i], n + 1), exact[i], 1e-12 * std::tgamma(f.n + 1));
      }
    }
  }
}

TEST_P(order, rotation_is_the_torque_on_a_point) {
  const operators by(GetParam());
  std::vector<double> unit(static_cast<std::size_t>(basis_size(GetParam())));
  unit[0] = 1;
  for (int octant = 0; octant < 8; ++octant) {
    const std::vector<double> moment = times(by.m2m[static_cast<std::size_t>(octant)], unit);
    const vec3d b = child_centre(octant);
    for (const harmonic& f : harmonics(GetParam())) {
      const vec3d gradient{f.derivative_at({1, 0, 0}, b), f.derivative_at({0, 1, 0}, b), f.derivative_at({0, 0, 1}, b)};
      const vec3d exact = -cross(b, gradient);
      const auto expansion = f.expansion(GetParam(), {});
      for (int d = 0; d < 3; ++d) {
        double torque = 0;
        for (const matrix_entry& e : by.rotation[static_cast<std::size_t>(d)]) {
          torque -= e.value * expansion[static_cast<std::size_t>(e.row)] * moment[static_cast<std::size_t>(e.column)];
        }
        EXPECT_NEAR(torque, exact[d], 1e-13);
      }
    }
  }
}

TEST(derivatives, are_those_of_the_potential_of_a_point) {
  const vec3d r{1.7, -2.3, 0.9};
  const double d = std::sqrt(dot(r, r)), step = 1e-4;
  const auto all = derivatives(5, r);
  const auto at = [](const std::vector<double>& v, derivative a) {
    return v[static_cast<std::size_t>(coefficient_index(a))];
  };
  EXPECT_NEAR(at(all, {0, 0, 0}), -1 / d, 1e-15);
  EXPECT_NEAR(at(all, {1, 0, 0}), r.x / (d * d * d), 1e-15);
  EXPECT_NEAR(at(all, {1, 1, 0}), -3 * r.x * r.y / std::pow(d, 5), 1e-15);
  for (int n = 0; n < 5; ++n) {
    for (int z = 0; z <= std::min(n, 2); ++z) {
      for (int y = 0; y <= n - z; ++y) {
        const int x = n - y - z;
        const auto difference = [&](vec3d s) {
          return (at(derivatives(5, r + s), {x, y, z}) - at(derivatives(5, r - s), {x, y, z})) / (2 * step);
        };
        // A central difference: error of order step², 1e-8.
        EXPECT_NEAR(difference({step, 0, 0}), at(all, {x + 1, y, z}), 1e-7);
        EXPECT_NEAR(difference({0, step, 0}), at(all, {x, y + 1, z}), 1e-7);
        if (z < 2) {
          EXPECT_NEAR(difference({0, 0, step}), at(all, {x, y, z + 1}), 1e-7);
        }
        if (z == 0 && n <= 3) {  // Laplace's equation
          EXPECT_NEAR(at(all, {x + 2, y, 0}) + at(all, {x, y + 2, 0}) + at(all, {x, y, 2}), 0, 1e-14);
        }
      }
    }
  }
}

}  // namespace
}  // namespace rednova::gravity
