// The fast multipole method as a textbook has it: read this before the other files of this folder.
//
// One function for each operator, in plain doubles, with loops over all components of Cartesian tensors. The solver
// computes the same with a shorter basis (basis.hpp), with lengths in cell widths, and for many cells at once. Tests
// compare each of its operators, and a whole solve, with these; nothing else calls them.
//
// Masses m_i at the places b_i about a centre B act on the place y about a centre A, which lies at A = B + R. With
// multi-indices α = (α_x, α_y, α_z), |α| = α_x + α_y + α_z, α! = α_x! α_y! α_z!, y^α = y_x^α_x y_y^α_y y_z^α_z, the
// Taylor series of the potential in y - b_i is, with G = 1,
//
//     φ(y) = - Σ_i m_i / |R + y - b_i| = Σ_α y^α/α! L_α
//     L_α  = Σ_β (-1)^|β| D_(α+β)(R) M_β        the expansion about A
//     M_β  = Σ_i m_i b_i^β/β!                    the moments about B
//     D_γ  = ∂^γ (-1/|R|)
//
// of which the method keeps the terms |α| + |β| <= p. The same terms give the force of A's masses on those of B, so the
// two forces are equal and opposite. Moments of a cell follow from those of its children (P2M, M2M: the upward pass),
// its expansion from the moments of cells of its size that are not near (M2L) and from its parent's expansion (L2L,
// L2P: the downward pass); near cells that have no children act on each other directly (P2P).
//
// Dehnen (2014, Computational Astrophysics and Cosmology 1, 1), section 2, derives these operators, in multi-indices
// too. The spin's share of the torque is this project's own (docs/gravity.md).
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "core/vec3.hpp"
#include "gravity/basis.hpp"

namespace rednova::gravity::textbook {

using core::vec3d;

using multi_index = core::vec3i;
constexpr int order(multi_index a) { return a.x + a.y + a.z; }

/// More than the solver has (config::gravity), to see how errors fall with it.
inline constexpr int highest_order = 8;
/// Number of multi-indices of orders 0 to p: 20, 35, 56 for p = 3, 4, 5.
constexpr int components(int p) { return (p + 1) * (p + 2) * (p + 3) / 6; }
/// Index of a multi-index: by order, then z, then y.
constexpr int component(multi_index a) {
  const int n = order(a);
  return components(n - 1) + a.z * (n + 1) - a.z * (a.z - 1) / 2 + a.y;
}

/// The multi-indices of orders 0 to p <= highest_order, in the order of component().
inline std::span<const multi_index> indices(int p) {
  static const std::vector<multi_index> all = [] {
    std::vector<multi_index> list;
    for (int n = 0; n <= highest_order; ++n) {
      for (int z = 0; z <= n; ++z) {
        for (int y = 0; y <= n - z; ++y) list.push_back({n - z - y, y, z});
      }
    }
    return list;
  }();
  return std::span(all).first(index(components(p)));
}

/// A number for each multi-index of orders 0 to p: symmetric tensors of ranks 0 to p.
class tensors {
 public:
  explicit tensors(int p) : order_(p), values_(index(components(p)), 0.0) {}
  int order() const { return order_; }
  double& operator[](multi_index a) { return values_[index(component(a))]; }
  double operator[](multi_index a) const { return values_[index(component(a))]; }

