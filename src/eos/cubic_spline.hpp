// Cubic B-splines on uniform nodes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "exec/simd.hpp"

namespace rednova::eos {

/// A spline through n nodes has n + 2 coefficients: at s = i + t nodes from the first, 0 ≤ t ≤ 1, it is
/// sum_k weights[k] c[i + k].
inline constexpr std::size_t spline_coefficients(std::size_t nodes) { return nodes + 2; }

/// The coefficients of the spline through `nodes` (five or more), with a third derivative that is continuous at the
/// second and the last but one ("not a knot").
std::vector<double> spline_through(std::span<const double> nodes);

/// The interval i of a position and the weights of its four coefficients; a position outside the nodes moves to the
/// end.
template <class T>
struct spline_weights {
  T interval;
  T w[4];

  spline_weights() = default;
  /// `intervals` is one less than the number of nodes.
  REDNOVA_FN spline_weights(const T& place, const T& intervals) {
    using exec::floor, exec::max, exec::min;
    const T s = min(max(place, T(0.0)), intervals);
    interval = min(T(floor(s)), T(intervals - 1.0));
    const T t = s - interval, u = 1.0 - t, t2 = t * t;
    w[0] = u * u * u * (1.0 / 6.0);
    w[1] = t2 * (0.5 * t - 1.0) + 2.0 / 3.0;
    w[2] = 1.0 / 6.0 + 0.5 * t * (1.0 + t - t2);
    w[3] = t2 * t * (1.0 / 6.0);
    part_ = t;
  }
  /// The weights' derivatives by the place in nodes.
  REDNOVA_FN void slopes(T* d) const {
    const T t = part_, u = 1.0 - t;
    d[0] = -0.5 * u * u;
    d[1] = t * (1.5 * t - 2.0);
    d[2] = 0.5 + t * (1.0 - 1.5 * t);
    d[3] = 0.5 * t * t;
  }

 private:
  T part_;
};

}  // namespace rednova::eos
