// Where the results of a bundle of pencils go.
#pragma once

#include <cstddef>

#include "exec/simd.hpp"
#include "hydro/reconstruct.hpp"
#include "mesh/block.hpp"

namespace rednova::hydro {

/// Rate of change of a field by the fluxes through the lower and upper face of a cell, per_h = 1/h.
template <class T>
REDNOVA_FN T rate_between(const T& lower, const T& upper, double per_h) {
  return (lower - upper) * per_h;
}
/// What the transverse momentum fluxes F_t through the two faces of a cell take from its spin's rate of change; e_d ×
/// e_t = sign times the unit vector of the spin's component.
template <class T>
REDNOVA_FN T torque_between(const T& lower, const T& upper, double sign) {
  return (0.5 * sign) * (lower + upper);
}

enum class write_mode { set, add };

/// Where a bundle's results go; null: nowhere.
struct pencil_output {
  double* rate = nullptr;  ///< lanes of cell n of field f at rate + f * field + n * step
  std::ptrdiff_t field = 0, step = 0;
  write_mode mode = write_mode::set;
  double per_h = 0;                ///< 1 over the cells' width
  double* outer[2] = {};           ///< lanes of the flux through the lower and upper outer face …
  std::ptrdiff_t outer_field = 0;  ///< … of field f at outer + f * outer_field
  double* mass = nullptr;          ///< mass flux of face n in lane a at mass + a * mass_lane + n
  std::ptrdiff_t mass_lane = 0;
  bool closed[2] = {};  ///< outer faces whose flux is zero here

  /// Calls body with the numbers of the faces whose flux is zero.
  template <class Body>
  void for_closed(const Body& body) const {
    for (int side = 0; side < 2; ++side)
      if (closed[side]) body(side * mesh::N);
  }

  /// Takes the mass fluxes of all faces.
  template <class T>
  void take_mass(const T* flux) const {
    if (mass == nullptr) return;
    for (int f = 0; f < pencil_faces; ++f)
      for (int a = 0; a < exec::lanes<T>; ++a) mass[a * mass_lane + f] = lane(flux[f], a);
  }

  /// Takes a number's fluxes to the rate of `f` and to the outer faces.
  template <class T>
  void take(const T* flux, int f) const {
    for (int side = 0; side < 2; ++side)
      if (outer[side] != nullptr) exec::store(outer[side] + f * outer_field, flux[side * mesh::N]);
    if (rate == nullptr) return;
    double* to = rate + f * field;
    if (mode == write_mode::set) {
      for (int n = 0; n < mesh::N; ++n) exec::store(to + n * step, T(rate_between(flux[n], flux[n + 1], per_h)));
    } else {
      for (int n = 0; n < mesh::N; ++n) {
        double* at = to + n * step;
        exec::store(at, T(exec::load<T>(at) + rate_between(flux[n], flux[n + 1], per_h)));
      }
    }
  }

  /// Takes the torque of transverse momentum fluxes to the rate of `f`, see torque_between.
  template <class T>
  void take_torque(const T* flux, double sign, int f) const {
    if (rate == nullptr) return;
    for (int n = 0; n < mesh::N; ++n) {
      double* at = rate + f * field + n * step;
      exec::store(at, T(exec::load<T>(at) - torque_between(flux[n], flux[n + 1], sign)));
    }
  }

 private:
  template <class T>
  static double lane(const T& v, int a) {
    if constexpr (exec::lanes<T> == 1) {
      return v;
    } else {
      return v[static_cast<std::size_t>(a)];
    }
  }
};

}  // namespace rednova::hydro