 private:
  int order_;
  std::vector<double> values_;
};

/// x^α/α!
inline double monomial(vec3d x, multi_index a) {
  double value = 1;
  for (int d = 0; d < 3; ++d) {
    for (int i = 1; i <= a[d]; ++i) value *= x[d] / i;
  }
  return value;
}

/// P2M: adds a mass m at b to the moments about the centre, M_α += m b^α/α!
inline void p2m(double m, vec3d b, tensors& moments) {
  for (const multi_index a : indices(moments.order())) moments[a] += m * monomial(b, a);
}

/// M2M: adds the moments of a child, whose centre lies at d from the parent's, to the parent's. By the binomial theorem
///
///     M_γ += Σ_(α+β=γ) M_α d^β/β!
inline void m2m(const tensors& child, vec3d d, tensors& parent) {
  const int p = parent.order();
  for (const multi_index a : indices(p)) {
    for (const multi_index b : indices(p - order(a))) parent[a + b] += child[a] * monomial(d, b);
  }
}

/// D_α = ∂^α(-1/|R|) of orders 0 to p. The derivatives of |R|² ∇f = -R f for f = -1/|R|, by Leibniz' rule, give for
/// a_α = D_α/α! (Duan & Krasny 2001, J. Comput. Chem. 22, 184)
///
///     |α| |R|² a_α = - Σ_d [ (2|α| - 1) R_d a_(α-e_d) + (|α| - 1) a_(α-2e_d) ]
inline tensors derivatives(int p, vec3d r) {
  tensors taylor(p), result(p);
  for (const multi_index a : indices(p)) {
    const int n = order(a);
    double sum = 0;
    for (int d = 0; d < 3; ++d) {
      multi_index lower = a;
      if (--lower[d] >= 0) sum -= (2 * n - 1) * r[d] * taylor[lower];
      if (--lower[d] >= 0) sum -= (n - 1) * taylor[lower];
    }
    taylor[a] = n == 0 ? -1 / std::sqrt(dot(r, r)) : sum / (n * dot(r, r));
    result[a] = taylor[a] / monomial({1, 1, 1}, a);
  }
  return result;
}

/// M2L: adds the field of the moments of a source to the expansion of a target, whose centre lies at r from it. Of the
/// terms up to p it takes those of order `lowest` and more:
///
///     L_α += Σ_β (-1)^|β| D_(α+β)(r) M_β,   lowest <= |α| + |β| <= p
///
/// For a mass m at b the terms of one order k = |α| + |β| sum to -m |y - b|^k/|r|^(k+1) times the Legendre polynomial
/// P_k of an angle, which is at most 1. So the potential's error is at most m/|r| s^(p+1)/(1 - s), s = |y - b|/|r|, and
/// that of the gradient at most the derivative of the same by |y - b| (Bernstein's inequality for P_k). A source that
/// is a point at its centre has M_0 alone (P2L); M2P is the expansion about the point itself.
inline void m2l(const tensors& source, vec3d r, tensors& target, int lowest = 0) {
  const int p = target.order();
  const tensors d = derivatives(p, r);
  for (const multi_index a : indices(p)) {
    for (const multi_index b : indices(p - order(a))) {
      if (order(a + b) < lowest) continue;
      target[a] += (order(b) % 2 == 0 ? 1 : -1) * d[a + b] * source[b];
    }
  }
}

/// L2L: adds the expansion of a parent to that of a child, whose centre lies at d from the parent's:
///
///     L_α += Σ_β L_(α+β) d^β/β!
inline void l2l(const tensors& parent, vec3d d, tensors& child) {
  const int p = child.order();
  for (const multi_index a : indices(p)) {
    for (const multi_index b : indices(p - order(a))) child[a] += parent[a + b] * monomial(d, b);
  }
}

/// Potential φ and its gradient; the acceleration is -∇φ.
struct field {
  double potential = 0;
  vec3d gradient{};
};

/// L2P: adds the field of an expansion at y from its centre,
///
///     φ += Σ_α L_α y^α/α!,   ∂φ/∂y_d += Σ_α L_(α+e_d) y^α/α!
inline void l2p(const tensors& expansion, vec3d y, field& at) {
  const int p = expansion.order();
  for (const multi_index a : indices(p)) at.potential += expansion[a] * monomial(y, a);
  for (int d = 0; d < 3; ++d) {
    for (const multi_index a : indices(p - 1)) {
      multi_index raised = a;
      ++raised[d];
      at.gradient[d] += expansion[raised] * monomial(y, a);
    }
  }
}

/// P2P: adds the field of a mass m at a point that lies at r from it, φ -= m/|r|, ∇φ += m r/|r|³. Where cells are no
/// points (lattice.hpp), the solver multiplies the gradient by 1 + face_attraction for cells that share a face.
inline void p2p(double m, vec3d r, field& at) {
  const double inverse = 1 / std::sqrt(dot(r, r));
  at.potential -= m * inverse;
  at.gradient += m * inverse * inverse * inverse * r;
}

/// The torque that a cell's masses hand to their spins, Σ_i m_i b_i × ∇φ: the torque about the centre that an expansion
/// exerts on them, with its sign turned,
///
///     T_c = Σ_de ε_cde Σ_α (α_d + 1) M_(α+e_d) L_(α+e_e)
///
/// The expansion is that of the terms of order p alone, m2l(…, p). The energy of a pair does not change when the pair
/// is turned as a whole, and neither does any single term of it. So the torques of a term of lower order about the two
/// centres cancel the torque of its force, the term's derivative by R. A term of order p has no force here, for that
/// would be of order p + 1. So its torques must go somewhere else, to the spins, and the sum of orbital and spin
/// angular momentum is kept.
inline vec3d spin_torque(const tensors& moments, const tensors& top) {
  vec3d torque{};
  for (const multi_index a : indices(moments.order() - 1)) {
    vec3d m, gradient;
    for (int d = 0; d < 3; ++d) {
      multi_index raised = a;
      ++raised[d];
      m[d] = raised[d] * moments[raised];
      gradient[d] = top[raised];
    }
    torque += cross(m, gradient);
  }
  return torque;
}

/// Moments as operators.hpp stores them, in the order of basis_index(), for lengths in units of h. There they are a
/// polynomial in the symbols of derivatives, S(∂) = Σ_α (-1)^|α| M_α ∂^α, that acts on harmonic functions. So
/// ∂²/∂z² = -∂²/∂x² - ∂²/∂y² leaves (p + 1)² numbers.
inline std::vector<double> stored_moments(tensors moments, double h = 1) {
  const int p = moments.order();
  std::vector<double> result(index(basis_size(p)));
  for (int z = p; z >= 0; --z) {  // what is taken from z goes to z - 2
    for (const multi_index a : indices(p)) {
      if (a.z != z) continue;
      if (z >= 2) {
        moments[{a.x + 2, a.y, z - 2}] -= moments[a];
        moments[{a.x, a.y + 2, z - 2}] -= moments[a];
      } else {
        result[index(basis_index({a.x, a.y, z}))] = moments[a] / std::pow(-h, order(a));
      }
    }
  }
  return result;
}

/// The expansion of a harmonic function as operators.hpp stores it, for lengths in units of h and potentials in m/h:
/// the components with z <= 1 determine all others.
inline std::vector<double> stored_expansion(const tensors& expansion, double h = 1) {
  std::vector<double> result(index(basis_size(expansion.order())));
  for (const multi_index a : indices(expansion.order())) {
    if (a.z <= 1) result[index(basis_index({a.x, a.y, a.z}))] = expansion[a] * std::pow(h, order(a) + 1);
  }
  return result;
}

}  // namespace rednova::gravity::textbook
