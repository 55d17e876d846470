// Light and gas on a small tree, with nothing but the solver of radiation to move them. Units with a = 1.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/compensated.hpp"
#include "radiation/solver.hpp"

namespace rednova::test {

/// Gas and light at a place.
struct lit_gas {
  double density = 1;
  core::vec3d velocity{};
  double heat = 1;  ///< by volume
  double energy = 0;
  core::vec3d flux{};
};

class light_box {
 public:
  using vec3d = core::vec3d;

  light_box(mesh::tree t, const std::array<config::boundary, 6>& boundaries, const radiation::scheme& by,
            double rotation = 0)
      : by_(by),
        tree_(std::move(t)),
        fields_(1),
        halo_(context_, tree_, fields_),
        gas_{eos::ideal_gas{5.0 / 3}, 1e-12, rotation, true},
        u_(halo_.nodes(), fields_.size()),
        light_(mesh::slots::of_leaves(halo_.partition()), radiation::field::count),
        solver_(context_, tree_, fields_, halo_, boundaries, by) {}

  /// A row of blocks along x, of so many cells of width h, periodic across.
  static mesh::tree row(int cells, double h, bool periodic) {
    const mesh::domain box{.lower = {0, 0, 0},
                           .base_width = mesh::N * h,
                           .base = {cells / mesh::N, 1, 1},
                           .periodic = {periodic, true, true}};
    return mesh::tree::uniform(box, 0);
  }

  /// The same with the middle half of it a level finer.
  static mesh::tree refined_row(int cells, double h, bool periodic) {
    const mesh::tree coarse = row(cells, h, periodic);
    std::vector<int> flags;
    for (int leaf = 0; leaf < coarse.leaves(); ++leaf) {
      const double x = coarse.centre(leaf, mesh::N / 2, 0, 0).x / (cells * h);
      flags.push_back(x > 0.25 && x < 0.75 ? 1 : 0);
    }
    return {coarse.box(), coarse.adapted(flags)};
  }

  /// E and F stand for U and Q until the first step of length dt.
  void fill(const std::function<lit_gas(vec3d)>& at, double dt) {
    each_cell([&](int leaf, int c, vec3d x) {
      const lit_gas g = at(x);
      set_gas(leaf, c, g);
      light_.at(leaf, radiation::field::energy)[c] = g.energy;
      for (int d = 0; d < 3; ++d) light_.at(leaf, radiation::field::momentum(d))[c] = g.flux[d];
    });
    solver_.begin(u_, light_, gas_, dt);
  }
  void set_gas(int leaf, int c, const lit_gas& g) {
    u_.at(leaf, 0)[c] = g.density;
    for (int d = 0; d < 3; ++d) u_.at(leaf, fields_.momentum(d))[c] = g.density * g.velocity[d];
    u_.at(leaf, fields_.energy())[c] = g.heat + 0.5 * g.density * dot(g.velocity, g.velocity);
    u_.at(leaf, fields_.entropy())[c] = gas_.eos.entropy_tracer(g.density, g.heat, 0);
  }
  /// Adds light of sources in the gas, which shine for dt; power: by volume.
  void shine(const std::function<double(vec3d)>& power, double dt) {
    each_cell([&](int leaf, int c, vec3d x) { light_.at(leaf, radiation::field::energy)[c] += dt * power(x); });
  }
  void shine_in(radiation::solver::light_outside from) { solver_.shine_in(std::move(from)); }
  void advance(double dt) { advance(dt, dt); }
  void advance(double dt, double uncut) { solver_.advance(u_, light_, gas_, dt, uncut); }

  /// E of a cell.
  double energy(int leaf, int c) const {
    return light_.at(leaf, radiation::field::energy)[c] * speed(leaf, c) / by_.k.speed;
  }
  vec3d flux(int leaf, int c) const {
    vec3d f;
    for (int d = 0; d < 3; ++d) f[d] = light_.at(leaf, radiation::field::momentum(d))[c] * speed(leaf, c) * by_.k.speed;
    return f;
  }
  double speed(int leaf, int c) const { return light_.at(leaf, radiation::field::speed)[c]; }
  double heat(int leaf, int c) const {
    vec3d s;
    for (int d = 0; d < 3; ++d) s[d] = u_.at(leaf, fields_.momentum(d))[c];
    return u_.at(leaf, fields_.energy())[c] - 0.5 * dot(s, s) / u_.at(leaf, 0)[c];
  }
  template <class Body>
  void each_cell(const Body& body) const {
    for (int leaf = 0; leaf < tree_.leaves(); ++leaf)
      for (int c = 0; c < mesh::cells; ++c) body(leaf, c, mesh::view(tree_).centre(leaf, c));
  }

  /// Energy, momentum and angular momentum of gas and light together, with what left and less what the floor added.
  using books = std::array<double, radiation::outflow_numbers>;
  books all() const {
    std::array<core::compensated, radiation::outflow_numbers> sum{};
    each_cell([&](int leaf, int c, vec3d x) {
      const double volume = std::pow(tree_.cell_width(leaf), 3);
      vec3d p, l;
      for (int d = 0; d < 3; ++d) {
        p[d] = u_.at(leaf, fields_.momentum(d))[c] + light_.at(leaf, radiation::field::momentum(d))[c];
        l[d] = u_.at(leaf, fields_.spin(d))[c] + light_.at(leaf, radiation::field::spin(d))[c];
      }
      const vec3d j = cross(x, p) + l;
      sum[0] += volume * (u_.at(leaf, fields_.energy())[c] + light_.at(leaf, radiation::field::energy)[c]);
      for (int d = 0; d < 3; ++d) {
        sum[static_cast<std::size_t>(1 + d)] += volume * p[d];
        sum[static_cast<std::size_t>(4 + d)] += volume * j[d];
      }
    });
    books values;
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = sum[n].value() + left_[n];
    return values;
  }
  /// Adds what left in the last step to the books.
  void book() {
    for (int leaf = 0; leaf < tree_.leaves(); ++leaf) {
      for (std::size_t n = 0; n < left_.size(); ++n) {
        left_[n] -= solver_.floors(leaf)[n];
        floors_[n] += solver_.floors(leaf)[n];
      }
      for (int face = 0; face < mesh::faces; ++face)
        for (std::size_t n = 0; n < left_.size(); ++n) left_[n] += solver_.outflow(leaf, face)[n];
    }
  }
  const books& left() const { return left_; }
  const books& floors() const { return floors_; }

  const mesh::tree& tree() const { return tree_; }
  const mesh::block_data& light() const { return light_; }
  const mesh::block_data& gas() const { return u_; }
  const radiation::solver& solver() const { return solver_; }
  const mesh::fields& fields() const { return fields_; }

 private:
  radiation::scheme by_;
  exec::context context_{2};
  mesh::tree tree_;
  mesh::fields fields_;
  exchange::halo_exchange halo_;
  radiation::gas_rules gas_;
  mesh::block_data u_, light_;
  radiation::solver solver_;
  books left_{}, floors_{};
};

inline constexpr std::array<config::boundary, 6> escaping{config::boundary::outflow, config::boundary::outflow,
                                                          config::boundary::outflow, config::boundary::outflow,
                                                          config::boundary::outflow, config::boundary::outflow};

}  // namespace rednova::test
