// Spin and flow exchange angular momentum at a rate of their own: the couple stress of a micropolar fluid (Eringen
// 1966, J. Math. Mech. 16, 1), with which the vorticity follows the spin also where the Riemann solver has no
// dissipation.
#pragma once

#include "exec/simd.hpp"
#include "hydro/limiter.hpp"

namespace rednova::hydro {

/// Below 1 where the densities of two cells differ by more than a factor of two: what is exchanged between them is
/// scaled by it, so that a thin cell does not get the spin of a thick one.
template <class T>
REDNOVA_FN T likeness(const T& rho_l, const T& rho_r) {
  return exec::min(T(1.0), 2.0 * exec::min(rho_l, rho_r) / exec::max(rho_l, rho_r));
}

/// With e = l - (rho h²/12) curl v, the spin in excess of the vorticity, and g = kappa e:
///     dl/dt = … - g,   ds/dt = … + (1/2) curl g.
/// A fluid that turns rigidly has g = 0. The second term is a flux of momentum through faces, F_s = -(1/2) n × g, and
/// the torque that this flux exerts on the spins of the two cells beside a face adds up to the first (pencil_output's
/// torque_between), so nothing else has to be done to keep momentum and angular momentum.
///
/// kappa = k c / (h + k c dt), c = sqrt(p/rho): at most 1/dt, so that the exchange is stable for any k. Sources of spin
/// in excess are stars' surfaces, where c is small: hence a large k, with which a rotating star of 8 cells to a radius
/// holds its flow's angular momentum to 2e-3 (k = 6: 4e-3, and none better above 30).
struct spin_exchange {
  static constexpr double strength = 30;  ///< k

  /// kappa h / 3 of a cell with sqrt(p/rho) = c: times (h/2) (omega_l - curl v / 2), the excess of spin as a velocity,
  /// it is g / rho.
  template <class T>
  REDNOVA_FN static T speed(const T& c, double h, double dt) {
    return (strength * c) / (3.0 + (3.0 * strength * dt / h) * c);
  }

  /// g at a face between cells of densities rho and g / rho = a, b: the mean of the two, of the thinner one's density.
  /// Between like cells it is at most twice the smaller one, and nothing where they differ in sign: at kinks of the
  /// velocity the difference of l and curl v is that of their stencils.
  template <class T>
  REDNOVA_FN static T at_face(const T& rho_l, const T& rho_r, const T& a, const T& b) {
    const T mean = 0.5 * (a + b), limited = minmod(mean, minmod(T(a + a), T(b + b)));
    return exec::min(rho_l, rho_r) * (mean + likeness(rho_l, rho_r) * (limited - mean));
  }
};

}  // namespace rednova::hydro
