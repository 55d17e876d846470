// One block with its ghost layers, filled and updated, for tests.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "config/parameters.hpp"
#include "core/vec3.hpp"
#include "eos/gas.hpp"
#include "hydro/block_kernel.hpp"
#include "hydro/block_update.hpp"
#include "hydro/dual_energy.hpp"
#include "mesh/fields.hpp"

namespace rednova::test {

/// All that an update writes.
struct results {
  std::vector<double> rate, mass;
  std::array<std::vector<double>, mesh::faces> outer;

  double at(int field, int i, int j, int k) const {
    return rate[static_cast<std::size_t>(field * mesh::cells + mesh::cell(i, j, k))];
  }
  double flux(int face, int field, int a, int b) const {
    return outer[static_cast<std::size_t>(face)][static_cast<std::size_t>((field * mesh::N + b) * mesh::N + a)];
  }
  double mass_flux(int d, int f, int a, int b) const {
    return mass[static_cast<std::size_t>(((d * mesh::N + b) * mesh::N + a) * (mesh::N + 1) + f)];
  }
};

/// Gas with gravity or without.
enum class weight { none, given };

inline config::hydro scheme(config::reconstruction r, config::riemann_solver s, bool spin, int species = 3) {
  config::hydro par;
  par.reconstruct = r;
  par.riemann = s;
  par.spin = spin;
  par.species.clear();
  for (int k = 0; k < species; ++k) par.species.push_back(std::to_string(k));
  return par;
}

/// A gas whose states at densities about 1 and pressures about 1 are partly degenerate, partly relativistic.
inline eos::gas gas_of(config::gas_model model) {
  if (model == config::gas_model::white_dwarf) return eos::white_dwarf{5.0 / 3, 0.05, 1.5, 1.0};
  return eos::ideal_gas{5.0 / 3};
}

struct one_block {
  /// Conserved values of a place: as many as there are fields.
  using filling = std::function<std::vector<double>(core::vec3d)>;

  explicit one_block(const config::hydro& p, weight g = weight::none) : one_block(p, eos::ideal_gas{p.gamma}, g) {}
  one_block(const config::hydro& p, const eos::gas& of, weight g = weight::none)
      : par(p), fields(p.species, g == weight::given, of.stored()), eos(of) {
    u.assign(static_cast<std::size_t>(fields.size() * mesh::ghosted_cells), 0.0);
    in.h = 0.125;
    in.corner = {0.5, -1.25, 2.0};
  }

