// A uniform mesh of a few blocks for tests of the block update: own ghost filling and Runge-Kutta steps, so that
// nothing but the update is under test.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "config/parameters.hpp"
#include "core/vec3.hpp"
#include "hydro/block_update.hpp"
#include "mesh/fields.hpp"

namespace rednova::test {

enum class edge { periodic, zero_gradient };

/// What a test says about the gas at a place; spin per mass is given as curl v, tracers follow.
struct flow {
  double rho = 1;
  core::vec3d v;
  double p = 1;
  core::vec3d curl;
  std::vector<double> fractions{1.0};
};

class small_mesh {
 public:
  using vec3d = core::vec3d;
  using vec3i = core::vec3i;

  small_mesh(const config::hydro& par, vec3i blocks, vec3d lower, double h, std::array<edge, 3> edges,
             double rotation = 0)
      : par_(par),
        fields_(par.species),
        eos_{par.gamma},
        update_(par, fields_, eos_),
        n_{blocks.x * mesh::N, blocks.y * mesh::N, blocks.z * mesh::N},
        lower_(lower),
        h_(h),
        edges_(edges),
        rotation_(rotation) {
    u_.assign(size() * static_cast<std::size_t>(fields_.size()), 0.0);
  }

  const mesh::fields& fields() const { return fields_; }
  vec3i cells() const { return n_; }
  vec3d centre(int i, int j, int k) const {
    return {lower_.x + (i + 0.5) * h_, lower_.y + (j + 0.5) * h_, lower_.z + (k + 0.5) * h_};
  }
  double& at(int field, int i, int j, int k) { return u_[index(field, i, j, k)]; }
  double at(int field, int i, int j, int k) const { return u_[index(field, i, j, k)]; }
  double density(int i, int j, int k) const {
    double rho = 0;
    for (int s = 0; s < fields_.species(); ++s) rho += at(s, i, j, k);
    return rho;
  }
  vec3d vector(int field, int i, int j, int k) const {
    return {at(field, i, j, k), at(field + 1, i, j, k), at(field + 2, i, j, k)};
  }
  vec3d velocity(int i, int j, int k) const { return (1 / density(i, j, k)) * vector(fields_.momentum(), i, j, k); }

  /// Cell averages of a flow from points^2 places of each cell in the x-y plane (or 1).
  void fill(const std::function<flow(vec3d)>& f, int points = 1) {
    const std::array<double, 3> gauss{-std::sqrt(0.6) / 2, 0.0, std::sqrt(0.6) / 2};
    const std::array<double, 3> weight{5.0 / 18, 8.0 / 18, 5.0 / 18};
    each_cell([&](int i, int j, int k) {
      for (int a = 0; a < points; ++a)
        for (int b = 0; b < points; ++b) {
          vec3d x = centre(i, j, k);
          double part = 1;
          if (points == 3) {
            const auto sa = static_cast<std::size_t>(a), sb = static_cast<std::size_t>(b);
            x += vec3d{gauss[sa] * h_, gauss[sb] * h_, 0};
            part = weight[sa] * weight[sb];
          }
          add(f(x), part, i, j, k);
        }
    });
  }

  /// One SSP-RK3 step (Shu & Osher 1988); the grid's rotation turns momentum exactly between the stages.
  void step(double dt) {
    const std::vector<double> start = u_;
    advance(dt, 6);
    turn(u_, dt);
    advance(dt);
    turn(u_, -dt / 2);
    std::vector<double> a = start;
    turn(a, dt / 2);
    for (std::size_t c = 0; c < u_.size(); ++c) u_[c] = 0.75 * a[c] + 0.25 * u_[c];
    advance(dt);
    turn(u_, dt / 2);
    a = start;
    turn(a, dt);
    for (std::size_t c = 0; c < u_.size(); ++c) u_[c] = a[c] / 3 + 2 * u_[c] / 3;
  }
  /// To time t with the Courant number of the parameters.
  void run(double t) {
    for (double now = 0; now < t;) {
      double dt = par_.cfl * h_ / signal_speed();
      dt = now + dt > t ? t - now : dt;
      step(dt);
      now += dt;
    }
  }
  double signal_speed() const {
    std::vector<double> block(static_cast<std::size_t>(fields_.size() * mesh::cells));
    double fastest = 0;
    each_block([&](vec3i o) {
      for (int f = 0; f < fields_.size(); ++f)
        for (int k = 0; k < mesh::N; ++k)
          for (int j = 0; j < mesh::N; ++j)
            for (int i = 0; i < mesh::N; ++i)
              block[static_cast<std::size_t>(f * mesh::cells + mesh::cell(i, j, k))] = at(f, o.x + i, o.y + j, o.z + k);
      fastest = std::max(fastest, update_.signal_speed(block.data(), corner(o), h_, rotation_));
    });
    return fastest;
  }
  /// Largest kinetic spin and orbit: sum of x × s and of l over the mesh, times the cells' volume.
  std::array<vec3d, 2> angular_momentum() const {
    std::array<vec3d, 2> j{};
    each_cell([&](int i, int jj, int k) {
      j[0] += (h_ * h_ * h_) * cross(centre(i, jj, k), vector(fields_.momentum(), i, jj, k));
      j[1] += (h_ * h_ * h_) * vector(fields_.spin(), i, jj, k);
    });
    return j;
  }
  template <class F>
  void each_cell(const F& f) const {
    for (int k = 0; k < n_.z; ++k)
      for (int j = 0; j < n_.y; ++j)
        for (int i = 0; i < n_.x; ++i) f(i, j, k);
  }
  double width() const { return h_; }

