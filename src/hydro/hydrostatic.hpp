// Edges of the pressure about the hydrostatic equilibrium of each cell: a star at rest stays at rest.
#pragma once

#include <cstddef>

#include "exec/simd.hpp"
#include "hydro/limiter.hpp"
#include "hydro/reconstruct.hpp"
#include "hydro/variables.hpp"

namespace rednova::hydro {

/// Half of the weights of cells along a direction: of the differences of pressure between their faces that hold them.
///
/// Gas whose speed u through the grid is such that u² exceeds p/rho + |g| h crosses a cell before pressure or gravity
/// changes its motion; it needs no equilibrium: its weight falls linearly to zero where u² reaches twice that.
template <class T>
class half_weight {
 public:
  /// acceleration: of lanes<T> cells along the direction d; grid: the grid's velocity along it; q: the cells' density,
  /// velocities and p/rho, `stride` apart.
  REDNOVA_FN half_weight(int d, double h, double rotation, const T& acceleration, const T& grid, const double* q,
                         std::ptrdiff_t stride)
      : half_(0.5 * h), pull_(acceleration) {
    if (d < 2) {
      const T other = exec::load<T>(q + variables::velocity(1 - d) * stride);
      pull_ = d == 0 ? pull_ + rotation * other : pull_ - rotation * other;
    }
    rho_ = exec::load<T>(q + variables::density * stride);
    const T through = exec::load<T>(q + variables::velocity(d) * stride) - grid;
    const T slow = exec::load<T>(q + variables::p_over_rho * stride) + h * exec::abs(pull_);
    share_ = exec::min(exec::max((2.0 * slow - through * through) / slow, T(0.0)), T(1.0));
  }
  /// W = (h/2) rho (g - Omega × v)_d, from averages. Momentum is that of the inertial frame along axes that turn, so
  /// gas that rests on the grid feels -Omega × (Omega × x), the centrifugal acceleration.
  REDNOVA_FN T of_averages() const { return half_ * rho_ * (share_ * pull_); }
  /// What that lacks: (h/2) of the force of gravity_stress.
  REDNOVA_FN T lacking(const T& force) const { return half_ * (share_ * force); }

 private:
  double half_;
  T pull_, rho_, share_;
};

/// Edges of the pressure of cells with weight.
///
/// Where gas rests, the pressures on both sides of a face must agree, or the Riemann solver finds a state between them
/// in which no mass flows and the momenta of the two cells are not zero: surfaces of stars then stand still with speeds
/// of a tenth of the sound speed. And the pressures at a cell's two faces must differ by its weight. So edges are
///
///     p + C ∓ (W + L) + deviation,   C_j = (W_(j+1) - W_(j-1)) / 12, limited,
///
/// where L is what the weight from averages lacks, p + C is the mean of the two edges in equilibrium, exact where the
/// weight is a parabola, and the deviation is linear with a monotonised slope: its differences
///
///     (p + C)_(j+1) - (p + C)_j - (W_j + W_(j+1)) - 2 L
///
/// vanish in equilibrium, to third order with the L of the cell itself: those of its neighbours are not known beyond a
/// block's first ghost layer (after Käppeli & Mishra 2014, JCP 259, 199, who reconstruct the deviation from a
/// trapezoidal sum; C, L and what is done where scale heights are not resolved are this code's).
struct hydrostatic {
  /// p, w: pressure and half weight W of the pencil's cells, as `q` in reconstruct.hpp; lacking: L of the cells whose
  /// edges are made, the first at -lacking_step. unresolved: of the same cells, from 0 to 1 how far their pressure is
  /// too low for their weight. Returns whether any is above 0.
  template <class T, int Cells = pencil_cells>
  REDNOVA_FLAT_FN static bool edges(const double* p, const double* w, std::ptrdiff_t step, const double* lacking,
                                    std::ptrdiff_t lacking_step, T* minus, T* plus, T* unresolved) {
    const auto at = [&](const double* q, int n) { return exec::load<T>(q + n * step); };
    const T first = at(w, -3);
    T down_w = at(w, -2) - first;
    cell<T> below{at(p, -2), at(w, -2), T(0.0)}, here{at(p, -1), at(w, -1), T(0.0)};
    T up_w = here.w - below.w;
    below.c = middle(down_w, up_w);
    T next_w = at(w, 0);
    down_w = up_w;
    up_w = next_w - here.w;
    here.c = middle(down_w, up_w);
    T down = rise(below, here), most(0.0);
    for (int n = 0; n < Cells; ++n) {
      cell<T> above{at(p, n), next_w, T(0.0)};
      next_w = at(w, n + 1);
      down_w = up_w;
      up_w = next_w - above.w;
      above.c = middle(down_w, up_w);
      const T up = rise(here, above);
      const T missing = exec::load<T>(lacking + (n - 1) * lacking_step);
      const cell<T> whole{here.p, here.w + missing, here.c};
      const T half = 0.5 * monotonised_slope(T(down - 2.0 * missing), T(up - 2.0 * missing)), mean = here.p + here.c;
      minus[n] = mean - (whole.w + half);
      plus[n] = mean + (whole.w + half);
      unresolved[n] = outermost_edges(below, whole, above, minus[n], plus[n]);
      most = exec::max(most, unresolved[n]);
      minus[n] = exec::max(minus[n], least * exec::min(below.p, here.p));
      plus[n] = exec::max(plus[n], least * exec::min(above.p, here.p));
      below = here;
      here = above;
      down = up;
    }
    return exec::any(most > 0.0);
  }