  double& at(int field, int i, int j, int k) {
    return u[static_cast<std::size_t>(field * mesh::ghosted_cells + mesh::ghosted(i, j, k))];
  }
  core::vec3d centre(int i, int j, int k) const {
    return {in.corner.x + (i + 0.5) * in.h, in.corner.y + (j + 0.5) * in.h, in.corner.z + (k + 0.5) * in.h};
  }
  template <class F>
  static void each_ghosted(const F& f) {
    constexpr int g = mesh::ghosts, n = mesh::N;
    for (int k = -g; k < n + g; ++k)
      for (int j = -g; j < n + g; ++j)
        for (int i = -g; i < n + g; ++i) f(i, j, k);
  }
  template <class F>
  static void each(const F& f) {
    for (int k = 0; k < mesh::N; ++k)
      for (int j = 0; j < mesh::N; ++j)
        for (int i = 0; i < mesh::N; ++i) f(i, j, k);
  }
  void fill(const filling& f) {
    each_ghosted([&](int i, int j, int k) {
      const auto values = f(centre(i, j, k));
      for (int q = 0; q < fields.size(); ++q) at(q, i, j, k) = values[static_cast<std::size_t>(q)];
    });
  }
  /// Conserved values from primitive ones; all species equal shares but the first and second.
  std::vector<double> conserved(double rho, core::vec3d v, double p, core::vec3d spin, double share = 0.5) const {
    std::vector<double> c(static_cast<std::size_t>(fields.size()), 0.0);
    const auto set = [&](int f) -> double& { return c[static_cast<std::size_t>(f)]; };
    if (fields.species() == 1) {
      set(0) = rho;
    } else {
      set(0) = share * rho;
      set(1) = (1 - share) * rho;
    }
    const double e = eos.energy_of_pressure(rho, p, 0);
    for (int d = 0; d < 3; ++d) {
      set(fields.momentum(d)) = rho * v[d];
      set(fields.spin(d)) = rho * spin[d];
    }
    set(fields.energy()) = e + rho * dot(v, v) / 2;
    set(fields.entropy()) = eos.entropy_tracer(rho, e, 0);
    // Weights up to a tenth of the pressure of the cells here, and of either sign.
    if (fields.has_acceleration())
      for (int d = 0; d < 3; ++d) set(fields.acceleration(d)) = v[(d + 1) % 3];
    return c;
  }
  /// A wild flow with jumps, all fields different everywhere.
  void fill_wild() {
    fill([this](core::vec3d x) {
      const double wave = std::sin(7 * x.x + 3 * x.y - 5 * x.z), other = std::cos(4 * x.x - 6 * x.y + 9 * x.z);
      const double jump = x.x + 0.3 * x.y - 0.2 * x.z > 0.2 ? 1.0 : 0.0;
      return conserved(1 + 0.5 * wave + 3 * jump, {other, wave - jump, 0.7 * wave * other}, 1 + 0.6 * other + 5 * jump,
                       {0.01 * wave, 0.02 * other, -0.015 * wave * other}, 0.5 + 0.4 * other);
    });
  }

  /// What cells keep of stored gas, from their conserved fields.
  void store_gas() {
    each_ghosted([&](int i, int j, int k) {
      double rho = 0;
      for (int s = 0; s < fields.species(); ++s) rho += at(s, i, j, k);
      const core::vec3d momentum{at(fields.momentum(0), i, j, k), at(fields.momentum(1), i, j, k),
                                 at(fields.momentum(2), i, j, k)};
      eos::cell_ratios<double> ratios;
      at(fields.pressure(), i, j, k) = eos.at(rho, 0.0, [&](const auto& here) {
        const double e =
            hydro::internal_energy(here, at(fields.energy(), i, j, k), hydro::kinetic_energy(rho, momentum),
                                   at(fields.entropy(), i, j, k), par.dual_energy_pressure);
        return here.pressure(e, ratios);
      });
      at(fields.energy_over_pressure(), i, j, k) = ratios.energy_over_pressure;
      at(fields.gamma1(), i, j, k) = ratios.gamma1;
    });
  }

  template <class Update>
  results run_with(const Update& update) {
    if (fields.has_gas()) store_gas();
    results r;
    r.rate.assign(static_cast<std::size_t>(fields.evolved() * mesh::cells), 1e300);
    r.mass.assign(3 * (mesh::N + 1) * mesh::N * mesh::N, 1e300);
    hydro::block_output out;
    out.rate = r.rate.data();
    out.mass_flux = r.mass.data();
    for (std::size_t f = 0; f < mesh::faces; ++f) {
      r.outer[f].assign(static_cast<std::size_t>(fields.evolved() * mesh::N * mesh::N), 1e300);
      out.outer_flux[f] = r.outer[f].data();
    }
    in.u = u.data();
    hydro::block_scratch scratch;
    update(in, out, exchange, scratch);
    return r;
  }
  results run() { return run_with(hydro::block_update(par, fields, eos)); }
  /// The same formulas on single numbers.
  results run_scalar() {
    return eos.visit(
        [&]<class Eos>(const Eos& of) { return run_with(hydro::block_kernel<double, Eos>(par, fields, of)); });
  }

  config::hydro par;
  mesh::fields fields;
  eos::gas eos;
  std::vector<double> u;
  hydro::block_input in;
  /// Of the first stage of three; with h = 1/8 and signals of speed 2, a Courant number of 0.3.
  hydro::stage_spin_exchange exchange{0.02, 6};
};

}  // namespace rednova::test
