// The update of one block: what must hold whatever the scheme.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

#include "one_block.hpp"

namespace {

using namespace rednova;
using config::gas_model;
using config::reconstruction;
using config::riemann_solver;
using core::vec3d;
using test::one_block;
using test::results;
using test::weight;
constexpr int N = mesh::N;

class block_test : public testing::TestWithParam<std::tuple<reconstruction, riemann_solver, bool, weight, gas_model>> {
 protected:
  config::hydro par() const {
    return test::scheme(std::get<0>(GetParam()), std::get<1>(GetParam()), std::get<2>(GetParam()));
  }
  one_block block() const { return {par(), test::gas_of(std::get<4>(GetParam())), std::get<3>(GetParam())}; }
};
INSTANTIATE_TEST_SUITE_P(all, block_test,
                         testing::Combine(testing::Values(reconstruction::constant, reconstruction::plm,
                                                          reconstruction::ppm),
                                          testing::Values(riemann_solver::hllc, riemann_solver::kt), testing::Bool(),
                                          testing::Values(weight::none, weight::given),
                                          testing::Values(gas_model::ideal, gas_model::white_dwarf)));

double largest(const std::vector<double>& a) {
  double m = 0;
  for (const double x : a) m = std::max(m, std::abs(x));
  return m;
}

/// A uniform state in a rotating grid, far from the axis: nothing changes but by the rounding of the fluxes, the
/// same at both faces of a cell, so the rates are zero to the bit.
TEST_P(block_test, uniform_state_stays) {
  one_block b = block();
  b.in.rotation = 0.8;
  b.in.corner = {170.5, -93.25, 2};
  b.fill([&](vec3d) { return b.conserved(0.3, {0.2, -0.7, 0.4}, 0.1, {}, 0.25); });
  const results r = b.run();
  for (int f = 0; f < b.fields.spin(); ++f)
    one_block::each([&](int i, int j, int k) { ASSERT_EQ(r.at(f, i, j, k), 0.0) << f; });
  // The spin feels (Omega × x_c) × s, which the step turns back: -sum_f (x_f - x_c) × F_s / V = (w × s) with w the
  // grid's velocity. Rounding of products of size 170 * 0.8 * 0.2.
  if (!b.par.spin) return;
  one_block::each([&](int i, int j, int k) {
    const vec3d x = b.centre(i, j, k), grid = {-0.8 * x.y, 0.8 * x.x, 0}, s = 0.3 * vec3d{0.2, -0.7, 0.4};
    const vec3d torque = cross(grid, s);
    for (int d = 0; d < 3; ++d) ASSERT_NEAR(r.at(b.fields.spin(d), i, j, k), torque[d], 1e-13 * 30);
  });
}

/// Sums of rates are what passes the surface: every field; and angular momentum with spin, to rounding.
TEST_P(block_test, conserves) {
  one_block b = block();
  b.in.rotation = 0.8;
  b.fill_wild();
  const results r = b.run();
  const double h = b.in.h;
  const auto& f = b.fields;
  std::vector<double> inside(static_cast<std::size_t>(f.evolved()) + 3, 0), outside = inside, scale = inside;
  const auto count = [](std::vector<double>& sum, std::vector<double>& size, int q, double v) {
    sum[static_cast<std::size_t>(q)] += v;
    size[static_cast<std::size_t>(q)] += std::abs(v);
  };
  const int orbit = f.evolved();
  one_block::each([&](int i, int j, int k) {
    for (int q = 0; q < f.evolved(); ++q) count(inside, scale, q, h * r.at(q, i, j, k));
    const vec3d ds{r.at(f.momentum(0), i, j, k), r.at(f.momentum(1), i, j, k), r.at(f.momentum(2), i, j, k)};
    const vec3d torque = cross(b.centre(i, j, k), ds);
    for (int d = 0; d < 3; ++d) count(inside, scale, orbit + d, h * (torque[d] + r.at(f.spin(d), i, j, k)));
  });
  for (int face = 0; face < mesh::faces; ++face)
    for (int a = 0; a < N; ++a)
      for (int c = 0; c < N; ++c) {
        const int d = face / 2, upper = face % 2;
        const double sign = upper == 1 ? -1 : 1;
        for (int q = 0; q < f.evolved(); ++q) count(outside, scale, q, sign * r.flux(face, q, a, c));
        vec3d x = d == 0 ? b.centre(0, a, c) : d == 1 ? b.centre(a, 0, c) : b.centre(a, c, 0);
        x[d] = b.in.corner[d] + upper * N * h;
        const vec3d fs{r.flux(face, f.momentum(0), a, c), r.flux(face, f.momentum(1), a, c),
                       r.flux(face, f.momentum(2), a, c)};
        const vec3d torque = cross(x, fs);
        for (int e = 0; e < 3; ++e)
          count(outside, scale, orbit + e, sign * (torque[e] + r.flux(face, f.spin(e), a, c)));
      }
  for (int q = 0; q < f.evolved() + 3; ++q) {
    const bool of_spin = q >= f.spin();
    if (of_spin && (q < orbit || !b.par.spin)) continue;  // spin alone is not conserved
    const auto c = static_cast<std::size_t>(q);
    EXPECT_NEAR(inside[c], outside[c], 1e-15 * scale[c]) << q;
  }
}

/// The flux of mass is the sum of the species' fluxes, and the outer faces' is that of mass_flux.
TEST_P(block_test, species_carry_the_mass) {
  one_block b = block();
  b.fill_wild();
  const results r = b.run();
  const double size = largest(r.mass);
  for (int face = 0; face < mesh::faces; ++face)
    for (int a = 0; a < N; ++a)
      for (int c = 0; c < N; ++c) {
        double sum = 0;
        for (int s = 0; s < b.fields.species(); ++s) sum += r.flux(face, s, a, c);
        EXPECT_NEAR(sum, r.mass_flux(face / 2, face % 2 * N, a, c), 1e-15 * size);
      }
  one_block::each([&](int i, int j, int k) {
    double sum = 0;
    for (int s = 0; s < b.fields.species(); ++s) sum += r.at(s, i, j, k);
    const double in = (r.mass_flux(0, i, j, k) - r.mass_flux(0, i + 1, j, k) + r.mass_flux(1, j, i, k) -
                       r.mass_flux(1, j + 1, i, k) + r.mass_flux(2, k, i, j) - r.mass_flux(2, k + 1, i, j)) /
                      b.in.h;
    EXPECT_NEAR(sum, in, 1e-14 * size / b.in.h);
  });
}

/// Two blocks that share a face see the same cells there and must find the same fluxes, bit by bit.
TEST_P(block_test, neighbours_agree_on_their_face) {
  for (int d = 0; d < 3; ++d) {
    one_block lower = block(), upper = block();
    // A corner whose sums with multiples of h are exact, as those of a mesh are up to the level's scale.
    upper.in.corner[d] += N * upper.in.h;
    lower.in.rotation = upper.in.rotation = 0.8;
    lower.fill_wild();
    upper.fill_wild();
    const results a = lower.run(), b = upper.run();
    EXPECT_EQ(a.outer[static_cast<std::size_t>(mesh::face(d, 1))], b.outer[static_cast<std::size_t>(mesh::face(d, 0))]);
  }
}

/// Packs and single numbers are one formula, to the bit.
TEST_P(block_test, packs_equal_numbers) {
  one_block b = block();
  b.in.rotation = 0.8;
  b.fill_wild();
  const results a = b.run(), c = b.run_scalar();
  for (std::size_t n = 0; n < a.rate.size(); ++n) ASSERT_EQ(a.rate[n], c.rate[n]);
  EXPECT_EQ(a.mass, c.mass);
  EXPECT_EQ(a.outer, c.outer);
}

/// The first fields of vectors.
std::vector<int> vectors(const mesh::field_numbers& f) {
  std::vector<int> first{f.momentum(), f.spin()};
  if (f.has_acceleration()) first.push_back(f.acceleration());
  return first;
}

/// The state with axes turned x → y → z → x gives the turned rates: one code for all directions.
TEST_P(block_test, axes_are_alike) {
  one_block b = block(), turned = block();
  b.in.corner = turned.in.corner = {-0.5, -0.5, -0.5};
  b.fill_wild();
  const auto& f = b.fields;
  one_block::each_ghosted([&](int i, int j, int k) {
    for (int q = 0; q < f.size(); ++q) turned.at(q, k, i, j) = b.at(q, i, j, k);
    for (const int first : vectors(f))
      for (int d = 0; d < 3; ++d) turned.at(first + (d + 1) % 3, k, i, j) = b.at(first + d, i, j, k);
  });
  const results a = b.run(), c = turned.run();
  const double size = largest(a.rate);
  const auto partner = [&](int q) {
    for (const int first : vectors(f))
      if (q >= first && q < first + 3) return first + (q - first + 1) % 3;
    return q;
  };
  for (int q = 0; q < f.evolved(); ++q)
    one_block::each(
        [&](int i, int j, int k) { ASSERT_NEAR(a.at(q, i, j, k), c.at(partner(q), k, i, j), 1e-13 * size); });
}

/// Mirrored in x: momentum along x and the spin's components in y and z (a pseudovector) change sign.
TEST_P(block_test, mirror) {
  one_block b = block(), other = block();
  b.in.corner = other.in.corner = {-0.5, -0.5, -0.5};
  b.fill_wild();
  const auto& f = b.fields;
  const auto sign = [&](int q) {
    const bool turns = q == f.momentum(0) || q == f.spin(1) || q == f.spin(2);
    return turns || (f.has_acceleration() && q == f.acceleration(0)) ? -1.0 : 1.0;
  };
  one_block::each_ghosted([&](int i, int j, int k) {
    for (int q = 0; q < f.size(); ++q) other.at(q, N - 1 - i, j, k) = sign(q) * b.at(q, i, j, k);
  });
  const results a = b.run(), c = other.run();
  const double size = largest(a.rate);
  for (int q = 0; q < f.evolved(); ++q)
    one_block::each([&](int i, int j, int k) {
      ASSERT_NEAR(a.at(q, i, j, k), sign(q) * c.at(q, N - 1 - i, j, k), 1e-13 * size) << q;
    });
}

/// Faces that a finer neighbour supplies carry nothing here, and change the cells beside them alone.
TEST_P(block_test, finer_faces_are_closed) {
  one_block b = block();
  b.fill_wild();
  const results open = b.run();
  b.in.finer_faces = 1U << mesh::face(0, 1) | 1U << mesh::face(2, 0);
  const results r = b.run();
  for (const int face : {mesh::face(0, 1), mesh::face(2, 0)})
    for (const double x : r.outer[static_cast<std::size_t>(face)]) ASSERT_EQ(x, 0.0);
  for (int a = 0; a < N; ++a)
    for (int c = 0; c < N; ++c) {
      EXPECT_EQ(r.mass_flux(0, N, a, c), 0.0);
      EXPECT_EQ(r.mass_flux(2, 0, a, c), 0.0);
    }
  for (int q = 0; q < b.fields.evolved(); ++q)
    one_block::each([&](int i, int j, int k) {
      if (i < N - 1 && k > 0) {
        ASSERT_EQ(r.at(q, i, j, k), open.at(q, i, j, k));
      } else if (q < b.fields.spin() && i == N - 1 && k > 0) {
        ASSERT_NEAR(r.at(q, i, j, k), open.at(q, i, j, k) + open.flux(1, q, j, k) / b.in.h, 1e-10);
      }
    });
}

/// Marked cells take first-order fluxes at all their faces; elsewhere nothing changes.
TEST_P(block_test, marks_make_first_order) {
  one_block b = block();
  auto first = par();
  first.reconstruct = reconstruction::constant;
  first.spin = false;
  one_block reference(first, test::gas_of(std::get<4>(GetParam())), std::get<3>(GetParam()));
  b.fill_wild();
  reference.fill_wild();
  std::vector<std::uint8_t> flags(mesh::ghosted_cells, 0);
  flags[static_cast<std::size_t>(mesh::ghosted(3, 4, 5))] = 1;
  const results plain = b.run();
  b.in.first_order = flags.data();
  const results r = b.run(), low = reference.run();
  const double size = largest(low.rate);
  for (int q = 0; q < b.fields.spin(); ++q)
    one_block::each([&](int i, int j, int k) {
      const int distance = std::abs(i - 3) + std::abs(j - 4) + std::abs(k - 5);
      if (distance == 0) {
        ASSERT_NEAR(r.at(q, i, j, k), low.at(q, i, j, k), 1e-13 * size);
      }
      if (distance > 1) {
        ASSERT_EQ(r.at(q, i, j, k), plain.at(q, i, j, k));
      }
    });
}

/// Without spin its field is left alone and does not act on the flow.
TEST(block, spin_off) {
  auto par = test::scheme(reconstruction::ppm, riemann_solver::hllc, false);
  one_block b(par);
  b.fill_wild();
  const results r = b.run();
  for (int d = 0; d < 3; ++d)
    one_block::each([&](int i, int j, int k) { ASSERT_EQ(r.at(b.fields.spin(d), i, j, k), 0.0); });
  one_block none(par);
  none.fill_wild();
  for (int d = 0; d < 3; ++d)
    one_block::each_ghosted([&](int i, int j, int k) { none.at(b.fields.spin(d), i, j, k) = 0; });
  EXPECT_EQ(none.run().rate, r.rate);
}

/// Largest |u_d| + c of known cells.
TEST(block, signal_speed) {
  const auto par = test::scheme(reconstruction::ppm, riemann_solver::hllc, true);
  one_block b(par);
  const hydro::block_update update(par, b.fields, b.eos);
  std::vector<double> u(static_cast<std::size_t>(b.fields.size() * mesh::cells));
  double expected = 0;
  one_block::each([&](int i, int j, int k) {
    const vec3d x = b.centre(i, j, k), v{std::sin(x.x), 2 * std::cos(x.y), x.z};
    const auto values = b.conserved(1 + 0.1 * i, v, 0.6, {});
    for (int q = 0; q < b.fields.size(); ++q)
      u[static_cast<std::size_t>(q * mesh::cells + mesh::cell(i, j, k))] = values[static_cast<std::size_t>(q)];
    const double grid_x = -3 * x.y, grid_y = 3 * x.x;
    const double fastest = std::max({std::abs(v.x - grid_x), std::abs(v.y - grid_y), std::abs(v.z)});
    expected = std::max(expected, fastest + std::sqrt(par.gamma * 0.6 / (1 + 0.1 * i)));
  });
  EXPECT_NEAR(update.signal_speed(u.data(), b.in.corner, b.in.h, 3.0), expected, 1e-14 * expected);
}

}  // namespace
