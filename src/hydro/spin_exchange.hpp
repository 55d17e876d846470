// Spin and flow exchange angular momentum at a rate of their own: the couple stress of a micropolar fluid (Eringen
// 1966, J. Math. Mech. 16, 1), with which the vorticity follows the spin also where the Riemann solver has no
// dissipation.
#pragma once

#include "exec/simd.hpp"
#include "hydro/limiter.hpp"

namespace rednova::hydro {

/// min(1, 2 rho_thin / rho_thick): below 1 where the densities of two cells differ by more than a factor of two. Fluxes
/// of spin are scaled by it, so that a thin cell does not get the spin of a thick one.
template <class T>
REDNOVA_FN T density_ratio_limiter(const T& rho_l, const T& rho_r) {
  return exec::min(T(1.0), 2.0 * exec::min(rho_l, rho_r) / exec::max(rho_l, rho_r));
}

/// What a Runge-Kutta stage exchanges: the first stage all that the step does, the others nothing.
///
/// At the start of a step the spin is third-order accurate. After the first stage, l also holds the error that an Euler
/// step makes in the rotation of the frame, (Omega dt)² x × s / 2. It cancels at the end of the step, but until then it
/// would be taken for spin in excess of the vorticity.
struct stage_spin_exchange {
  double dt = 0;      ///< length of the step
  double weight = 0;  ///< 1 over the share that the stage's fluxes have in the step; 0: no exchange
};

/// With e = l - (rho h²/12) curl v, the spin in excess of the vorticity, and g = kappa e:
///     dl/dt = … - g,   ds/dt = … + (1/2) curl g.
/// A fluid that turns rigidly has g = 0. The second term is a flux of momentum through faces, F_s = -(1/2) n × g, and
/// the torque that this flux exerts on the spins of the two cells beside a face adds up to the first (pencil_output's
/// torque_between), so nothing else has to be done to keep momentum and angular momentum.
///
/// kappa = k c / (h + k c dt / b), c = sqrt(p/rho): a step takes at most the share b of the excess, whatever k is.
///
/// Through edges that feel the spin (spin_feedback.hpp) the excess returns at the rate 6 a / h, a the speed of the
/// solver's dissipation, which HLLC does not have where gas stands still on the grid, as inside a star on a grid that
/// turns with it. There gravity's torques, which a cell hands down to the leaves below it, would pile up. k is small,
/// so that other flows feel nothing of it; and at surfaces of stars, where edges feel no spin, because l holds m × v of
/// mass that lies off a cell's centre by m: that goes back and forth with the surface, and flow that took it for
/// rotation would stir.
struct spin_exchange {
  static constexpr double strength = 0.1;       ///< k
  static constexpr double largest = 5.0 / 6.0;  ///< b

  /// w kappa h / 3 of a cell, w the stage's weight: times (h/2) (omega_l - curl v / 2), the excess of spin as a
  /// velocity, it is w g / rho.
  template <class T>
  REDNOVA_FN static T speed(const T& c, double h, const stage_spin_exchange& stage) {
    return (stage.weight * strength * c) / (3.0 + (3.0 / largest * strength * stage.dt / h) * c);
  }

  /// w g at a face between two cells with a and b for w g / rho: their mean times the thinner one's density. Between
  /// like cells it is at most twice the smaller one, and nothing where they differ in sign: at kinks of the velocity
  /// the difference of l and curl v is that of their stencils.
  template <class T>
  REDNOVA_FN static T at_face(const T& rho_l, const T& rho_r, const T& a, const T& b) {
    const T mean = 0.5 * (a + b), limited = minmod(mean, minmod(T(a + a), T(b + b)));
    return exec::min(rho_l, rho_r) * (mean + density_ratio_limiter(rho_l, rho_r) * (limited - mean));
  }
};

}  // namespace rednova::hydro
