// Edges of cells from averages: order on smooth data, monotone on others, the same seen in a mirror.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "hydro/contact_steepening.hpp"
#include "hydro/reconstruct.hpp"
#include "hydro/reconstruct_quartic.hpp"

namespace {

using namespace rednova;
constexpr int n_all = mesh::N + 2 * mesh::ghosts;
using pencil = std::array<double, n_all>;
struct edges {
  std::array<double, hydro::pencil_cells> minus, plus;
};

template <class Scheme>
edges of(const pencil& q) {
  edges e;
  Scheme::template edges<double>(q.data() + mesh::ghosts, 1, e.minus.data(), e.plus.data());
  return e;
}

pencil random_pencil(std::mt19937& random) {
  std::uniform_real_distribution<double> any(-1, 1);
  pencil q;
  for (double& a : q) a = any(random);
  return q;
}

/// Mean error at the edges of cells of width h for averages of exp(x), which has no extremum.
template <class Scheme>
double error(double h) {
  pencil q;
  const auto x = [&](int n) { return 0.3 + n * h; };  // lower edge of cell n
  for (int n = 0; n < n_all; ++n)
    q[static_cast<std::size_t>(n)] = (std::exp(x(n + 1 - mesh::ghosts)) - std::exp(x(n - mesh::ghosts))) / h;
  const edges e = of<Scheme>(q);
  double sum = 0;
  for (int n = -1; n <= mesh::N; ++n) {
    const auto c = static_cast<std::size_t>(n + 1);
    sum += std::abs(e.minus[c] - std::exp(x(n))) + std::abs(e.plus[c] - std::exp(x(n + 1)));
  }
  return sum / (2 * hydro::pencil_cells);
}

/// Orders 1, 2, 4 (the interpolation of eq. 1.6 is cubic) and 5; 0.15 for terms of the next order, and the pencil
/// shrinks with h.
TEST(reconstruct, order_on_smooth_data) {
  const double h = 1.0 / 100;
  EXPECT_NEAR(std::log2(error<hydro::reconstruct_constant>(h) / error<hydro::reconstruct_constant>(h / 2)), 1, 0.15);
  EXPECT_NEAR(std::log2(error<hydro::reconstruct_plm>(h) / error<hydro::reconstruct_plm>(h / 2)), 2, 0.15);
  EXPECT_NEAR(std::log2(error<hydro::reconstruct_ppm>(h) / error<hydro::reconstruct_ppm>(h / 2)), 4, 0.15);
  // Wider cells: at 1/200 the error is rounding. The length of the block is the same whatever its number of cells.
  const double wide = 0.4 / mesh::N;
  EXPECT_NEAR(std::log2(error<hydro::reconstruct_quartic>(wide) / error<hydro::reconstruct_quartic>(wide / 2)), 5, 0.3);
}

/// Edges lie between the averages of their two cells, and the parabola between its edges has no extremum.
TEST(reconstruct, monotone) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 500; ++trial) {
    const pencil q = random_pencil(random);
    for (const edges& e : {of<hydro::reconstruct_plm>(q), of<hydro::reconstruct_ppm>(q)})
      for (int n = -1; n <= mesh::N; ++n) {
        const auto c = static_cast<std::size_t>(n + 1);
        const double a = q[c + 2], down = q[c + 1], up = q[c + 3], rounding = 1e-15;
        EXPECT_GE(e.minus[c], std::min(a, down) - rounding);
        EXPECT_LE(e.minus[c], std::max(a, down) + rounding);
        EXPECT_GE(e.plus[c], std::min(a, up) - rounding);
        EXPECT_LE(e.plus[c], std::max(a, up) + rounding);
        const double slope = e.plus[c] - e.minus[c], curve = 6 * (a - (e.plus[c] + e.minus[c]) / 2);
        EXPECT_LE(std::abs(curve), std::abs(slope) + 10 * rounding);
      }
  }
}

