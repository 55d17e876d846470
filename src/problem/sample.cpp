#include "problem/sample.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "core/check.hpp"

namespace rednova::problem {

double energy_of(const eos::gas& eos, double rho, double pressure, double hydrogen, core::vec3d x) {
  constexpr double rounding = 1e-9;  // a model's, of the closed forms and their inverses
  const double e = eos.energy_of_pressure(rho, pressure, hydrogen);
  if (eos.model == config::gas_model::ideal) return e;
  // Gas of stars has the cold end of its table where there is no such gas; what is hotter than the hot end is told with
  // the first step.
  constexpr double of_table = 1e-6;
  const bool found = eos.tabulated() ? eos.pressure(rho, e, hydrogen) < (1 + of_table) * pressure
                                     : eos.heat(rho, e, hydrogen) >= -rounding * e;
  if (found) return e;
  const double cold = eos.pressure(rho, eos.energy_of_heat(rho, 0, hydrogen), hydrogen);
  const std::string start =
      fmt::format("the model has a pressure of {:.4g} at a density of {:.4g} (at {:.4g}, {:.4g}, {:.4g}), but ",
                  pressure, rho, x.x, x.y, x.z);
  if (eos.tabulated() && pressure > cold)
    core::fail(
        "{}the nearest gas of its table has {:.4g}: raise the pressure (of gas at the floors: hydro.energy_floor)",
        start, eos.pressure(rho, e, hydrogen));
  core::fail(
      "{}its gas has {:.4g} at zero temperature: raise the pressure (of stars: structure = \"white_dwarf\", or others "
      "that are larger or lighter)",
      start, cold);
}

void cell_average(const gas_at& f, const mesh::fields& fields, const eos::gas& eos, core::vec3d centre, double h,
                  int subcells, double* u) {
  std::fill(u, u + fields.evolved(), 0.0);
  const int points = 2 * subcells;
  const double weight = 1.0 / (points * points * points);
  // The points come in pairs about the centre, so that symmetric states give symmetric averages to the last bit.
  const auto offset = [&](int i) {
    const int pair = i / 2;
    const double middle = (pair + 0.5) / subcells - 0.5, gauss = 0.5 / std::sqrt(3.0) / subcells;
    return h * (middle + (i % 2 ? gauss : -gauss));
  };
  double internal = 0, density = 0;
  core::vec3d circulation;
  for (int k = 0; k < points; ++k) {
    for (int j = 0; j < points; ++j) {
      for (int i = 0; i < points; ++i) {
        const core::vec3d d{offset(i), offset(j), offset(k)}, x = centre + d;
        const gas q = f(x);
        double rho = 0;
        for (int n = 0; n < fields.species(); ++n) {
          const double part = q.density[static_cast<std::size_t>(n)];
          u[fields.species(n)] += weight * part;
          rho += part;
        }
        const double e = energy_of(eos, rho, q.pressure, eos.hydrogen(q.density.data(), 1), x);
        density += weight * rho;
        internal += weight * e;
        for (int a = 0; a < 3; ++a) u[fields.momentum(a)] += weight * rho * q.velocity[a];
        u[fields.energy()] += weight * (e + rho * dot(q.velocity, q.velocity) / 2);
        circulation += weight * cross(d, q.velocity);
      }
    }
  }
  u[fields.entropy()] = eos.entropy_tracer(density, internal, eos.hydrogen(u, 1));
  for (int a = 0; a < 3; ++a) u[fields.spin(a)] = density * circulation[a];
}

void sample_leaf(const problem& p, const gas_at& f, const step::simulation& s, int leaf, double* u) {
  std::array<double, max_species + 8> cell_values;
  const double h = s.tree().cell_width(leaf);
  for (int k = 0; k < mesh::N; ++k) {
    for (int j = 0; j < mesh::N; ++j) {
      for (int i = 0; i < mesh::N; ++i) {
        const core::vec3d centre = s.tree().centre(leaf, i, j, k);
        cell_average(f, s.fields(), s.eos(), centre, h, p.subcells(centre, h), cell_values.data());
        for (int n = 0; n < s.fields().evolved(); ++n) {
          u[n * mesh::cells + mesh::cell(i, j, k)] = cell_values[static_cast<std::size_t>(n)];
        }
      }
    }
  }
}

}  // namespace rednova::problem
