// From the sums of the pair operators to expansions and torques.
#pragma once

#include "exec/simd.hpp"
#include "gravity/basis.hpp"
#include "gravity/layout.hpp"
#include "gravity/operators.hpp"

namespace rednova::gravity {

/// The entries of operators::rotation, wherever they are stored.
struct rotations {
  rotations() = default;
  explicit rotations(const operators& ops) {
    for (int d = 0; d < 3; ++d) {
      entries[d] = ops.rotation[index(d)].data();
      count[d] = static_cast<int>(ops.rotation[index(d)].size());
    }
  }
  const matrix_entry* entries[3] = {};
  int count[3] = {};
};

/// Expansion and torque of lanes<T> cells from the sums of operator_shape<P, 0, P, P, sums::split>, which lie
/// `stride` apart; moments, expansions and torque as in a block of layout.hpp.
template <int P, class T>
REDNOVA_FN void finish(const double* sum, int stride, const rotations& turns, const double* moments, double* expansions,
                       double* torque) {
  constexpr int numbers = basis_size(P);
  // Sums of order n + m = p: apart for 0 < n < p, alone for n = p.
  const auto top = [&](int a) { return sum + (a < P * P ? numbers + a - 1 : a) * stride; };
  for (int d = 0; d < 3; ++d) {
    T t(0.0);
    for (int i = 0; i < turns.count[d]; ++i) {
      const matrix_entry& e = turns.entries[d][i];
      t += e.value * exec::load<T>(top(e.row)) * exec::load<T>(moments + e.column * HH);
    }
    exec::store(torque + d * HH, t);
  }
  for (int a = 0; a < numbers; ++a) {
    const T below = exec::load<T>(sum + a * stride);
    exec::store(expansions + a * HH, a > 0 && a < P * P ? T(below + exec::load<T>(top(a))) : below);
  }
}

}  // namespace rednova::gravity
