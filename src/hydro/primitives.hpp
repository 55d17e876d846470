// From conserved fields with ghost layers to primitive variables, for the cells that the sweeps read.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/vec3.hpp"
#include "eos/gas.hpp"
#include "exec/simd.hpp"
#include "hydro/dual_energy.hpp"
#include "hydro/variables.hpp"
#include "mesh/block.hpp"
#include "mesh/fields.hpp"

namespace rednova::hydro {

/// Density, velocity, pressure of one place, and 1/rho, which costs a division; Ratios: those of its equation of state.
template <class T, class Ratios>
struct gas_state {
  T rho;
  core::vec3<T> v;
  T p, per_rho;
  [[no_unique_address]] Ratios ratios;
};

/// rho = Σ_k rho X_k of lanes<T> cells, the species `stride` apart.
template <class T>
REDNOVA_FN T mass_density(const double* u, std::ptrdiff_t stride, int species) {
  T rho = exec::load<T>(u);
  for (int k = 1; k < species; ++k) rho = rho + exec::load<T>(u + k * stride);
  return rho;
}

/// Density, velocity and pressure from conserved fields, `stride` apart. share: config dual_energy_pressure.
template <class T, class Eos>
REDNOVA_FN auto gas_from_conserved(const double* u, std::ptrdiff_t stride, const mesh::field_numbers& f, double share,
                                   const Eos& eos) {
  const auto at = [&](int field) { return exec::load<T>(u + field * stride); };
  const T rho = mass_density<T>(u, stride, f.species());
  const core::vec3<T> s{at(f.momentum(0)), at(f.momentum(1)), at(f.momentum(2))};
  const T per_rho = 1.0 / rho;
  const core::vec3<T> v = per_rho * s;
  if constexpr (Eos::varies) {
    return gas_state<T, eos::cell_ratios<T>>{
        rho, v, at(f.pressure()), per_rho, {at(f.energy_over_pressure()), at(f.gamma1())}};
  } else {
    const auto here = eos.template at<T>(rho);
    const T e = internal_energy(here, at(f.energy()), T(0.5 * dot(s, v)), at(f.entropy()), share);
    return gas_state<T, eos::constant_ratios>{rho, v, here.pressure(e), per_rho, {}};
  }
}

/// The pressure of one cell from its conserved fields alone, whatever the gas.
REDNOVA_FN double cell_pressure(const double* u, std::ptrdiff_t stride, const mesh::field_numbers& f, double share,
                                const eos::gas& gas) {
  const double rho = mass_density<double>(u, stride, f.species());
  const core::vec3d s{u[f.momentum(0) * stride], u[f.momentum(1) * stride], u[f.momentum(2) * stride]};
  return gas.at(rho, gas.hydrogen(u, stride), [&](const auto& here) {
    const double energy = u[f.energy() * stride], tracer = u[f.entropy() * stride];
    return here.pressure(internal_energy(here, energy, kinetic_energy(rho, s), tracer, share));
  });
}

/// Whether a cell is in the block (outside = 0 along every direction), in its `layers` ghost layers beyond faces or,
/// where `edges` is 1, one of those cells beyond edges that touch the block.
REDNOVA_FN bool in_cross(int i, int j, int k, int layers, int edges) {
  int outside = 0, most = 0;
  for (const int at : {i, j, k}) {
    const int beyond = at < 0 ? -at : at >= mesh::N ? at - mesh::N + 1 : 0;
    if (beyond > 0) ++outside;
    if (beyond > most) most = beyond;
  }
  return outside == 0 || (outside == 1 && most <= layers) || (outside == 2 && most <= edges);
}

/// Calls body(offset) with the position in a ghosted array of the first of lanes<T> cells, for all cells that
/// the sweeps read: the block, its `layers` ghost layers beyond faces and, where `edges` is 1, those cells
/// beyond edges that touch the block (read for the first ghost layer by its vorticity and by gravity_stress).
template <class T, class Body>
void for_cross(int layers, int edges, const Body& body) {
  constexpr int n = mesh::N, w = exec::lanes<T>;
  for (int k = -layers; k < n + layers; ++k)
    for (int j = -layers; j < n + layers; ++j) {
      const int out_j = j < 0 ? -j : j >= n ? j - n + 1 : 0, out_k = k < 0 ? -k : k >= n ? k - n + 1 : 0;
      int reach = 0;
      if (out_j == 0 && out_k == 0) {
        reach = layers;
      } else if (out_j == 0 || out_k == 0) {
        reach = std::max(out_j, out_k) == 1 ? edges : 0;
      } else if (std::max(out_j, out_k) > edges) {
        continue;
      }
      // The last pack of a row overlaps the one before rather than leave the row.
      for (int i = -reach; i < n + reach; i += w) body(mesh::ghosted(std::min(i, n + reach - w), j, k));
    }
}

/// Primitive variables of the gas and p/rho of lanes<T> cells: variables `stride` apart from q on. Returns its state.
template <class T, class Eos>
REDNOVA_FN auto gas_variables(const double* u, std::ptrdiff_t u_stride, const mesh::field_numbers& f, double share,
                              const Eos& eos, double* q, std::ptrdiff_t stride) {
  const auto gas = gas_from_conserved<T>(u, u_stride, f, share, eos);
  exec::store(q + variables::density * stride, gas.rho);
  for (int d = 0; d < 3; ++d) exec::store(q + variables::velocity(d) * stride, gas.v[d]);
  exec::store(q + variables::pressure * stride, gas.p);
  exec::store(q + variables::p_over_rho * stride, T(gas.p * gas.per_rho));
  return gas;
}

/// All primitive variables but the excess and the flags, as gas_variables.
template <class T, class Eos>
REDNOVA_FN void cell_variables(const double* u, std::ptrdiff_t u_stride, const mesh::field_numbers& f,
                               const variables& var, double share, const Eos& eos, double* q, std::ptrdiff_t stride) {
  const auto gas = gas_variables<T>(u, u_stride, f, share, eos, q, stride);
  const T per_rho = gas.per_rho;
  const auto per_mass = [&](int field, int variable) {
    exec::store(q + variable * stride, T(exec::load<T>(u + field * u_stride) * per_rho));
  };
  for (int k = 0; k < var.fractions(); ++k) per_mass(f.species(k), var.fraction(k));
  per_mass(f.entropy(), var.tracer());
  if (var.has_spin())
    for (int d = 0; d < 3; ++d) per_mass(f.spin(d), var.spin(d));
  if constexpr (Eos::varies) {
    exec::store(q + var.energy_over_pressure() * stride, gas.ratios.energy_over_pressure);
    exec::store(q + var.gamma1() * stride, gas.ratios.gamma1);
  }
}

/// Fills density, velocity, pressure and passive values: u [field][ghosted cell] → q [variable][ghosted cell].
template <class T, class Eos>
void primitives(const double* u, const mesh::field_numbers& f, const variables& var, double share, const Eos& eos,
                double* q) {
  constexpr std::ptrdiff_t stride = mesh::ghosted_cells;
  for_cross<T>(mesh::ghosts, var.has_spin() || var.has_weight() ? 1 : 0,
               [&](int c) { cell_variables<T>(u + c, stride, f, var, share, eos, q + c, stride); });
}

/// The flags of first-order cells as numbers.
inline void flags(const std::uint8_t* first_order, double* q) {
  for (int c = 0; c < mesh::ghosted_cells; ++c) q[c] = first_order[c];
}

}  // namespace rednova::hydro