  /// Brings edges of the velocity along the pencil to its averages where the pressure is too low for the weight: within
  /// such a cell it has no meaning, and the Riemann solver damps the whole difference between the cells. v: of the
  /// pencil's cells; unresolved: what `edges` gave.
  template <class T, int Cells = pencil_cells>
  REDNOVA_FLAT_FN static void calm(const double* v, std::ptrdiff_t step, const T* unresolved, T* minus, T* plus) {
    for (int n = 0; n < Cells; ++n) {
      const T average = exec::load<T>(v + (n - 1) * step);
      minus[n] = minus[n] + unresolved[n] * (average - minus[n]);
      plus[n] = plus[n] + unresolved[n] * (average - plus[n]);
    }
  }

 private:
  static constexpr double least = 0.5;  ///< edges are no lower than this share of both averages beside them

  template <class T>
  struct cell {
    T p, w, c;
  };
  template <class T>
  REDNOVA_FN static T middle(const T& down, const T& up) {
    return (1.0 / 6.0) * monotonised_slope(down, up);
  }
  /// Of the deviation, from a cell to the one above it.
  template <class T>
  REDNOVA_FN static T rise(const cell<T>& a, const cell<T>& b) {
    return ((b.p - a.p) - (a.w + b.w)) + (b.c - a.c);
  }

  /// Edges of cells whose pressure is too low for their weight; returns how far it is.
  ///
  /// In a star's outermost layers the surface lies within the cell or the next one, and the cell below holds it. Its
  /// outer edge takes the pressure that the gas outside has there, but no more than its own, and the inner edge more by
  /// the weight. That gas exerts at least its whole weight: it may be an outermost cell itself, with no pressure above.
  /// Elsewhere gas that is so cold falls freely, and its edges are those of the pressure alone: an error of the
  /// deviation that is small beside the weight would be large beside the pressure. A cell much colder than that is a
  /// hole in the surface; with edges as high as those of the gas around it would never be filled.
  template <class T>
  REDNOVA_FN static T outermost_edges(const cell<T>& below, const cell<T>& here, const cell<T>& above, T& minus,
                                      T& plus) {
    const T weight = 2.0 * exec::abs(here.w), outer = (here.p + here.c) - 0.5 * weight;
    // From 0 to 1 as `outer` falls from the weight to none.
    const T lacks = weight - outer;
    if (!exec::any(lacks > 0.0)) return T(0.0);
    const auto within = [](const T& share) { return exec::min(exec::max(share, T(0.0)), T(1.0)); };
    const T per_weight = 1.0 / exec::max(weight, T(1e-300));
    const auto upwards = here.w < 0.0;  // where the outer side is
    const T down = here.p - below.p, up = above.p - here.p;
    // held: from 0 to 1 as the cell below exceeds this one's pressure by half of the weight up to three quarters of it.
    // warm: from 0 to 1 as the weight falls from 64 times the pressure to 32; a cell that a polytrope of index 1.5
    // fills to a tenth has 35.
    const T more = exec::select(upwards, T(-down), up);
    const T held = within((4.0 * more) * per_weight - 2.0), warm = within(2.0 - (1.0 / 32) * weight / here.p);
    const T outermost = exec::min(held, warm), by = within(lacks * per_weight);
    const auto holding = [](const T& p, const T& w) { return w + exec::max(p, w); };
    const T outside =
        exec::min(exec::select(upwards, holding(above.p, T(-above.w)), holding(below.p, below.w)), here.p);
    const T outer_edge = exec::max(exec::max(outer, outside), T(0.0)), inner_edge = outer_edge + weight;
    const T half = 0.5 * monotonised_slope(down, up), falling_minus = here.p - half, falling_plus = here.p + half;
    const T low = falling_minus + outermost * (exec::select(upwards, inner_edge, outer_edge) - falling_minus);
    const T high = falling_plus + outermost * (exec::select(upwards, outer_edge, inner_edge) - falling_plus);
    minus = minus + by * (low - minus);
    plus = plus + by * (high - plus);
    return by;
  }
};

}  // namespace rednova::hydro
