// The cell's spin acts on the velocity inside the cell, and the fluxes on the spin (Després & Labourasse 2015,
// JCP 290, 28, for the principle; the limiting and the second-order spin flux are this code's).
#pragma once

#include "core/vec3.hpp"
#include "exec/simd.hpp"
#include "hydro/limiter.hpp"
#include "hydro/primitives.hpp"
#include "hydro/reconstruct_quartic.hpp"
#include "hydro/spin_exchange.hpp"

namespace rednova::hydro {

/// The smallest over the largest of a variable's values in a cell and its six neighbours.
template <class T>
REDNOVA_FN T ratio_of_neighbours(const double* q) {
  constexpr std::ptrdiff_t step[3] = {1, mesh::M, std::ptrdiff_t(mesh::M) * mesh::M};
  T least = exec::load<T>(q), most = least;
  for (const std::ptrdiff_t n : step) {
    const T below = exec::load<T>(q - n), above = exec::load<T>(q + n);
    least = exec::min(least, exec::min(below, above));
    most = exec::max(most, exec::max(below, above));
  }
  return least / most;
}

/// 0 at contacts, 1 elsewhere: a contact is where the density of a cell and its neighbours varies and their pressure
/// does not, by the measure least/most of each. Adiabatic gas, shocks, and gas in balance with gravity whose
/// temperature falls outward have none.
///
/// Where a contact moves, a cell's mass is off its centre, by m, and l holds m × v. That is no rotation, and gas that
/// took it for one would stir where all of it moves alike. m is not known well enough to be taken off: the slope of
/// the density gives no better than half of it.
template <class T>
REDNOVA_FN T contact_limiter(const double* rho, const double* p) {
  constexpr double tolerated = 0.003;
  const T difference = ratio_of_neighbours<T>(p) - ratio_of_neighbours<T>(rho);
  return exec::max(T(0.0), exec::min(T(1.0), T(2.0 - (1.0 / tolerated) * difference)));
}

/// The excess of spin over vorticity, as a change of velocity from a cell's centre to its face:
///     (h/2) (omega_l - curl v / 2),   omega_l = l / (rho h²/6),
/// curl v from central differences. Zero for a fluid that turns uniformly with l = (rho h²/12) curl v.
///
/// Thin gas beside thick gas gets spins that no motion of its own could have: the excess is at most fastest =
/// sqrt(p/rho). There is none at contacts (contact_limiter).
/// q: the gas of the cell, `stride` apart, in an array with ghost layers; spin(d): l/rho; take(d, e): takes component
/// d.
template <class T, class Spin, class Take>
REDNOVA_FN void cell_excess(const double* q, std::ptrdiff_t stride, double h, const T& fastest, const Spin& spin,
                            const Take& take) {
  constexpr std::ptrdiff_t step[3] = {1, mesh::M, std::ptrdiff_t(mesh::M) * mesh::M};
  const double factor = 3.0 / h;
  const T limiter = contact_limiter<T>(q + variables::density * stride, q + variables::pressure * stride);
  for (int d = 0; d < 3; ++d) {
    const int a = (d + 1) % 3, b = (d + 2) % 3;
    const double* va = q + variables::velocity(a) * stride;
    const double* vb = q + variables::velocity(b) * stride;
    const T curl = (exec::load<T>(vb + step[a]) - exec::load<T>(vb - step[a])) -
                   (exec::load<T>(va + step[b]) - exec::load<T>(va - step[b]));
    const T excess = factor * spin(d) - 0.125 * curl;
    take(d, T(limiter * exec::min(exec::max(excess, -fastest), fastest)));
  }
}

/// The excess for the block and its first ghost layer. q [variable][ghosted cell]: reads the gas and its spin,
/// writes excess.
template <class T>
void spin_excess(const variables& var, double h, double* q) {
  constexpr std::ptrdiff_t stride = mesh::ghosted_cells;
  for_cross<T>(1, 0, [&](int c) {
    const T sound = exec::sqrt(exec::load<T>(q + variables::p_over_rho * stride + c));
    cell_excess<T>(
        q + c, stride, h, sound, [&](int d) { return exec::load<T>(q + var.spin(d) * stride + c); },
        [&](int d, const T& excess) { exec::store(q + var.excess(d) * stride + c, excess); });
  });
}

/// Moves the edges of a transverse velocity apart by `excess` at each face, limited like a slope: the change
/// over the cell stays between 0 and twice the smaller one-sided difference (or what it was), and each edge
/// stays between the averages of its two cells. down, up: differences to the neighbours' averages.
template <class T>
REDNOVA_FN void turn_edges(const T& a, const T& down, const T& up, const T& excess, T& minus, T& plus) {
  const T zero(0.0);
  const T slope = plus - minus, bound = 2.0 * minmod(down, up);
  const T lowest = exec::min(exec::min(bound, zero), slope), highest = exec::max(exec::max(bound, zero), slope);
  const T change = 0.5 * (exec::min(exec::max(slope + 2.0 * excess, lowest), highest) - slope);
  const T below = (a - minus) + change, above = (plus - a) + change;
  minus = a - exec::min(exec::max(below, exec::min(down, zero)), exec::max(down, zero));
  plus = a + exec::min(exec::max(above, exec::min(up, zero)), exec::max(up, zero));
}

/// Edges of a transverse velocity v, turned by sign * excess (both of a pencil, as `q` in reconstruct.hpp).
template <class Scheme>
struct turned {
  template <class T, int Cells = pencil_cells>
  REDNOVA_LARGE_FN static void edges(const double* v, const double* excess, double sign, std::ptrdiff_t step, T* minus,
                                     T* plus) {
    Scheme::template edges<T, Cells>(v, step, minus, plus);
    T a = exec::load<T>(v - step);
    T down = a - exec::load<T>(v - 2 * step);
    for (int n = 0; n < Cells; ++n) {
      const T next = exec::load<T>(v + n * step);
      const T up = next - a;
      turn_edges(a, down, up, T(sign * exec::load<T>(excess + (n - 1) * step)), minus[n], plus[n]);
      a = next;
      down = up;
    }
  }
};

/// Within the scheme's own bounds, so that the feedback does not stop at smooth extrema: where it does, spin wanders
/// off.
template <>
struct turned<reconstruct_quartic> {
  template <class T, int Cells = pencil_cells>
  REDNOVA_LARGE_FN static void edges(const double* v, const double* excess, double sign, std::ptrdiff_t step, T* minus,
                                     T* plus) {
    const auto turn = [&](int n) { return T(sign * exec::load<T>(excess + n * step)); };
    reconstruct_quartic::turned_edges<T, Cells>(v, step, turn, minus, plus);
  }
};

/// The flux of spin about the centre of a face that goes with the transverse momentum: -(h/12) [rho u_n v_t].
///
/// The torque (h/2)(F+ + F-) of a cell's two faces is that of the flux averaged over the cell plus
/// (h²/12) h d²F/dn², which is as large as the spin itself and would let it wander away from the vorticity.
/// Being a flux of spin, this term is exchanged between the two cells and takes that difference back.
/// flux_l, flux_r: rho u_n v_t from the averages of the two cells. It is scaled by their density_ratio_limiter.
template <class T>
REDNOVA_FN T moment_of_flux(const T& density_ratio_limiter, const T& flux_l, const T& flux_r, double h) {
  return (-h / 12.0) * density_ratio_limiter * (flux_r - flux_l);
}

/// The momentum density s at a face of a turning grid, for the flux of spin that goes with its turning.
///
/// A face normal to x moves with -Omega y, so gas crosses it at speeds that grow along it, and momentum s brings the
/// spin (Omega h²/12) e_y × s per area and time about the face's centre; a face normal to y, -(Omega h²/12) e_x × s. In
/// a uniform state the two faces of a cell cancel, but not where cells of other widths lie behind one.
template <class T>
REDNOVA_FN T moment_of_turning(const T& density_ratio_limiter, const T& s_l, const T& s_r) {
  return 0.5 * density_ratio_limiter * (s_l + s_r);
}

}  // namespace rednova::hydro
