// The structure of a steady radiative shock in grey nonequilibrium diffusion (Lowrie & Edwards 2008, Shock Waves 18,
// 129): jump conditions of gas and light, precursor, hydrodynamic shock, relaxation.
//
// Densities, temperatures and the sound speed upstream are 1, so p = rho T/gamma and E = P0 theta⁴. With the flux of
// mass M, in the frame of the shock:
//   M v + p + E/3 = C1,   M (v²/2 + T/(gamma - 1)) + F = C2,   F = 4/3 v E - kappa dE/dx,
//   dF/dx = sigma (P0 T⁴ - E) + v/3 dE/dx.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace rednova::test {

/// Gas and light on both sides of a shock, far from it.
class radiative_jump {
 public:
  struct place {
    double x, velocity, energy;  ///< x from the shock
  };

  radiative_jump(double mach_number, double light, double index)
      : mach(mach_number),
        p0(light),
        gamma(index),
        momentum_(mach * mach + 1 / gamma + p0 / 3),
        power_(mach * (mach * mach / 2 + 1 / (gamma - 1)) + 4.0 / 3 * mach * p0) {
    find_downstream();
  }

  double density(const place& at) const { return mach / at.velocity; }
  double temperature(const place& at) const { return gamma * at.velocity * pressure(at) / mach; }
  double flux(const place& at) const {
    return power_ - mach * at.velocity * at.velocity / 2 - gamma / (gamma - 1) * at.velocity * pressure(at);
  }

  double mach, p0, gamma;
  place downstream{};

 protected:
  double pressure(const place& at) const { return momentum_ - mach * at.velocity - at.energy / 3; }
  double momentum_, power_;

 private:
  /// Where T and theta agree and F = 4/3 v E, by bisection.
  void find_downstream() {
    // What E lacks of P0 T⁴: T falls with E.
    const auto in_equilibrium = [&](double v) {
      double low = 0, high = 3 * (momentum_ - mach * v);
      for (int n = 0; n < 100; ++n) {
        const double e = 0.5 * (low + high);
        (e > p0 * std::pow(temperature({0, v, e}), 4) ? high : low) = e;
      }
      return place{0, v, 0.5 * (low + high)};
    };
    const auto excess = [&](double v) {
      const place at = in_equilibrium(v);
      return flux(at) - 4.0 / 3 * v * at.energy;
    };
    // Zero upstream, too; the flux of energy that the momentum leaves over changes its sign between the two.
    double low = mach / 7.5, high = 0.9 * mach;
    const bool rises = excess(high) > excess(low);
    for (int n = 0; n < 60; ++n) {
      const double v = 0.5 * (low + high);
      ((excess(v) > 0) == rises ? high : low) = v;
    }
    downstream = in_equilibrium(low);
  }
};

/// That of the paper, of Mach 2 and P0 = 1e-4, with kappa = 1 and sigma = 1e6.
class radiative_shock : public radiative_jump {
 public:
  static constexpr double diffusivity = 1, emission = 1e6;

  /// power: of the density in the opacities: sigma goes with it, kappa with its inverse. The paper has 0, opacities by
  /// mass 1.
  explicit radiative_shock(int power) : radiative_jump(2, 1e-4, 5.0 / 3), power_of_density_(power) {
    const std::vector<place> ahead = march({0, mach, p0}, 1, [&](const place& at) {
      return at.energy < 0.999 * downstream.energy && at.velocity * mach > 1.001 * gamma * pressure(at);
    });
    const std::vector<place> behind = march({0, downstream.velocity, downstream.energy}, -1, [&](const place& at) {
      return at.energy > 0.3 * downstream.energy && at.velocity * mach < 0.999 * gamma * pressure(at);
    });
    join(ahead, behind);
  }

  /// Gas and light at x.
  place at(double x) const {
    const auto after = std::ranges::upper_bound(profile_, x, {}, &place::x);
    if (after == profile_.begin()) return {x, mach, p0};
    if (after == profile_.end()) return downstream;
    const place &a = after[-1], &b = *after;
    const double share = (x - a.x) / (b.x - a.x);
    return {x, a.velocity + share * (b.velocity - a.velocity), a.energy + share * (b.energy - a.energy)};
  }
  place spike{};  ///< behind the hydrodynamic shock

