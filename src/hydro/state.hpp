// What meets at a face, and what passes through it.
#pragma once

#include "eos/ratios.hpp"

namespace rednova::hydro {

/// Gas on one side of a face. (n, t1, t2) = (d, d+1, d+2) modulo 3 for a face normal to d. Ratios: those of its
/// equation of state. Arrays of it must not go from the host to a device: where ratios are empty they have a place on
/// the one and none on the other.
template <class T, class Ratios = eos::constant_ratios>
struct face_state {
  T rho, vn, vt1, vt2, p;
  [[no_unique_address]] Ratios ratios = {};
};

/// Densities of flux through a face per area and time, in +n: of mass, momentum and energy.
template <class T>
struct face_flux {
  T mass, sn, st1, st2, energy;
};

/// Total energy density of a state.
template <class T, class Ratios, class Eos>
REDNOVA_FN T total_energy(const face_state<T, Ratios>& a, const Eos& eos) {
  return eos.internal_energy(a.p, a.ratios) + 0.5 * a.rho * (a.vn * a.vn + a.vt1 * a.vt1 + a.vt2 * a.vt2);
}

/// Lane by lane a where the condition holds, else b.
template <class Mask, class T, class Ratios>
REDNOVA_FN face_state<T, Ratios> select(const Mask& condition, const face_state<T, Ratios>& a,
                                        const face_state<T, Ratios>& b) {
  return {exec::select(condition, a.rho, b.rho), exec::select(condition, a.vn, b.vn),
          exec::select(condition, a.vt1, b.vt1), exec::select(condition, a.vt2, b.vt2),
          exec::select(condition, a.p, b.p),     select(condition, a.ratios, b.ratios)};
}

}  // namespace rednova::hydro