/// The edge upwind of a face is that of both, to the bit, for a pencil and for single faces.
template <class Scheme>
void expect_upwind_edges() {
  std::mt19937 random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const pencil q = random_pencil(random), flux = random_pencil(random);
    const edges e = of<Scheme>(q);
    std::array<double, hydro::pencil_faces> value;
    Scheme::template upwind<double>(q.data() + mesh::ghosts, 1, flux.data(), value.data());
    for (std::size_t f = 0; f < value.size(); ++f) {
      EXPECT_EQ(value[f], flux[f] > 0 ? e.plus[f] : e.minus[f + 1]);
      double single;
      Scheme::template upwind<double, 1>(q.data() + mesh::ghosts + f, 1, flux.data() + f, &single);
      EXPECT_EQ(single, value[f]);
    }
  }
}
TEST(reconstruct, upwind_edges_are_those_of_both) {
  expect_upwind_edges<hydro::reconstruct_constant>();
  expect_upwind_edges<hydro::reconstruct_plm>();
  expect_upwind_edges<hydro::reconstruct_ppm>();
}

/// Averages of sin(x + phase) over cells of width h, cell 0's centre at x = 0.
pencil sine(double h, double phase) {
  pencil q;
  for (int n = 0; n < n_all; ++n) {
    const double x = phase + (n - mesh::ghosts) * h;
    q[static_cast<std::size_t>(n)] = (std::cos(x - h / 2) - std::cos(x + h / 2)) / h;
  }
  return q;
}

/// Largest error at edges within two cells of a crest that stands anywhere in a cell.
template <class Scheme>
double error_at_crest(double h) {
  double largest = 0;
  for (int part = 0; part < 16; ++part) {
    const double phase = std::acos(0.0) - (4 + part / 16.0) * h;
    const edges e = of<Scheme>(sine(h, phase));
    for (int n = 2; n <= 6; ++n) {
      const auto c = static_cast<std::size_t>(n + 1);
      largest = std::max({largest, std::abs(e.minus[c] - std::sin(phase + (n - 0.5) * h)),
                          std::abs(e.plus[c] - std::sin(phase + (n + 0.5) * h))});
    }
  }
  return largest;
}

/// Smooth extrema are as good as the rest: order 5 where the parabola's limiter, which flattens them, has 2.
TEST(reconstruct, smooth_extrema_are_not_clipped) {
  const double h = 0.1;
  EXPECT_NEAR(
      std::log2(error_at_crest<hydro::reconstruct_quartic>(h) / error_at_crest<hydro::reconstruct_quartic>(h / 2)), 5,
      1);
  EXPECT_LT(std::log2(error_at_crest<hydro::reconstruct_ppm>(h) / error_at_crest<hydro::reconstruct_ppm>(h / 2)), 2.5);
}

/// A step, and a step that is one or two cells wide, gets no value outside its two levels.
TEST(reconstruct, jumps_make_no_extrema) {
  for (const double part : {0.0, 0.01, 0.3, 0.7, 0.99}) {
    for (const double second : {0.0, 0.2, 0.6, 1.0}) {
      pencil q;
      for (int n = 0; n < n_all; ++n) q[static_cast<std::size_t>(n)] = n < 7 ? 0 : 1;
      q[6] = part * second;
      q[7] = second;
      const edges e = of<hydro::reconstruct_quartic>(q);
      for (std::size_t c = 0; c < e.plus.size(); ++c) {
        for (const double a : {e.minus[c], e.plus[c]}) {
          EXPECT_GE(a, -1e-15);
          EXPECT_LE(a, 1 + 1e-15);
        }
      }
    }
  }
}

/// However rough, edges of positive averages are positive.
TEST(reconstruct, positive_edges) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> power(-12, 0);
  for (int trial = 0; trial < 500; ++trial) {
    pencil q;
    for (double& a : q) a = std::pow(10.0, power(random));
    edges e;
    hydro::positive<hydro::reconstruct_quartic>::edges<double>(q.data() + mesh::ghosts, 1, e.minus.data(),
                                                               e.plus.data());
    for (std::size_t c = 0; c < e.plus.size(); ++c) {
      EXPECT_GE(e.minus[c], 0.5 * std::min(q[c + 1], q[c + 2]));
      EXPECT_GE(e.plus[c], 0.5 * std::min(q[c + 2], q[c + 3]));
    }
  }
}