 private:
  std::size_t size() const { return static_cast<std::size_t>(n_.x) * static_cast<std::size_t>(n_.y * n_.z); }
  std::size_t index(int field, int i, int j, int k) const {
    return static_cast<std::size_t>(field) * size() + static_cast<std::size_t>((k * n_.y + j) * n_.x + i);
  }
  vec3d corner(vec3i o) const { return {lower_.x + o.x * h_, lower_.y + o.y * h_, lower_.z + o.z * h_}; }
  template <class F>
  void each_block(const F& f) const {
    for (int k = 0; k < n_.z; k += mesh::N)
      for (int j = 0; j < n_.y; j += mesh::N)
        for (int i = 0; i < n_.x; i += mesh::N) f(vec3i{i, j, k});
  }
  int source(int i, int d) const {
    if (edges_[static_cast<std::size_t>(d)] == edge::periodic) return (i + n_[d]) % n_[d];
    return std::clamp(i, 0, n_[d] - 1);
  }
  void add(const flow& w, double part, int i, int j, int k) {
    const double e = eos_.at(w.rho).energy_of_pressure(w.p);
    for (int s = 0; s < fields_.species(); ++s)
      at(s, i, j, k) += part * w.rho * w.fractions[static_cast<std::size_t>(s)];
    for (int d = 0; d < 3; ++d) at(fields_.momentum(d), i, j, k) += part * w.rho * w.v[d];
    at(fields_.energy(), i, j, k) += part * (e + 0.5 * w.rho * dot(w.v, w.v));
    at(fields_.entropy(), i, j, k) += part * eos_.tracer_of_heat(e);
    for (int d = 0; d < 3; ++d) at(fields_.spin(d), i, j, k) += part * w.rho * h_ * h_ / 12 * w.curl[d];
  }

  /// u += dt L(u), block by block from a gathered neighbourhood. weight: of the exchange of spin and flow.
  void advance(double dt, double weight = 0) {
    std::vector<double> rates(u_.size());
    std::vector<double> gathered(static_cast<std::size_t>(fields_.size() * mesh::ghosted_cells));
    std::vector<double> rate(static_cast<std::size_t>(fields_.size() * mesh::cells));
    constexpr int g = mesh::ghosts, n = mesh::N;
    each_block([&](vec3i o) {
      for (int f = 0; f < fields_.size(); ++f)
        for (int k = -g; k < n + g; ++k)
          for (int j = -g; j < n + g; ++j)
            for (int i = -g; i < n + g; ++i)
              gathered[static_cast<std::size_t>(f * mesh::ghosted_cells + mesh::ghosted(i, j, k))] =
                  at(f, source(o.x + i, 0), source(o.y + j, 1), source(o.z + k, 2));
      hydro::block_input in;
      in.u = gathered.data();
      in.corner = corner(o);
      in.h = h_;
      in.rotation = rotation_;
      hydro::block_output out;
      out.rate = rate.data();
      update_(in, out, {dt, weight}, scratch_);
      for (int f = 0; f < fields_.size(); ++f)
        for (int k = 0; k < n; ++k)
          for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i)
              rates[index(f, o.x + i, o.y + j, o.z + k)] =
                  rate[static_cast<std::size_t>(f * mesh::cells + mesh::cell(i, j, k))];
    });
    for (std::size_t c = 0; c < u_.size(); ++c) u_[c] += dt * rates[c];
  }
  /// s' = R s, l' = R (x × s + l) - x × s' with R the turn by -Omega t about z (numerics, sec. 2).
  void turn(std::vector<double>& u, double t) const {
    if (rotation_ == 0) return;
    const double c = std::cos(rotation_ * t), s = -std::sin(rotation_ * t);
    const auto turned = [&](vec3d a) { return vec3d{c * a.x - s * a.y, s * a.x + c * a.y, a.z}; };
    each_cell([&](int i, int j, int k) {
      const auto get = [&](int f) {
        return vec3d{u[index(f, i, j, k)], u[index(f + 1, i, j, k)], u[index(f + 2, i, j, k)]};
      };
      const vec3d x = centre(i, j, k), old = get(fields_.momentum()), spin = get(fields_.spin());
      const vec3d momentum = turned(old);
      const vec3d l = par_.spin ? turned(cross(x, old) + spin) - cross(x, momentum) : spin;
      for (int d = 0; d < 3; ++d) {
        u[index(fields_.momentum(d), i, j, k)] = momentum[d];
        u[index(fields_.spin(d), i, j, k)] = l[d];
      }
    });
  }

  config::hydro par_;
  mesh::fields fields_;
  eos::ideal_gas eos_;
  hydro::block_update update_;
  hydro::block_scratch scratch_;
  vec3i n_;
  vec3d lower_;
  double h_;
  std::array<edge, 3> edges_;
  double rotation_;
  std::vector<double> u_;
};

}  // namespace rednova::test
