// The form of a Runge-Kutta stage, in plain numbers.
#pragma once

#include <vector>

#include "config/parameters.hpp"
#include "hydro/spin_exchange.hpp"

namespace rednova::step {

/// One stage of a strong-stability-preserving Runge-Kutta scheme in Shu-Osher form, with the rotation of the
/// frame as integrating factor: next = G(from_start)(a start + dt pull F(start)) + b G(from_here)(u + dt L(u)), with
/// the fluxes L and gravity's force F. A stage's state has felt the force at the start for the time since then, the
/// last one for half the step; the other half is the force at the end (last_pull).
struct stage_form {
  double a, b;
  double pull;                   ///< share of the force at the start that is this stage's
  double from_start, from_here;  ///< times over which the parts turn, in units of dt
  double flux_weight;            ///< of this stage's fluxes in the whole step
  double floor_weight;           ///< of what floors add after this stage
  double begins;                 ///< time of u after the step's start, in units of dt
};

/// What the force at a step's end has of the step: gravity is solved for once a step, and momentum gets the mean of the
/// forces at its two ends (Verlet 1967, Phys. Rev. 159, 98).
inline constexpr double last_pull = 0.5;

/// A stage under way.
struct stage_now {
  stage_form form;
  double dt;
  int number;
  bool last;
  double begins, ends;  ///< times of the states before and after it
};

/// All of a step's exchange of spin and flow is the first stage's (hydro/spin_exchange.hpp).
inline hydro::stage_spin_exchange spin_exchange_of(const stage_form& form, double dt) {
  return {dt, form.a == 0 ? 1 / form.flux_weight : 0.0};
}

/// The stages of a scheme (Shu & Osher 1988; Gottlieb, Shu & Tadmor 2001, SIAM Rev. 43, 89).
std::vector<stage_form> stages(config::integrator scheme);

}  // namespace rednova::step
