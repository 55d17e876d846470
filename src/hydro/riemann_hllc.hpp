// HLLC: three waves, the contact kept exactly (Toro, Spruce & Speares 1994; Toro 2009, sec. 10.4).
#pragma once

#include "hydro/state.hpp"

namespace rednova::hydro {

/// Flux through a face that moves with velocity w along its normal, between left and right state.
///
/// In the frame of the face u = v_n - w, the contact moves with
///     S* = (p_R - p_L + m_L u_L - m_R u_R) / (m_L - m_R),   m_K = rho_K (S_K - u_K),
/// the outer waves with the speeds of Einfeldt et al. (1991, JCP 92, 273), that of the state itself or of Roe's
/// average, whichever is faster: an isolated shock is exact, and density and pressure stay positive (Batten et
/// al. 1997, SIAM J. Sci. Comput. 18, 1553). For gas in general the largest dp/de takes the place of gamma - 1 in
/// Roe's average, which makes the fan wider. Momentum and energy stay those of the inertial frame.
struct riemann_hllc {
  template <class T, class Ratios, class Eos>
  REDNOVA_FN static face_flux<T> flux(const face_state<T, Ratios>& l, const face_state<T, Ratios>& r, const T& w,
                                      const Eos& eos) {
    const T ul = l.vn - w, ur = r.vn - w;
    // Roe's weights sqrt(rho_K) / (sqrt(rho_L) + sqrt(rho_R)) by one root, and one division for all that is over rho.
    const T product = l.rho * r.rho, root = exec::sqrt(product);
    const T al = l.rho + root, ar = r.rho + root, aa = al * ar;
    const T per = 1.0 / (aa * product);
    const T per_aa = per * product, per_product = per * aa;
    const T wl = (l.rho * ar) * per_aa, wr = (r.rho * al) * per_aa;
    const T c2l = eos.sound_speed_squared_of_volume(T(r.rho * per_product), l.p, l.ratios);
    const T c2r = eos.sound_speed_squared_of_volume(T(l.rho * per_product), r.p, r.ratios);
    const T jump = ur - ul;
    const T mean = wr * ur + wl * ul;
    const T width = exec::sqrt((wl * c2l + wr * c2r) + 0.5 * eos.gruneisen_max() * (wl * wr) * (jump * jump));
    const T sl = exec::min(ul - exec::sqrt(c2l), mean - width);
    const T sr = exec::max(ur + exec::sqrt(c2r), mean + width);
    const T ml = l.rho * (sl - ul), mr = r.rho * (sr - ur);
    const T contact = ((r.p - l.p) + (ml * ul - mr * ur)) / (ml - mr);

    // The side of the contact that the face is on, and whether the face lies between its outer wave and it.
    const auto left = contact > 0.0;
    const face_state<T, Ratios> k = select(left, l, r);
    const T u = exec::select(left, ul, ur), s = exec::select(left, sl, sr), m = exec::select(left, ml, mr);
    const auto outside = (left && (sl >= 0.0)) || ((!left) && (sr <= 0.0));
    // Outside, S* → u makes the star state the state itself.
    const T un = exec::select(outside, u, contact);
    const T p = k.p + m * (un - u);
    const T scale = 1.0 / (s - un);
    const T vn = un + w;
    const T energy = ((s - u) * total_energy(k, eos) + (p * vn - k.p * k.vn)) * scale;
    const T mass = m * scale * un;
    return {mass, mass * vn + p, mass * k.vt1, mass * k.vt2, energy * un + p * vn};
  }
};

}  // namespace rednova::hydro
