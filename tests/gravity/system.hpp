// Masses on meshes, the solver's answer, and the sum over all pairs as the truth.
#pragma once

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "core/compensated.hpp"
#include "gravity/solver.hpp"

namespace rednova::gravity::test {

using core::vec3d;

/// The unit cube about the origin as one base block.
inline mesh::domain unit_box() { return {{-0.5, -0.5, -0.5}, 1.0, {1, 1, 1}, {}}; }

/// A tree refined `levels` times: all of it once, then where `wanted(centre, width)` of a block says so.
inline mesh::tree refined_tree(int levels, const std::function<bool(vec3d, double)>& wanted) {
  mesh::tree tree = mesh::tree::uniform(unit_box(), 1);
  for (int level = 1; level < levels; ++level) {
    std::vector<int> flags;
    for (int leaf = 0; leaf < tree.leaves(); ++leaf) {
      const double width = tree.cell_width(leaf) * mesh::N;
      const vec3d middle = tree.corner(leaf) + 0.5 * width * vec3d{1, 1, 1};
      flags.push_back(tree[leaf].level == level && wanted(middle, width) ? 1 : 0);
    }
    tree = mesh::tree(tree.box(), tree.adapted(flags));
  }
  return tree;
}

/// Three levels about a corner and an edge of the middle of the box, so that all kinds of neighbours occur.
inline mesh::tree three_levels() {
  return refined_tree(3, [](vec3d x, double width) {
    return width > 0.4 ? x.x + x.y < 0.2 && x.z < 0 : std::abs(x.x) < 0.2 && std::abs(x.z + 0.12) < 0.2 && x.y > -0.3;
  });
}

/// Two unequal blobs, as in python/rednova/reference/fmm.py.
inline double two_blobs(vec3d x) {
  const vec3d a = x - vec3d{.15, .05, 0}, b = x - vec3d{-.22, -.1, .1};
  return std::exp(-dot(a, a) / .01) + .3 * std::exp(-dot(b, b) / .004) + 1e-6;
}

/// A mesh with masses: cells in the order of leaves and mesh::cell().
class system {
 public:
  system(mesh::tree on, const std::function<double(vec3d)>& density) : tree(std::move(on)), rho(tree.leaves(), 1) {
    for (int leaf = 0; leaf < tree.leaves(); ++leaf) {
      for (int c = 0; c < mesh::cells; ++c) {
        const vec3d x = tree.centre(leaf, c % mesh::N, c / mesh::N % mesh::N, c / (mesh::N * mesh::N));
        rho.at(leaf)[c] = density(x);
        place.push_back(x);
        mass.push_back(rho.at(leaf)[c] * std::pow(tree.cell_width(leaf), 3));
      }
    }
  }
  int cells() const { return static_cast<int>(mass.size()); }
  /// The solver's field of a cell.
  double of(const mesh::block_data& result, int f, int cell) const {
    return result.at(cell / mesh::cells, f)[cell % mesh::cells];
  }
  vec3d vector_of(const mesh::block_data& result, int f, int cell) const {
    return {of(result, f, cell), of(result, f + 1, cell), of(result, f + 2, cell)};
  }

  mesh::tree tree;
  mesh::block_data rho;
  std::vector<vec3d> place;
  std::vector<double> mass;
};

/// Of point masses, as direct sums and the reference model have them, or of a smooth density.
inline mesh::block_data solved(const system& s, int order, int near_radius_squared, int threads = 1,
                               config::cell_mass cells = config::cell_mass::point) {
  config::gravity par;
  par.order = order;
  par.near_radius_squared = near_radius_squared;
  par.cell_mass = cells;
  exec::context context(threads);
  mesh::block_data result(s.tree.leaves(), result_fields);
  solver(par, s.tree).solve(context, s.rho, result);
  return result;
}

struct field {
  double phi;
  vec3d g;
};

/// Sum over all other cells.
inline field direct_sum(const system& s, int cell) {
  const vec3d at = s.place[static_cast<std::size_t>(cell)];
  double phi = 0, gx = 0, gy = 0, gz = 0;
  for (std::size_t i = 0; i < s.place.size(); ++i) {
    const vec3d d = s.place[i] - at;
    const double r2 = dot(d, d), inverse = r2 > 0 ? 1 / std::sqrt(r2) : 0;
    const double a = s.mass[i] * inverse, b = a * inverse * inverse;
    phi -= a;
    gx += b * d.x;
    gy += b * d.y;
    gz += b * d.z;
  }
  return {phi, {gx, gy, gz}};
}

/// Relative rms errors against direct_sum().
struct errors {
  double phi;    ///< weighted with mass
  double g;      ///< weighted with mass
  double g_all;  ///< every cell alike
  double bias;   ///< mass-weighted mean of (g - g_exact)·g_exact / g_exact²
};

inline errors error_of(const system& s, const mesh::block_data& result, int stride) {
  double phi2 = 0, phi_off2 = 0, g2 = 0, g_off2 = 0, all2 = 0, all_off2 = 0, bias = 0, weight = 0;
  for (int c = 0; c < s.cells(); c += stride) {
    const field exact = direct_sum(s, c);
    const double m = s.mass[static_cast<std::size_t>(c)];
    const vec3d off = s.vector_of(result, acceleration, c) - exact.g;
    phi2 += m * exact.phi * exact.phi;
    phi_off2 += m * std::pow(s.of(result, potential, c) - exact.phi, 2);
    g2 += m * dot(exact.g, exact.g);
    g_off2 += m * dot(off, off);
    all2 += dot(exact.g, exact.g);
    all_off2 += dot(off, off);
    bias += m * dot(off, exact.g) / dot(exact.g, exact.g);
    weight += m;
  }
  return {std::sqrt(phi_off2 / phi2), std::sqrt(g_off2 / g2), std::sqrt(all_off2 / all2), bias / weight};
}

/// Net force and torques relative to the sum of their parts' sizes.
struct balance {
  double force, torque, torque_without_spin;
};

inline balance balance_of(const system& s, const mesh::block_data& result) {
  std::array<core::compensated, 3> force, orbital, spin;
  double forces = 0, torques = 0;
  for (int c = 0; c < s.cells(); ++c) {
    const double volume = std::pow(s.tree.cell_width(c / mesh::cells), 3);
    const vec3d f = s.mass[static_cast<std::size_t>(c)] * s.vector_of(result, acceleration, c);
    const vec3d o = cross(s.place[static_cast<std::size_t>(c)], f), t = volume * s.vector_of(result, torque, c);
    for (int d = 0; d < 3; ++d) {
      const auto i = static_cast<std::size_t>(d);
      force[i] += f[d];
      orbital[i] += o[d];
      spin[i] += t[d];
    }
    forces += std::sqrt(dot(f, f));
    torques += std::sqrt(dot(o, o));
  }
  balance b{0, 0, 0};
  for (std::size_t d = 0; d < 3; ++d) {
    b.force = std::max(b.force, std::abs(force[d].value()) / forces);
    b.torque = std::max(b.torque, std::abs(orbital[d].value() + spin[d].value()) / torques);
    b.torque_without_spin = std::max(b.torque_without_spin, std::abs(orbital[d].value()) / torques);
  }
  return b;
}

}  // namespace rednova::gravity::test
