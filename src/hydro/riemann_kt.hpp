// The central flux of Kurganov & Tadmor (2000, JCP 160, 241).
#pragma once

#include "hydro/state.hpp"

namespace rednova::hydro {

/// F = (F_L + F_R)/2 - a (U_R - U_L)/2, a the largest signal speed of both sides (their eq. 4.3, 4.4), in the
/// frame of a face that moves with velocity w along its normal.
struct riemann_kt {
  template <class T, class Ratios, class Eos>
  REDNOVA_FN static face_flux<T> flux(const face_state<T, Ratios>& l, const face_state<T, Ratios>& r, const T& w,
                                      const Eos& eos) {
    const T ul = l.vn - w, ur = r.vn - w;
    const T cl = exec::sqrt(eos.sound_speed_squared(l.rho, l.p, l.ratios));
    const T cr = exec::sqrt(eos.sound_speed_squared(r.rho, r.p, r.ratios));
    const T a = exec::max(exec::abs(ul) + cl, exec::abs(ur) + cr);
    // A side's half: (F ± a U)/2 with the advective part gathered in one speed.
    const T ol = 0.5 * (ul + a), orr = 0.5 * (ur - a);
    const T ml = l.rho * ol, mr = r.rho * orr;
    return {ml + mr, (ml * l.vn + mr * r.vn) + 0.5 * (l.p + r.p), ml * l.vt1 + mr * r.vt1, ml * l.vt2 + mr * r.vt2,
            (total_energy(l, eos) * ol + total_energy(r, eos) * orr) + 0.5 * (l.p * l.vn + r.p * r.vn)};
  }
};

}  // namespace rednova::hydro
