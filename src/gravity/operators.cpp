#include "gravity/operators.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/check.hpp"
#include "gravity/basis.hpp"

namespace rednova::gravity {

namespace {

using core::vec3d;
using exponents = std::array<int, 3>;
/// A polynomial in the symbols of d/dx, d/dy, d/dz.
using polynomial = std::map<exponents, double>;

int order_of(const exponents& e) { return e[0] + e[1] + e[2]; }

/// exp(s·k) up to order p.
polynomial exponential(vec3d s, int p) {
  polynomial result;
  for (int n = 0; n <= p; ++n) {
    for (int z = 0; z <= n; ++z) {
      for (int y = 0; y <= n - z; ++y) {
        const int x = n - y - z;
        result[{x, y, z}] = std::pow(s.x, x) * std::pow(s.y, y) * std::pow(s.z, z) /
                            (std::tgamma(x + 1) * std::tgamma(y + 1) * std::tgamma(z + 1));
      }
    }
  }
  return result;
}

polynomial product(const polynomial& a, const exponents& shift, int p) {
  polynomial result;
  for (const auto& [e, value] : a) {
    const exponents sum{e[0] + shift[0], e[1] + shift[1], e[2] + shift[2]};
    if (order_of(sum) <= p) result[sum] += value;
  }
  return result;
}

/// The same functional with at most one d/dz in each term: kz² = -kx² - ky².
polynomial reduced(polynomial a) {
  polynomial result;
  while (!a.empty()) {
    const auto [e, value] = *a.begin();
    a.erase(a.begin());
    if (e[2] < 2) {
      result[e] += value;
    } else {
      a[{e[0] + 2, e[1], e[2] - 2}] -= value;
      a[{e[0], e[1] + 2, e[2] - 2}] -= value;
    }
  }
  return result;
}

/// Component d of (k × d/dk) applied to a monomial: the generator of rotations about axis d.
polynomial rotated(const exponents& e, int d) {
  const int b = (d + 1) % 3, c = (d + 2) % 3;
  polynomial result;
  const auto term = [&](int up, int down, double sign) {
    if (e[index(down)] == 0) return;
    exponents f = e;
    ++f[index(up)];
    --f[index(down)];
    result[f] += sign * e[index(down)];
  };
  term(b, c, 1);
  term(c, b, -1);
  return result;
}

template <class Add>
void for_each_term(const polynomial& a, const Add& add) {
  for (const auto& [e, value] : reduced(a)) {
    if (std::abs(value) > 1e-15) add(basis_index({e[0], e[1], e[2]}), order_of(e), value);
  }
}

}  // namespace

operators::operators(int p) : order(p) {
  EXPECT(p >= 1 && p <= 5);
  std::vector<exponents> all;
  for (int i = 0; i < basis_size(p); ++i) {
    const derivative& e = basis<5>[index(i)];  // sorted by order: a prefix is the basis of p
    all.push_back({e.x, e.y, e.z});
  }
  for (int octant = 0; octant < 8; ++octant) {
    const auto o = index(octant);
    const auto side = [&](int d) { return (octant >> d & 1) != 0 ? 0.25 : -0.25; };
    const vec3d t{side(0), side(1), side(2)};
    const polynomial to_parent = exponential(-t, p), to_child = exponential(t, p);
    for (const exponents& e : all) {
      const int here = basis_index({e[0], e[1], e[2]}), n = order_of(e);
      for_each_term(product(to_parent, e, p), [&](int row, int, double value) {
        m2m[o].push_back({row, here, std::ldexp(value, -n)});
      });
      for_each_term(product(to_child, e, p), [&](int column, int, double value) {
        l2l[o].push_back({here, column, std::ldexp(value, -n - 1)});
      });
    }
  }
  for (auto* all_octants : {&m2m, &l2l}) {
    for (matrix& m : *all_octants)
      std::ranges::sort(m, {}, [](const matrix_entry& e) { return std::pair(e.row, e.column); });
  }
  for (int d = 0; d < 3; ++d) {
    for (const exponents& e : all) {
      // A moment of odd order has the opposite sign in exp(b·k), the functional that acts on the cell's own field.
      const double sign = order_of(e) % 2 == 0 ? 1 : -1;
      for_each_term(rotated(e, d), [&](int row, int, double value) {
        rotation[index(d)].push_back({row, basis_index({e[0], e[1], e[2]}), -sign * value});
      });
    }
  }
}

std::vector<double> derivatives(int p, vec3d r) {
  const double square = core::dot(r, r), inverse = 1 / std::sqrt(square);
  // a[m](x, y, z): the derivative of the m-th radial function (McMurchie & Davidson 1978, eq. 4.6-4.8).
  std::map<std::array<int, 4>, double> a;
  double radial = -inverse;
  for (int m = 0; m <= p; ++m) {
    a[{m, 0, 0, 0}] = radial;
    radial *= -(2 * m + 1) / square;
  }
  const auto at = [&](int m, int x, int y, int z) { return x < 0 || y < 0 || z < 0 ? 0.0 : a[{m, x, y, z}]; };
  std::vector<double> result(index(coefficients(p)));
  for (int n = 0; n <= p; ++n) {
    for (int z = 0; z <= n; ++z) {
      for (int y = 0; y <= n - z; ++y) {
        const int x = n - y - z;
        for (int m = 0; n > 0 && m <= p - n; ++m) {
          a[{m, x, y, z}] = x > 0   ? r.x * at(m + 1, x - 1, y, z) + (x - 1) * at(m + 1, x - 2, y, z)
                            : y > 0 ? r.y * at(m + 1, x, y - 1, z) + (y - 1) * at(m + 1, x, y - 2, z)
                                    : r.z * at(m + 1, x, y, z - 1) + (z - 1) * at(m + 1, x, y, z - 2);
        }
        if (z <= 2) result[index(coefficient_index({x, y, z}))] = a[{0, x, y, z}];
      }
    }
  }
  return result;
}

}  // namespace rednova::gravity
