// The form of a Runge-Kutta stage, in plain numbers.
#pragma once

#include <vector>

#include "config/parameters.hpp"
#include "hydro/spin_exchange.hpp"

namespace rednova::step {

/// One stage of a strong-stability-preserving Runge-Kutta scheme in Shu-Osher form, with the rotation of the
/// frame as integrating factor: next = a G(from_start) start + b G(from_here) (u + dt L(u)).
struct stage_form {
  double a, b;
  double from_start, from_here;  ///< times over which the parts turn, in units of dt
  double flux_weight;            ///< of this stage's fluxes in the whole step
  double floor_weight;           ///< of what floors add after this stage
  double begins;                 ///< time of u after the step's start, in units of dt
};

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
