// An asymmetric cloud that collapses and turns, with shocks: every conserved quantity has something to lose.
#pragma once

#include <cmath>

#include "step/simulation.hpp"
#include "step/step.hpp"

namespace rednova::step {

struct choices {
  double rotation = 0;
  bool gravity = false;
  config::reconstruction reconstruct = config::reconstruction::ppm;
  config::riemann_solver riemann = config::riemann_solver::hllc;
  config::integrator scheme = config::integrator::rk3;
  bool spin = true;
  int max_level = 3;
  int order = 3;  ///< of gravity
  config::gas_model gas = config::gas_model::ideal;
  std::vector<double> hydrogen{0.7};  ///< of the gas of stars, by species
  bool driven = false;                ///< the species are two stars, whose orbit is driven
  bool points = false;                ///< two point masses of about the cloud's mass each, in its midst
  bool lit = false;                   ///< light crosses thin gas and is trapped in the blobs
};

inline config::parameters collapse_parameters(const choices& c) {
  config::parameters p;
  p.mesh.rotation = c.rotation;
  p.mesh.min_level = 1;
  p.mesh.max_level = c.max_level;
  p.refine.density = 2;
  p.hydro.species = {"core", "envelope"};
  if (c.driven) {
    p.hydro.species = {"accretor", "donor"};
    p.driving.rate = 0.3;
  }
  p.hydro.reconstruct = c.reconstruct;
  p.hydro.riemann = c.riemann;
  p.hydro.time_integrator = c.scheme;
  p.hydro.spin = c.spin;
  p.gravity.enabled = c.gravity;
  p.gravity.order = c.order;
  p.gravity.near_radius_squared = 6;
  p.eos.model = c.gas;
  p.eos.hydrogen = c.hydrogen;
  if (c.points) {
    p.point_masses.mass = {0.012, 0.007};
    p.point_masses.softening = {0.12, 0.08};
    p.point_masses.position = {0.1, 0.03, 0.02, -0.13, -0.02, -0.05};
    p.point_masses.velocity = {-0.05, 0.2, 0.03, 0.1, -0.3, 0.02};
    p.point_masses.cells = 0;  // the mesh follows the gas
  }
  if (c.lit) {
    p.radiation.enabled = true;
    p.radiation.substeps = 16;
    if (c.gas == config::gas_model::ideal) {
      // The hot layer has a temperature of 30: light has as much energy there as the gas, and blocks take all substeps.
      // Elsewhere coarser ones take fewer.
      p.radiation.light_speed = 30;
      p.radiation.radiation_constant = 1e-6;
      p.radiation.gas_constant = p.radiation.mean_weight = 1;
      p.radiation.absorption = 30;
      p.radiation.extinction = 60;
    } else {
      p.radiation.opacity = config::opacity_law::analytic;
      p.eos.radiation = false;
    }
  }
  // In these units densities of 1 to 10 have degenerate pressures of 0.005 to 0.2, as much as the thermal ones. Gas of
  // stars has 1e6 K there, and 3e7 K with much radiation in the thin medium.
  if (c.gas != config::gas_model::ideal) p.units.system = config::unit_system::solar;
  return p;
}

/// Two unequal blobs off the axis that turn and meet in a thin medium, pressed by a hot layer.
inline void fill_collapse(simulation& s) {
  const mesh::fields& f = s.fields();
  for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
    const double h = s.tree().cell_width(leaf);
    for (int c = 0; c < mesh::cells; ++c) {
      const core::vec3d x = s.tree().centre(leaf, c % mesh::N, c / mesh::N % mesh::N, c / mesh::N / mesh::N);
      const core::vec3d a = x - core::vec3d{0.13, 0.04, -0.03}, b = x - core::vec3d{-0.11, -0.06, 0.05};
      const double blob = 6 * std::exp(-dot(a, a) / 0.004), other = 3 * std::exp(-dot(b, b) / 0.002);
      const double rho = 0.01 + blob + other, omega = 1.5;
      core::vec3d v{-omega * x.y - 2 * x.x, omega * x.x - 2 * x.y, -1.5 * x.z + 0.3};
      s.u().at(leaf, 0)[c] = 0.005 + blob;
      s.u().at(leaf, 1)[c] = 0.005 + other;
      const double hydrogen = s.eos().hydrogen(s.u().at(leaf) + c, mesh::cells);
      const double cold = s.eos().pressure(rho, s.eos().energy_of_heat(rho, 0, hydrogen), hydrogen);
      const double pressure = cold + 0.02 * rho + (x.z > 0.2 ? 0.3 : 0.01);
      for (int d = 0; d < 3; ++d) s.u().at(leaf, f.momentum(d))[c] = rho * v[d];
      const double e = s.eos().energy_of_pressure(rho, pressure, hydrogen);
      s.u().at(leaf, f.energy())[c] = e + 0.5 * rho * dot(v, v);
      s.u().at(leaf, f.entropy())[c] = s.eos().entropy_tracer(rho, e, hydrogen);
      if (s.par().hydro.spin) s.u().at(leaf, f.spin(2))[c] = rho * h * h / 12 * 2 * omega;
    }
  }
}

/// From the next adapt() on.
inline void refine_above(simulation& s, double density) {
  config::parameters p = s.par();
  p.refine.density = density;
  s.set_parameters(p);
}

/// On a mesh that has been refined until the criteria are met.
inline void start_collapse(simulation& s) {
  for (int round = 0; round < 6; ++round) {
    fill_collapse(s);
    prepare(s);
    if (!adapt(s)) break;
    s.stepper().fetch();
  }
  fill_collapse(s);
  s.begin(s.rotation());
  prepare(s);
}

}  // namespace rednova::step
