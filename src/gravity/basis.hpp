// What an expansion stores: the derivatives of a harmonic function that determine all others.
//
// A harmonic function has d²/dz² = -d²/dx² - d²/dy², so of all its derivatives of order n the 2n+1 with at most
// one d/dz say everything. Expansions hold these; moments are the coefficients of the dual functionals. The
// product of two such derivatives has at most two d/dz: the coefficients of the pair operator.
#pragma once

#include <array>

#include "core/index.hpp"

namespace rednova::gravity {

using core::index;

/// The derivative d^(x+y+z) / dx^x dy^y dz^z.
struct derivative {
  int x = 0, y = 0, z = 0;
  constexpr int order() const { return x + y + z; }
};

/// Numbers of an expansion or a moment up to order p.
constexpr int basis_size(int p) { return (p + 1) * (p + 1); }

/// Index of a derivative with z <= 1: by order, then z, then y.
constexpr int basis_index(const derivative& a) {
  const int n = a.order();
  return n * n + a.z * (n + 1) + a.y;
}

template <int P>
inline constexpr auto basis = [] {
  std::array<derivative, basis_size(P)> all{};
  for (int n = 0; n <= P; ++n) {
    for (int z = 0; z <= (n > 0 ? 1 : 0); ++z) {
      for (int y = 0; y <= n - z; ++y) all[index(basis_index({n - z - y, y, z}))] = {n - z - y, y, z};
    }
  }
  return all;
}();

/// Number of derivatives with z <= 2 up to order p: the distinct coefficients of an offset (4, 19, 31, 46 for
/// p = 1, 3, 4, 5).
constexpr int coefficients(int p) {
  int count = 0;
  for (int n = 0; n <= p; ++n) count += n == 0 ? 1 : 3 * n;
  return count;
}

/// Index of a derivative with z <= 2 among the coefficients.
constexpr int coefficient_index(const derivative& a) {
  const int n = a.order();
  const int before = a.z == 0 ? 0 : a.z == 1 ? n + 1 : 2 * n + 1;
  return (n == 0 ? 0 : coefficients(n - 1)) + before + a.y;
}

}  // namespace rednova::gravity
