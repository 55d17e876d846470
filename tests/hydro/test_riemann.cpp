// Both Riemann solvers on states whose flux is known.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "eos/ideal_gas.hpp"
#include "hydro/riemann_hllc.hpp"
#include "hydro/riemann_kt.hpp"

namespace {

using namespace rednova;
using state = hydro::face_state<double>;
using flux = hydro::face_flux<double>;

const eos::ideal_gas gas{5.0 / 3.0};

std::array<double, 5> components(const flux& f) { return {f.mass, f.sn, f.st1, f.st2, f.energy}; }

/// U and F(U) - w U of a state.
std::array<double, 5> conserved(const state& a) {
  return {a.rho, a.rho * a.vn, a.rho * a.vt1, a.rho * a.vt2, hydro::total_energy(a, gas)};
}
std::array<double, 5> exact_flux(const state& a, double w) {
  const double u = a.vn - w, energy = hydro::total_energy(a, gas);
  return {a.rho * u, a.rho * u * a.vn + a.p, a.rho * u * a.vt1, a.rho * u * a.vt2, energy * u + a.p * a.vn};
}

std::vector<state> samples() {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> positive(0.1, 2), any(-3, 3);
  std::vector<state> s;
  for (int n = 0; n < 200; ++n)
    s.push_back({positive(random), any(random), any(random), any(random), positive(random)});
  return s;
}

template <class Riemann>
class riemann_test : public testing::Test {};
using solvers = testing::Types<hydro::riemann_hllc, hydro::riemann_kt>;
TYPED_TEST_SUITE(riemann_test, solvers);

/// F(U, U) = F(U): sub- and supersonic, both ways, moving faces. Tolerance: some roundings of terms of size 20.
TYPED_TEST(riemann_test, equal_states_give_the_physical_flux) {
  for (const state& a : samples())
    for (const double w : {0.0, 0.7, -2.0}) {
      const auto got = components(TypeParam::flux(a, a, w, gas)), expected = exact_flux(a, w);
      for (std::size_t f = 0; f < 5; ++f) EXPECT_NEAR(got[f], expected[f], 1e-13 * (20 + std::abs(expected[f])));
    }
}

/// Seen in a mirror, fluxes of mass, transverse momentum and energy change sign: bit by bit.
TYPED_TEST(riemann_test, mirror) {
  const auto s = samples();
  const auto mirrored = [](state a) {
    a.vn = -a.vn;
    return a;
  };
  for (std::size_t n = 0; n + 1 < s.size(); n += 2) {
    const flux a = TypeParam::flux(s[n], s[n + 1], 0.3, gas);
    const flux b = TypeParam::flux(mirrored(s[n + 1]), mirrored(s[n]), -0.3, gas);
    EXPECT_EQ(a.mass, -b.mass);
    EXPECT_EQ(a.sn, b.sn);
    EXPECT_EQ(a.st1, -b.st1);
    EXPECT_EQ(a.st2, -b.st2);
    EXPECT_EQ(a.energy, -b.energy);
  }
}

/// In a frame that moves with speed b fluxes follow the Galilean transformation, the face moving along.
TYPED_TEST(riemann_test, galilean) {
  const auto s = samples();
  const double b = 1.7;
  for (std::size_t n = 0; n + 1 < s.size(); n += 2) {
    state l = s[n], r = s[n + 1];
    const flux a = TypeParam::flux(l, r, 0.0, gas);
    l.vn += b;
    r.vn += b;
    const flux moved = TypeParam::flux(l, r, b, gas);
    EXPECT_NEAR(moved.mass, a.mass, 1e-12);
    EXPECT_NEAR(moved.sn, a.sn + b * a.mass, 1e-12 * 50);
    EXPECT_NEAR(moved.energy, a.energy + b * a.sn + b * b / 2 * a.mass, 1e-12 * 100);
  }
}

/// Opposite supersonic or vacuum-like states leave the flux finite.
TYPED_TEST(riemann_test, extremes_are_finite) {
  const state thin{1e-15, 0, 0, 0, 1e-20}, thick{1, 0, 0, 0, 1}, fast{1e-10, 1e4, 0, 0, 1e-10};
  for (const state& l : {thin, thick, fast})
    for (const state& r : {thin, thick, fast})
      for (const double f : components(TypeParam::flux(l, r, 0.0, gas))) EXPECT_TRUE(std::isfinite(f));
}

/// Packs and doubles are one formula, to the bit.
TYPED_TEST(riemann_test, packs_equal_numbers) {
  const auto s = samples();
  constexpr std::size_t w = exec::pack::size();
  using pack = exec::pack;
  for (std::size_t n = 0; n + 2 * w <= s.size(); n += 2 * w) {
    const auto gather = [&](std::size_t first) {
      const auto get = [&](auto member) { return pack([&](auto i) { return s[first + i].*member; }); };
      return hydro::face_state<pack>{get(&state::rho), get(&state::vn), get(&state::vt1), get(&state::vt2),
                                     get(&state::p)};
    };
    const auto f = TypeParam::flux(gather(n), gather(n + w), pack(0.2), gas);
    for (std::size_t i = 0; i < w; ++i) {
      const flux one = TypeParam::flux(s[n + i], s[n + w + i], 0.2, gas);
      EXPECT_EQ(f.mass[i], one.mass);
      EXPECT_EQ(f.sn[i], one.sn);
      EXPECT_EQ(f.energy[i], one.energy);
    }
  }
}

/// A contact that rests on the face: no mass, no energy, no transverse momentum passes, whatever its jump.
TEST(riemann_hllc, keeps_a_resting_contact_exactly) {
  const state l{1, 0.7, 2, 0, 0.4}, r{1e-6, 0.7, -1, 3, 0.4};
  const flux f = hydro::riemann_hllc::flux(l, r, 0.7, gas);
  EXPECT_EQ(f.mass, 0.0);
  EXPECT_EQ(f.st1, 0.0);
  EXPECT_EQ(f.sn, 0.4);
  EXPECT_EQ(f.energy, 0.4 * 0.7);
}

/// Through a face that moves with an isolated shock passes what the states on both sides say.
TEST(riemann_hllc, isolated_shock_is_exact) {
  const double g = gas.gamma, mach = 3;
  const state r{1, -0.2, 0.5, 0, 0.6};
  const double c = std::sqrt(g * r.p / r.rho), speed = r.vn + mach * c;
  state l = r;
  l.rho = r.rho * (g + 1) * mach * mach / ((g - 1) * mach * mach + 2);
  l.p = r.p * (1 + 2 * g / (g + 1) * (mach * mach - 1));
  l.vn = speed - (speed - r.vn) * r.rho / l.rho;
  const auto got = components(hydro::riemann_hllc::flux(l, r, speed, gas));
  const auto left = exact_flux(l, speed), right = exact_flux(r, speed);
  for (std::size_t f = 0; f < 5; ++f) {
    EXPECT_NEAR(left[f], right[f], 1e-13 * 50);  // the states are a shock
    EXPECT_NEAR(got[f], right[f], 1e-13 * 50);
  }
}

/// Kurganov & Tadmor: (F_L + F_R)/2 - a (U_R - U_L)/2.
TEST(riemann_kt, is_the_formula) {
  const auto s = samples();
  for (std::size_t n = 0; n + 1 < s.size(); n += 2) {
    const state &l = s[n], &r = s[n + 1];
    const double w = 0.4;
    const double a = std::max(std::abs(l.vn - w) + std::sqrt(gas.gamma * l.p / l.rho),
                              std::abs(r.vn - w) + std::sqrt(gas.gamma * r.p / r.rho));
    const auto got = components(hydro::riemann_kt::flux(l, r, w, gas));
    const auto fl = exact_flux(l, w), fr = exact_flux(r, w), ul = conserved(l), ur = conserved(r);
    for (std::size_t f = 0; f < 5; ++f) EXPECT_NEAR(got[f], (fl[f] + fr[f]) / 2 - a * (ur[f] - ul[f]) / 2, 1e-13 * 100);
  }
}

}  // namespace
