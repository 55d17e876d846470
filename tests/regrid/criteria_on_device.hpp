// The criteria with the gas looked at by the kernels of a device against the processor's own, on any place.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "exchange/restrict.hpp"
#include "exec/on_space.hpp"
#include "mesh/tree_there.hpp"
#include "regrid/device_criteria.hpp"

namespace rednova::regrid::test {

using core::vec3d;
using mesh::N;

inline const std::vector<std::string> species{"donor_core", "rest", "accretor_core"};

/// Two stars with cores and a stream that is cold and fast, on a mesh of more blocks than are looked at together.
struct two_stars {
  mesh::tree tree = refined();
  mesh::fields fields{species};
  mesh::block_data u{tree.size(), fields.size()};
  mesh::block_data gravity{tree.leaves(), gravity::result_fields};
  exec::context context{2};
  eos::ideal_gas eos{5.0 / 3.0};

  static mesh::tree refined() {
    const mesh::domain box{.lower = {-1, -0.5, -0.5}, .base = {2, 1, 1}, .periodic = {false, false, true}};
    mesh::tree t = mesh::tree::uniform(box, 2);
    std::mt19937 random(11);
    for (int round = 0; round < 3; ++round) {
      std::vector<int> flags;
      for (int n = 0; n < t.leaves(); ++n) flags.push_back(random() % 8 == 0 ? 1 : 0);
      t = mesh::tree(box, t.adapted(flags));
    }
    return t;
  }

  two_stars() {
    const auto star = [](vec3d x, double at, double width) {
      x.x -= at;
      return std::exp(-dot(x, x) / (width * width));
    };
    for (int n = 0; n < tree.leaves(); ++n) {
      for (int c = 0; c < mesh::cells; ++c) {
        const vec3d x = tree.centre(n, c % N, c / N % N, c / N / N);
        const auto at = [&](int field) -> double& { return u.at(n, field)[c]; };
        at(0) = star(x, -0.45, 0.2);
        at(1) = 0.3 * star(x, -0.45, 0.4) + 0.2 * star(x, 0.5, 0.3) + 1e-6;
        at(2) = 2 * star(x, 0.5, 0.1);
        const double rho = at(0) + at(1) + at(2), speed = 0.3 + 3 * star(x, 0, 0.3);
        at(fields.momentum(0)) = rho * speed;
        at(fields.momentum(1)) = 0.1 * rho * x.x;
        const double heat = 0.02 * std::pow(rho, 5.0 / 3.0);
        at(fields.entropy()) = eos.tracer_of_heat(heat);
        at(fields.energy()) = heat + 0.5 * rho * (speed * speed + 0.01 * x.x * x.x);
        gravity.at(n, gravity::potential)[c] = -0.05 / (0.1 + dot(x, x));
      }
    }
    exchange::restrict_all(context, tree, fields, u);
  }
};

struct setting {
  const char* name;
  config::refine rules;
};

inline const two_stars& gas() {
  static const two_stars all;
  return all;
}

inline std::vector<setting> settings() {
  config::refine density, cores, region, gradient, pressure, heights, unbound, all;
  density.density = 0.4;
  cores.density = 0.2;
  cores.accretor_core_levels = 1;
  cores.donor_core_levels = 2;
  region.region_lower = {-0.3, -0.2, -0.1};
  region.region_upper = {0.4, 0.3, 0.5};
  region.region_level = 4;
  gradient.gradient_field = "density";
  gradient.gradient = 0.15;
  gradient.gradient_max_level = 5;
  pressure = gradient;
  pressure.gradient_field = "pressure";
  pressure.gradient = 0.6;
  pressure.hysteresis = 0.8;
  heights.cells_per_scale_height = 2;
  heights.scale_height_density = 0.02;
  unbound.unbound_level = 4;
  unbound.unbound_density = 0.01;
  all = cores;
  all.unbound_level = 3;
  all.unbound_density = 0.1;
  all.cells_per_scale_height = 1;
  all.gradient_field = "pressure";
  all.gradient = 0.5;
  all.gradient_max_level = 3;
  all.region_lower = region.region_lower;
  all.region_upper = {0, 0, 0};
  all.region_level = 3;
  return {{"density", density},   {"cores", cores},     {"region", region},   {"gradient", gradient},
          {"pressure", pressure}, {"heights", heights}, {"unbound", unbound}, {"all_together", all}};
}

template <class Opened>
class device_criteria_on : public exec::test::space_test<Opened> {
 protected:
  void compare(const config::refine& rules) const {
    const two_stars& g = gas();
    exec::context context(1);
    config::mesh m;
    m.min_level = 1;
    m.max_level = 6;
    m.boundaries = {config::boundary::outflow, config::boundary::outflow,  config::boundary::reflecting,
                    config::boundary::outflow, config::boundary::periodic, config::boundary::periodic};
    const criteria by(m, rules, {.species = species});
    const exchange::ghosts ghosts(g.tree, g.fields, m.boundaries);
    const std::vector<int> expected = by.flags(context, g.tree, g.fields, g.eos, ghosts, g.u, mesh::view(g.gravity));

    using place = typename Opened::place;
    const mesh::test::tree_there<place> tree(this->here(), g.tree);
    const mesh::test::blocks_there<place> u(this->here(), g.u);
    const mesh::test::blocks_there<place> gravity(this->here(), g.gravity);
    const exchange::device_ghosts<place> around(this->here(), tree.view, g.fields, m.boundaries);
    const mesh::local_partition own(g.tree);
    const device_criteria<place> found(this->here(), by, g.tree, own, g.fields, g.eos, around);
    EXPECT_EQ(found.flags(u.view, gravity.view), expected);
    // There is something to be requested. The jumps are those between cells of blocks of 8³.
    if (mesh::N == 8) {
      for (const int flags : {-1, 0, 1}) EXPECT_GT(std::ranges::count(expected, flags), 5) << flags;
    }
    EXPECT_GT(g.tree.leaves(), 1024);
  }
};
TYPED_TEST_SUITE_P(device_criteria_on);

// A device's powers may differ in the last bits: none of the pressures here jumps by the threshold to these.
TYPED_TEST_P(device_criteria_on, flag_the_same) {
  for (const setting& s : settings()) {
    SCOPED_TRACE(s.name);
    this->compare(s.rules);
  }
}

REGISTER_TYPED_TEST_SUITE_P(device_criteria_on, flag_the_same);

}  // namespace rednova::regrid::test
