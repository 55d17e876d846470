// Sums over the gas of a star: the same for gas that is a star's by its species and by its place.
#pragma once

#include "core/compensated.hpp"
#include "core/vec3.hpp"
#include "step/simulation.hpp"

namespace rednova::diagnose {

/// A cell of a leaf as the sums take it.
struct gas_cell {
  core::vec3d x;  ///< in the frame of the grid
  double volume, rho;
  core::vec3d momentum, angular;  ///< densities; angular: x × s + l

  gas_cell(const step::simulation& s, int leaf, int c)
      : x(s.tree().centre(leaf, c % mesh::N, c / mesh::N % mesh::N, c / (mesh::N * mesh::N))), rho(s.density(leaf, c)) {
    const double h = s.tree().cell_width(leaf);
    volume = h * h * h;
    const auto vector = [&](int f) {
      return core::vec3d{s.u().at(leaf, f)[c], s.u().at(leaf, f + 1)[c], s.u().at(leaf, f + 2)[c]};
    };
    momentum = vector(s.fields().momentum());
    angular = cross(x, momentum) + vector(s.fields().spin());
  }
};

inline void add(core::vec3<core::compensated>& a, const core::vec3d& b) {
  a.x += b.x;
  a.y += b.y;
  a.z += b.z;
}
inline void add(core::vec3<core::compensated>& a, const core::vec3<core::compensated>& b) {
  a.x += b.x;
  a.y += b.y;
  a.z += b.z;
}
inline core::vec3d value(const core::vec3<core::compensated>& a) { return {a.x.value(), a.y.value(), a.z.value()}; }

/// Number is double within a block (512 or 4096 terms) and compensated over blocks.
template <class Number>
struct star_sums {
  Number mass{}, received{};
  core::vec3<Number> moment{}, momentum{}, angular{};
  double max_density = 0;
  core::vec3d densest{};  ///< where that is; of equal cells the first

  /// A cell's part, of this density.
  void add_cell(const gas_cell& c, double part) {
    const double share = c.volume * part / c.rho;
    mass += c.volume * part;
    moment += c.volume * part * c.x;
    momentum += share * c.momentum;
    angular += share * c.angular;
  }
  void see(const gas_cell& c) {
    if (!(c.rho > max_density)) return;
    max_density = c.rho;
    densest = c.x;
  }
};

template <class Number>
void add(star_sums<core::compensated>& a, const star_sums<Number>& b) {
  a.mass += b.mass;
  a.received += b.received;
  add(a.moment, b.moment);
  add(a.momentum, b.momentum);
  add(a.angular, b.angular);
  if (b.max_density > a.max_density) {
    a.max_density = b.max_density;
    a.densest = b.densest;
  }
}

}  // namespace rednova::diagnose
