// The update of a block, written once for packs and for single numbers.
#pragma once

#include "hydro/block_update.hpp"
#include "hydro/gravity_stress.hpp"
#include "hydro/grid_motion.hpp"
#include "hydro/hydrostatic.hpp"
#include "hydro/pencil.hpp"
#include "hydro/primitives.hpp"
#include "hydro/spin_feedback.hpp"

namespace rednova::hydro {

/// block_update for number type T and equation of state Eos.
template <class T, class Eos>
class block_kernel {
 public:
  block_kernel(const config::hydro& par, const mesh::fields& fields, const Eos& eos)
      : scheme_(par),
        fields_(fields),
        var_(fields, par.spin, Eos::varies),
        eos_(eos),
        partition_(par.dual_energy_pressure) {}

  void operator()(const block_input& in, const block_output& out, const stage_spin_exchange& exchange,
                  block_scratch& scratch) const {
    const memory m = partition(scratch);
    primitives<T>(in.u, fields_, var_, partition_, eos_, m.q);
    if (var_.has_spin()) spin_excess<T>(var_, in.h, m.q);
    if (in.first_order != nullptr) flags(in.first_order, m.q + var_.flags() * stride);
    if (balances()) find_lacking(in, m.q);
    sweep_x(in, out, exchange, m);
    for (int d = 1; d < 3; ++d) {
      weigh(d, in, m.q);
      sweep(d, in, out, exchange, m);
    }
    if (!var_.has_spin()) leave_spin(out);
  }

 private:
  static constexpr std::ptrdiff_t stride = mesh::ghosted_cells;
  static constexpr int N = mesh::N, M = mesh::M, W = exec::lanes<T>;
  static_assert(N % W == 0);
  struct memory {
    double* q;     ///< [variable, then, where it balances, what weights lack][ghosted cell]
    double* tile;  ///< [as q, then acceleration][i, with ghosts][j]: one plane's pencils along x, lanes along y
    double* rate;  ///< [field][i][j] of that plane
    fraction_memory value;
  };

  memory partition(block_scratch& scratch) const {
    const int gravity = balances() ? 1 : 0;
    const std::size_t q = static_cast<std::size_t>(var_.size() + 3 * gravity) * stride;
    const std::size_t tile = static_cast<std::size_t>(var_.size() + 4 * gravity) * M * N;
    const std::size_t rate = static_cast<std::size_t>(fields_.evolved()) * N * N;
    const std::size_t value = static_cast<std::size_t>(var_.fractions()) * pencil_faces * W;
    if (scratch.memory.size() < q + tile + rate + value) scratch.memory.resize(q + tile + rate + value);
    double* p = scratch.memory.data();
    return {p, p + q, p + q + tile, {p + q + tile + rate, pencil_faces * W}};
  }

  bool balances() const { return scheme_.well_balanced && var_.has_weight(); }
  /// Where in q and in a tile is what the weight along d lacks: first the force, then half_weight::lacking.
  int lacking(int d) const { return var_.size() + d; }

  /// What of a pencil's output does not depend on the sweep's layout; (a, b) as in block_output.
  pencil_output common_output(const block_input& in, const block_output& out, int d, int a, int b) const {
    pencil_output o;
    for (int side = 0; side < 2; ++side) {
      const int face = mesh::face(d, side);
      o.closed[side] = (in.finer_faces >> face & 1U) != 0;
      if (out.outer_flux[face] != nullptr) o.outer[side] = out.outer_flux[face] + a + N * b;
    }
    o.per_h = 1.0 / in.h;
    o.outer_field = N * N;
    o.mass_lane = N + 1;
    if (out.mass_flux != nullptr) o.mass = out.mass_flux + (d * N * N + a + N * b) * (N + 1);
    return o;
  }

  /// Centres of lanes a … a+W-1 along a direction.
  static T centres(double corner, double h, int a) {
    double x[W];
    for (int i = 0; i < W; ++i) x[i] = centre(corner, h, a + i);
    return exec::load<T>(x);
  }

  /// What the weights of the block and its first ghost layer lack: forces of gravity_stress.
  void find_lacking(const block_input& in, double* q) const {
    const gravity_stress stress{in.h};
    const double *rho = q + variables::density * stride, *g = in.u + fields_.acceleration() * stride;
    for_cross<T>(1, 0, [&](int c) {
      stress.template forces<T>(rho + c, g + c, stride,
                                [&](int d, const T& force) { exec::store(q + lacking(d) * stride + c, force); });
    });
  }

  /// Half the weights of cells, and half of what those lack in place of the force, where that is known. n: of the cells
  /// in the direction of the sweep; at: where they are in q or in a tile; acceleration: theirs along it.
  void weigh(int d, const block_input& in, int n, const T& acceleration, const T& grid, double* at,
             std::ptrdiff_t variable) const {
    const half_weight<T> weight(d, in.h, in.rotation, acceleration, grid, at, variable);
    exec::store(at + var_.weight() * variable, weight.of_averages());
    double* force = at + lacking(d) * variable;
    if (n >= -1 && n <= N) exec::store(force, weight.lacking(exec::load<T>(force)));
  }
  /// The same for all cells that a sweep along d = 1 or 2 reads.
  void weigh(int d, const block_input& in, double* q) const {
    if (!balances()) return;
    for (int b = 0; b < N; ++b)
      for (int n = -mesh::ghosts; n < N + mesh::ghosts; ++n)
        for (int i = 0; i < N; i += W) {
          const int c = d == 1 ? mesh::ghosted(i, n, b) : mesh::ghosted(i, b, n);
          const T grid = d == 1 ? grid_velocity(1, in.rotation, centres(in.corner.x, in.h, i)) : T(0.0);
          weigh(d, in, n, exec::load<T>(in.u + fields_.acceleration(d) * stride + c), grid, q + c, stride);
        }
  }