 private:
  std::array<double, 2> slopes(const place& at) const {
    const double opaque = std::pow(density(at), power_of_density_);
    const double by_energy = (4.0 / 3 * at.velocity * at.energy - flux(at)) * opaque / diffusivity;
    const double by_flux =
        emission * opaque * (p0 * std::pow(temperature(at), 4) - at.energy) + at.velocity / 3 * by_energy;
    const double by_velocity = (by_flux - gamma / (3 * (gamma - 1)) * at.velocity * by_energy) * (gamma - 1) /
                               (mach * at.velocity - gamma * pressure(at));
    return {by_velocity, by_energy};
  }

  /// From an equilibrium away along x (sign 1) or back (-1), on its growing mode, by Runge and Kutta's steps.
  template <class Going>
  std::vector<place> march(place at, int sign, const Going& going) const {
    // The Jacobian's eigenvalue of that sign, of two of different signs.
    double j[2][2];
    for (int k = 0; k < 2; ++k) {
      place up = at, down = at;
      double& high = k == 0 ? up.velocity : up.energy;
      double& low = k == 0 ? down.velocity : down.energy;
      const double d = 1e-6 * high;
      high += d;
      low -= d;
      for (std::size_t i = 0; i < 2; ++i) j[i][k] = (slopes(up)[i] - slopes(down)[i]) / (2 * d);
    }
    const double half = 0.5 * (j[0][0] + j[1][1]), det = j[0][0] * j[1][1] - j[0][1] * j[1][0];
    const double root = std::sqrt(half * half - det), rate = half + sign * root;
    const double shift = 1e-5 * sign * at.energy;
    std::vector<place> all{at};
    at.velocity += shift * (rate - j[1][1]) / j[1][0];
    at.energy += shift;
    const double h = sign * 0.02 / (std::abs(half) + root);
    const auto moved = [&](const place& from, const std::array<double, 2>& by, double step) {
      return place{from.x + step, from.velocity + step * by[0], from.energy + step * by[1]};
    };
    while (going(at)) {
      all.push_back(at);
      const auto k1 = slopes(at), k2 = slopes(moved(at, k1, 0.5 * h)), k3 = slopes(moved(at, k2, 0.5 * h)),
                 k4 = slopes(moved(at, k3, h));
      at = moved(at, {(k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0]) / 6, (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1]) / 6}, h);
    }
    return all;
  }

  /// Where the two meet E and F are the same: F(v) is a parabola, of which the shock takes one root to the other.
  void join(const std::vector<place>& ahead, const std::vector<place>& behind) {
    const double q = gamma / (gamma - 1);
    const auto lacks = [&](const place& a) {
      const double beyond = q * (momentum_ - a.energy / 3) / (mach * (q - 0.5)) - a.velocity;
      return beyond - interpolated(behind, a.energy).velocity;
    };
    std::size_t n = ahead.size() - 1;
    const bool sign = lacks(ahead[n]) > 0;
    while (n > 1 && ahead[n].energy > behind.back().energy && (lacks(ahead[n]) > 0) == sign) --n;
    double low = ahead[n].energy, high = ahead[n + 1].energy;
    for (int half = 0; half < 60; ++half) {
      const double e = 0.5 * (low + high);
      ((lacks(interpolated(ahead, e)) > 0) == sign ? high : low) = e;
    }
    const place before = interpolated(ahead, low);
    spike = interpolated(behind, low);
    for (const place& a : ahead)
      if (a.energy < low) profile_.push_back({a.x - before.x, a.velocity, a.energy});
    profile_.push_back({0, before.velocity, low});
    profile_.push_back({0, spike.velocity, low});
    for (auto b = behind.rbegin(); b != behind.rend(); ++b)
      if (b->energy > low) profile_.push_back({b->x - spike.x, b->velocity, b->energy});
    spike.x = 0;
  }
  /// At an energy, of places whose energies rise or fall.
  static place interpolated(const std::vector<place>& all, double energy) {
    const bool rise = all.back().energy > all.front().energy;
    std::size_t n = 1;
    while (n + 1 < all.size() && (rise ? all[n].energy < energy : all[n].energy > energy)) ++n;
    const place &a = all[n - 1], &b = all[n];
    const double share = (energy - a.energy) / (b.energy - a.energy);
    return {a.x + share * (b.x - a.x), a.velocity + share * (b.velocity - a.velocity), energy};
  }

  int power_of_density_;
  std::vector<place> profile_;
};

}  // namespace rednova::test
