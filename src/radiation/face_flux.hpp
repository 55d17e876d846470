// Fluxes of light through a face that are right in the limit of large optical depth, too, and the reduced speed of
// light that makes explicit substeps of them stable (docs/radiation.md).
#pragma once

#include "radiation/closure.hpp"

namespace rednova::radiation {

/// A face between two cells. Depths are rho kappa_F h of the cells, with flux-mean opacities.
template <class T>
struct face_surroundings {
  T lower_energy, upper_energy;  ///< averages of the cells, as they stand
  T lower_depth, upper_depth;
  T depth;          ///< from centre to centre: mean_depth, depth_at_one_temperature (gas_around.hpp)
  T gas_velocity;   ///< along the normal
  T grid_velocity;  ///< of the face itself, along its normal
};

/// Energy and momentum that pass through a face, by area and time.
template <class T>
struct face_flux {
  T energy;                ///< F*
  core::vec3<T> momentum;  ///< P*
};

/// Share of the transport flux at a face of optical depth tau, from centre to centre: the rest is diffusion. It must
/// fade with the square of tau, or a jump of opacity lets too much through.
template <class T>
REDNOVA_FN T transport_share(const T& tau) {
  return 1.0 / (1.0 + tau * tau);
}

/// The largest speed of the face's flux over c: w + (1 - w)/tau.
template <class T>
REDNOVA_FN T face_speed(const T& tau) {
  return (1.0 + tau) / (1.0 + tau * tau);
}

/// The speed of light with which a cell takes part in transport: that of light, where steps `dt` bear it.
///
/// fastest: the largest face_speed of the cell's faces; cfl: of steps of transport.
template <class T>
REDNOVA_FN T reduced_light_speed(double c, double cfl, double h, double dt, const T& fastest) {
  return exec::min(T(c), T(cfl * h / dt / fastest));
}

/// No signal is slower than this share of c: keeps the HLL fan open where light streams along the normal.
inline constexpr double least_signal = 1e-3;

/// The flux of docs/radiation.md: HLL of the moment equations in the share w, the diffusion and advection of light in
/// the other, and the pressure of both sides with the weights of Jin & Levermore (1996, J. Comput. Phys. 126, 449).
///
/// On a face that moves with the grid, what it sweeps over is taken off: of the HLL flux that of the fan's own state
/// (for a face within the fan that is HLL's flux in the face's frame), of the advective flux w E by the upwind side of
/// the flow relative to the face and what is left of 4/3 v E, the work of pressure, by the mean.
template <class T>
REDNOVA_FN face_flux<T> flux_through(double c, int direction, const face_side<T>& lower, const face_side<T>& upper,
                                     const face_surroundings<T>& at) {
  const T ahead = exec::max(exec::max(lower.fastest, upper.fastest), T(least_signal));
  const T behind = exec::min(exec::min(lower.slowest, upper.slowest), T(-least_signal));
  const T per_fan = 1.0 / (ahead - behind), both = ahead * behind;
  const core::vec3<T> flux_lower = lower.energy * lower.reduced_flux, flux_upper = upper.energy * upper.reduced_flux;
  const T through_lower = flux_lower[direction], through_upper = flux_upper[direction];
  const T jump = upper.energy - lower.energy;
  const T transport = c * ((ahead * through_lower - behind * through_upper + both * jump) * per_fan);
  const T fan = (ahead * upper.energy - behind * lower.energy - (through_upper - through_lower)) * per_fan;
  // transport_share and 1/(3 tau) by one division. The other share is no difference from 1, which rounding would leave
  // above zero however small tau is.
  const T tau = at.depth, thrice = 3.0 * exec::max(tau, T(1e-30));
  const T opaque = 1.0 + tau * tau, both_depths = 1.0 / (opaque * thrice);
  const T w = both_depths * thrice, other = tau * tau * w;
  const T relative = at.gas_velocity - at.grid_velocity;
  const T upwind = exec::select(relative > 0.0, lower.energy, upper.energy);
  const T work = (1.0 / 3.0) * at.grid_velocity * (0.5 * (lower.energy + upper.energy));
  const T diffusion =
      (4.0 / 3.0) * relative * upwind + work - (c * (at.upper_energy - at.lower_energy)) * (both_depths * opaque);
  face_flux<T> r;
  r.energy = w * (transport - at.grid_velocity * fan) + other * diffusion;

  constexpr double half_root3 = 0.86602540378443864676;
  // Weights w_L and w_R, both times (1 + √3/2 τ_L)(1 + √3/2 τ_R).
  const T from_lower = ahead * (1.0 + half_root3 * at.upper_depth),
          from_upper = -behind * (1.0 + half_root3 * at.lower_depth);
  const T per_weight = 1.0 / (from_lower + from_upper), viscosity = w * both * per_fan;
  const T swept = 0.5 / c * at.grid_velocity;
  for (int d = 0; d < 3; ++d) {
    r.momentum[d] = (from_lower * lower.pressure[d] + from_upper * upper.pressure[d]) * per_weight +
                    viscosity * (flux_upper[d] - flux_lower[d]) - swept * (flux_lower[d] + flux_upper[d]);
  }
  return r;
}

}  // namespace rednova::radiation