TEST(reconstruct, constant_data_stay_to_the_bit) {
  pencil q;
  q.fill(1.0 / 3.0);
  for (const edges& e :
       {of<hydro::reconstruct_plm>(q), of<hydro::reconstruct_ppm>(q), of<hydro::reconstruct_quartic>(q)})
    for (std::size_t c = 0; c < e.plus.size(); ++c) {
      EXPECT_EQ(e.minus[c], 1.0 / 3.0);
      EXPECT_EQ(e.plus[c], 1.0 / 3.0);
    }
}

TEST(reconstruct, mirror) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 100; ++trial) {
    const pencil q = random_pencil(random);
    pencil reversed = q;
    std::reverse(reversed.begin(), reversed.end());
    const edges a = of<hydro::reconstruct_ppm>(q), b = of<hydro::reconstruct_ppm>(reversed);
    const edges c = of<hydro::reconstruct_plm>(q), d = of<hydro::reconstruct_plm>(reversed);
    const edges f = of<hydro::reconstruct_quartic>(q), g = of<hydro::reconstruct_quartic>(reversed);
    for (std::size_t n = 0; n < a.plus.size(); ++n) {
      EXPECT_EQ(f.plus[n], g.minus[g.minus.size() - 1 - n]);
      EXPECT_EQ(a.plus[n], b.minus[b.minus.size() - 1 - n]);
      EXPECT_EQ(c.plus[n], d.minus[d.minus.size() - 1 - n]);
    }
  }
}

TEST(reconstruct, packs_equal_numbers) {
  std::mt19937 random(6);
  constexpr std::size_t w = exec::pack::size();
  std::array<pencil, w> lanes;
  std::vector<double> mixed(n_all * w);
  for (std::size_t a = 0; a < w; ++a) {
    lanes[a] = random_pencil(random);
    for (std::size_t n = 0; n < n_all; ++n) mixed[n * w + a] = lanes[a][n];
  }
  std::array<exec::pack, hydro::pencil_cells> minus, plus;
  hydro::reconstruct_quartic::edges<exec::pack>(mixed.data() + mesh::ghosts * w, w, minus.data(), plus.data());
  for (std::size_t a = 0; a < w; ++a) {
    const edges e = of<hydro::reconstruct_quartic>(lanes[a]);
    for (std::size_t c = 0; c < plus.size(); ++c) {
      EXPECT_EQ(minus[c][a], e.minus[c]);
      EXPECT_EQ(plus[c][a], e.plus[c]);
    }
  }
}

/// A smeared contact gets steeper edges, a shock of the same density does not, smooth data stay as they are.
TEST(contact_steepening, acts_on_contacts_alone) {
  const auto steepened = [](const pencil& rho, const pencil& p) {
    edges e = of<hydro::reconstruct_quartic>(rho);
    const auto gamma_of = [](int) { return 5.0 / 3; };
    hydro::contact_steepening::edges<double>(rho.data() + mesh::ghosts, p.data() + mesh::ghosts, 1, gamma_of,
                                             e.minus.data(), e.plus.data());
    return e;
  };
  pencil contact, pressure, shock, smooth;
  for (int n = 0; n < n_all; ++n) {
    const auto c = static_cast<std::size_t>(n);
    contact[c] = 1 + 0.5 * std::tanh(1.2 * (n - n_all / 2));
    pressure[c] = 1;
    shock[c] = 1 + 0.9 * std::tanh(1.2 * (n - n_all / 2));
    smooth[c] = 1 + 0.1 * std::sin(0.2 * n);
  }
  const std::size_t middle = static_cast<std::size_t>(n_all / 2 - mesh::ghosts + 1);
  const edges plain = of<hydro::reconstruct_quartic>(contact), steep = steepened(contact, pressure);
  EXPECT_GT(steep.plus[middle] - steep.minus[middle], 1.05 * (plain.plus[middle] - plain.minus[middle]));
  EXPECT_LE(steep.plus[middle], contact[middle + 3]);
  const edges in_shock = steepened(contact, shock), flat = steepened(smooth, pressure);
  const edges plain_smooth = of<hydro::reconstruct_quartic>(smooth);
  for (std::size_t c = 0; c < plain.plus.size(); ++c) {
    EXPECT_EQ(in_shock.plus[c], plain.plus[c]);
    EXPECT_EQ(flat.plus[c], plain_smooth.plus[c]);
  }
}

}  // namespace
