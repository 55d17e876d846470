// A row of blocks of gas and light between fixed boundaries, or around a ring.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "radiation/scheme.hpp"
#include "step/simulation.hpp"
#include "step/step.hpp"
#include "step/stepper.hpp"

namespace rednova::test {

struct lit_place {
  double density, velocity, heat, energy, flux;
};

/// Units with a = 1. Cells of x = 0 to 1, and beyond both ends half a block that keeps its state; around a ring there
/// is none.
class row_of_blocks {
 public:
  enum class ends { fixed, ring };
  enum class mesh_of { one_level, finer_middle };  ///< finer from x = 1/4 to 3/4

  static config::parameters parameters(int blocks, ends kind = ends::fixed) {
    const bool fixed = kind == ends::fixed;
    config::parameters p;
    p.mesh.base_width = 1.0 / blocks;
    p.mesh.base_blocks = {fixed ? blocks + 1 : blocks, 1, 1};
    p.mesh.lower = {fixed ? -0.5 * p.mesh.base_width : 0, 0, 0};
    p.mesh.min_level = 0;
    p.mesh.max_level = 1;
    p.mesh.boundaries.fill(config::boundary::periodic);
    if (fixed) p.mesh.boundaries[0] = p.mesh.boundaries[1] = config::boundary::fixed;
    p.radiation.enabled = true;
    p.radiation.radiation_constant = 1;
    p.radiation.gas_constant = 1;
    p.radiation.mean_weight = 1;
    p.hydro.density_contrast = 100;
    return p;
  }

  row_of_blocks(const config::parameters& p, const std::function<lit_place(double)>& at,
                mesh_of levels = mesh_of::one_level)
      : s(p, context_) {
    if (levels == mesh_of::finer_middle) refine_middle();
    each([&](int leaf, int c, double x) { set_gas(leaf, c, at(x)); });
    step::prepare(s);
    each([&](int leaf, int c, double x) { set_light(leaf, c, at(x)); });
    s.stepper().derive();
  }

  void advance(double dt_max = 1e9) { step::advance(s, dt_max); }
  /// To a time, and no further.
  void advance_to(double time) {
    while (s.time() < time * (1 - 1e-14)) advance(time - s.time());
  }

  /// body(leaf, cell, x) for the cells between 0 and 1 nearest to the axis, from lower x on.
  template <class Body>
  void along(const Body& body) const {
    each([&](int leaf, int c, double x) {
      const core::vec3d corner = s.tree().corner(leaf), lower = s.tree().box().lower;
      if (c < mesh::N && x > 0 && x < 1 && corner.y == lower.y && corner.z == lower.z) body(leaf, c, x);
    });
  }
  double width(int leaf) const { return s.tree().cell_width(leaf); }
  double density(int leaf, int c) const { return s.u().at(leaf, 0)[c]; }
  double velocity(int leaf, int c) const { return s.u().at(leaf, s.fields().momentum(0))[c] / density(leaf, c); }
  double heat(int leaf, int c) const {
    const double v = velocity(leaf, c);
    return s.u().at(leaf, s.fields().energy())[c] - 0.5 * density(leaf, c) * v * v;
  }
  double energy(int leaf, int c) const {
    return s.light().at(leaf, radiation::field::energy)[c] * s.light().at(leaf, radiation::field::speed)[c] /
           s.par().radiation.light_speed;
  }

 private:
  void refine_middle() {
    std::vector<int> flags;
    for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
      const double x = s.tree().corner(leaf).x + 0.5 * mesh::N * s.tree().cell_width(leaf);
      flags.push_back(x > 0.25 && x < 0.75 ? 1 : 0);
    }
    s.adopt(mesh::tree(s.tree().box(), s.tree().adapted(flags)));
  }
  template <class Body>
  void each(const Body& body) const {
    for (int leaf = 0; leaf < s.tree().leaves(); ++leaf)
      for (int c = 0; c < mesh::cells; ++c) body(leaf, c, s.tree().centre(leaf, c % mesh::N, 0, 0).x);
  }
  void set_gas(int leaf, int c, const lit_place& is) {
    const mesh::fields& f = s.fields();
    s.u().at(leaf, 0)[c] = is.density;
    for (int d = 0; d < 3; ++d) s.u().at(leaf, f.momentum(d))[c] = d == 0 ? is.density * is.velocity : 0;
    s.u().at(leaf, f.energy())[c] = is.heat + 0.5 * is.density * is.velocity * is.velocity;
    s.u().at(leaf, f.entropy())[c] = s.eos().entropy_tracer(is.density, is.heat, 0);
    for (int d = 0; d < 3; ++d) s.u().at(leaf, f.spin(d))[c] = 0;
  }
  void set_light(int leaf, int c, const lit_place& is) {
    const double c_light = s.par().radiation.light_speed, speed = s.light().at(leaf, radiation::field::speed)[c];
    s.light().at(leaf, radiation::field::energy)[c] = is.energy * c_light / speed;
    for (int d = 0; d < 3; ++d)
      s.light().at(leaf, radiation::field::momentum(d))[c] = d == 0 ? is.flux / (c_light * speed) : 0;
  }

  exec::context context_{1};

 public:
  step::simulation s;
};

}  // namespace rednova::test