  /// to[i][j] = from[j][i] for i < Width, j < Height.
  template <int Width, int Height>
  static void transpose(const double* from, double* to) {
    for (int j = 0; j < Height; j += W)
      for (int i = 0; i < Width; i += W) {
        const int first = std::min(i, Width - W);  // the last square overlaps the one before
        exec::transpose<T>(from + j * Width + first, Width, to + first * Height + j, Height);
      }
  }

  /// Pencils along x lie across memory: each plane's variables are transposed into a tile that fits the
  /// nearest cache, and its rates back.
  void sweep_x(const block_input& in, const block_output& out, const stage_spin_exchange& exchange,
               const memory& m) const {
    const pencil_sweep<T, pencil_scheme<T, Eos>> pencil(scheme_, fields_, var_, eos_, {in.h, in.rotation}, exchange, 0);
    const bool flagged = in.first_order != nullptr;
    for (int k = 0; k < N; ++k) {
      for (int v = 0; v < var_.size() - (flagged ? 0 : 1); ++v) {
        const double* from = m.q + v * stride + mesh::ghosted(-mesh::ghosts, 0, k);
        double* to = m.tile + v * M * N;
        transpose<M, N>(from, to);
      }
      double *lacks = m.tile + lacking(0) * M * N, *acceleration = lacks + M * N;
      if (balances()) {
        const int first = mesh::ghosted(-mesh::ghosts, 0, k);
        transpose<M, N>(m.q + lacking(0) * stride + first, lacks);
        for (int d = 0; d < 3; ++d)
          transpose<M, N>(in.u + fields_.acceleration(d) * stride + first, acceleration + d * M * N);
        for (int n = 0; n < M; ++n)
          for (int j = 0; j < N; j += W) {
            const T grid = grid_velocity(0, in.rotation, centres(in.corner.y, in.h, j));
            const int c = n * N + j;
            weigh(0, in, n - mesh::ghosts, exec::load<T>(acceleration + c), grid, m.tile + c, M * N);
          }
      }
      for (int j = 0; j < N; j += W) {
        pencil_output o = common_output(in, out, 0, j, k);
        if (out.rate != nullptr) o.rate = m.rate + j;
        o.field = N * N;
        o.step = N;
        const T w = grid_velocity(0, in.rotation, centres(in.corner.y, in.h, j));
        const std::ptrdiff_t first = mesh::ghosts * N + j;
        const pencil_gravity gravity{acceleration + first, M * N, N, lacks + first, N};
        pencil({m.tile + first, M * N, N, flagged, gravity}, w, o, m.value);
      }
      if (out.rate == nullptr) continue;
      for (int f = 0; f < fields_.evolved(); ++f) {
        const double* from = m.rate + f * N * N;
        double* to = out.rate + f * mesh::cells + mesh::cell(0, 0, k);
        transpose<N, N>(from, to);
      }
    }
  }

  /// Sweeps along y and z, lanes along x.
  void sweep(int d, const block_input& in, const block_output& out, const stage_spin_exchange& exchange,
             const memory& m) const {
    const pencil_sweep<T, pencil_scheme<T, Eos>> pencil(scheme_, fields_, var_, eos_, {in.h, in.rotation}, exchange, d);
    const bool flagged = in.first_order != nullptr;
    for (int b = 0; b < N; ++b)
      for (int i = 0; i < N; i += W) {
        pencil_output o = common_output(in, out, d, i, b);
        const int j = d == 1 ? 0 : b, k = d == 1 ? b : 0;
        if (out.rate != nullptr) o.rate = out.rate + mesh::cell(i, j, k);
        o.field = mesh::cells;
        o.step = d == 1 ? N : N * N;
        o.mode = write_mode::add;
        const T w = d == 1 ? grid_velocity(1, in.rotation, centres(in.corner.x, in.h, i)) : T(0.0);
        const std::ptrdiff_t first = mesh::ghosted(i, j, k), step = d == 1 ? M : M * M;
        pencil_gravity gravity{};
        if (balances()) {
          gravity = {in.u + fields_.acceleration() * stride + first, stride, step, m.q + lacking(d) * stride + first,
                     step};
        }
        pencil({m.q + first, stride, step, flagged, gravity}, w, o, m.value);
      }
  }

  /// Without spin its rate and fluxes are zero.
  void leave_spin(const block_output& out) const {
    const int first = fields_.spin();
    if (out.rate != nullptr) std::fill_n(out.rate + first * mesh::cells, 3 * mesh::cells, 0.0);
    for (double* flux : out.outer_flux)
      if (flux != nullptr) std::fill_n(flux + first * N * N, 3 * N * N, 0.0);
  }

  pencil_scheme<T, Eos> scheme_;
  const mesh::fields& fields_;
  variables var_;
  Eos eos_;
  double partition_;
};

}  // namespace rednova::hydro
