// The flow's part of the angular momentum: what stands in the ledger against sums and integrals made by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "step/collapse.hpp"
#include "step/cores.hpp"
#include "step/flow_cells.hpp"

namespace rednova::step {
namespace {

using core::vec3d;

/// One density, velocity and pressure everywhere.
void fill_stream(simulation& s, double rho, const vec3d& v, double pressure) {
  const double e = s.eos().energy_of_pressure(rho, pressure, 0);
  for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
    std::fill_n(s.u().at(leaf, 1), mesh::cells, rho);
    for (int d = 0; d < 3; ++d) std::fill_n(s.u().at(leaf, s.fields().momentum(d)), mesh::cells, rho * v[d]);
    std::fill_n(s.u().at(leaf, s.fields().energy()), mesh::cells, e + 0.5 * rho * dot(v, v));
    std::fill_n(s.u().at(leaf, s.fields().entropy()), mesh::cells, s.eos().ideal.tracer_of_heat(e));
  }
  prepare(s);
}

TEST(flow, is_the_angular_momentum_of_the_momenta_alone) {
  exec::context context(2);
  simulation s(collapse_parameters({.rotation = 1.7}), context);
  start_collapse(s);
  for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
    for (int c = 0; c < mesh::cells; ++c) s.u().at(leaf, s.fields().spin(0))[c] = 0.1 * std::sin(c + leaf);
  }
  prepare(s);
  vec3d momenta, spins;
  for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) {
    const double volume = std::pow(s.tree().cell_width(leaf), 3);
    const auto vector = [&](int field, int c) {
      return vec3d{s.u().at(leaf, field)[c], s.u().at(leaf, field + 1)[c], s.u().at(leaf, field + 2)[c]};
    };
    for (int c = 0; c < mesh::cells; ++c) {
      const vec3d x = s.tree().centre(leaf, c % mesh::N, c / mesh::N % mesh::N, c / mesh::N / mesh::N);
      momenta += volume * cross(x, vector(s.fields().momentum(), c));
      spins += volume * vector(s.fields().spin(), c);
    }
  }
  for (int d = 0; d < 3; ++d) {
    EXPECT_NEAR(s.ledger().grid.flow()[d], momenta[d], 1e-14);
    EXPECT_NEAR(s.ledger().grid.spin[d], spins[d], 1e-14);
  }
  EXPECT_GT(std::fabs(spins.z), 1e-6);
}

// The flux of momentum exerts x_f × F_s, the spin's own flux is the spin's.
TEST(flow, what_leaves_through_a_face_is_told_from_spin) {
  exec::context context(1);
  simulation s(collapse_parameters({}), context);
  const int leaf = s.tree().leaf_at({0.49, 0.1, 0.1}), face = mesh::face(0, 1);
  constexpr int values = mesh::N * mesh::N;
  std::vector<double> flux(static_cast<std::size_t>(s.fields().size() * values)), sum(30), row(30);
  const auto set = [&](int field, double value) { std::fill_n(flux.begin() + field * values, values, value); };
  const vec3d momentum{2, -3, 5}, spin{0.25, 0.5, 1};
  for (int d = 0; d < 3; ++d) {
    set(s.fields().momentum(d), momentum[d]);
    set(s.fields().spin(d), spin[d]);
  }
  for (int r = 0; r < rows_of_face; ++r) {
    face_sums(mesh::view(s.tree()), s.fields(), true, leaf, face, r, flux.data(), row.data());
    std::ranges::transform(sum, row, sum.begin(), std::plus());
  }
  const totals out(sum.data(), s.fields().species());
  const double width = s.tree().cell_width(leaf) * mesh::N;
  const vec3d middle = s.tree().corner(leaf) + width * vec3d{1, 0.5, 0.5};
  const vec3d torque = cross(middle, momentum);
  for (int d = 0; d < 3; ++d) {
    EXPECT_NEAR(out.flow()[d], width * width * torque[d], 1e-14);
    EXPECT_NEAR(out.spin[d], width * width * spin[d], 1e-15);
  }
}

// A stream through a box beside the origin: what it carries out of the sides is known, and the flow has no drift.
TEST(flow, of_a_uniform_stream_leaves_as_it_should) {
  const vec3d v{0.3, -0.2, 0.1};
  const double rho = 1.5, pressure = 0.7, dt = 0.01;
  exec::context context(1);
  config::parameters p = collapse_parameters({});
  p.mesh.lower = {0.25, -0.75, 0.5};
  p.mesh.boundaries.fill(config::boundary::zero_gradient);
  simulation s(p, context);
  fill_stream(s, rho, v, pressure);
  advance(s, dt);
  ASSERT_EQ(s.dt(), dt);
  const vec3d lower{p.mesh.lower[0], p.mesh.lower[1], p.mesh.lower[2]};
  for (int face = 0; face < mesh::faces; ++face) {
    const int d = face / 2;
    vec3d middle = lower + vec3d{0.5, 0.5, 0.5}, normal;
    normal[d] = face % 2 ? 1 : -1;
    middle[d] += 0.5 * normal[d];
    const vec3d flux = rho * dot(v, normal) * v + pressure * normal, torque = dt * cross(middle, flux);
    const totals& out = s.ledger().outflow[static_cast<std::size_t>(face)];
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(out.flow()[c], torque[c], 1e-15) << face << c;
  }
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(s.ledger().remainder().flow()[c], 0, 1e-14);
}

// Without spin what J loses is the flow's drift, with what adapting the mesh takes from the flow: the next step drops
// the spin of the new cells. With spin J is kept, and the drift is what the spin took.
TEST(flow, its_drift_is_the_loss_of_angular_momentum_without_spin) {
  for (const bool spin : {false, true}) {
    exec::context context;
    simulation s(collapse_parameters({.rotation = 1.7, .gravity = true, .spin = spin}), context);
    start_collapse(s);
    if (!spin) {  // what adapting the mesh has put there, and the first step would drop
      for (int leaf = 0; leaf < s.tree().leaves(); ++leaf)
        std::fill_n(s.u().at(leaf, s.fields().spin()), 3 * mesh::cells, 0.0);
      prepare(s);
    }
    for (int n = 0; n < 6; ++n) {
      if (n == 3) {
        refine_above(s, 0.7);
        EXPECT_TRUE(adapt(s));
      }
      advance(s, 1e9);
    }
    const totals r = s.ledger().remainder();
    const double scale = s.ledger().magnitude.angular_momentum.z;
    EXPECT_GT(std::fabs(r.flow().z), 1e-6 * scale) << "the flow of a collapse on few cells drifts";
    if (spin) {
      EXPECT_LT(std::fabs(r.angular_momentum.z), 1e-14 * scale);
      EXPECT_NEAR(r.flow().z, -r.spin.z, 1e-14 * scale);
      EXPECT_GT(std::fabs(s.ledger().regrid.spin.z), 0) << "cells of another size hold another spin";
    } else {
      EXPECT_EQ(s.ledger().grid.spin, vec3d());
      EXPECT_GT(std::fabs(s.ledger().regrid.flow().z), 1e-8 * scale);
      for (int d = 0; d < 3; ++d)
        EXPECT_NEAR(r.flow()[d] + s.ledger().regrid.flow()[d], r.angular_momentum[d], 1e-15 * scale);
    }
  }
}

// Potential -1, kinetic energy 0.5 and heat 0.35 or 0.6 per mass: the gas of half of the face's cells escapes by its
// heat, that of the other half by Bernoulli's criterion alone.
TEST(unbound, mass_through_a_face_by_the_cells_it_comes_out_of) {
  exec::context context(1);
  simulation s(collapse_parameters({.gravity = true}), context);
  fill_stream(s, 2, {1, 0, 0}, 0.5);
  const int leaf = s.tree().leaf_at({0.49, 0.1, 0.1}), face = mesh::face(0, 1);
  std::fill_n(s.gravity().at(leaf, gravity::potential), mesh::cells, -1.0);
  constexpr int N = mesh::N;
  for (int c = 0; c < mesh::cells; ++c) {
    const double heat = c / N % N < N / 2 ? 0.6 : 0.35;
    s.u().at(leaf, s.fields().energy())[c] = 2 * (0.5 + heat);
    s.u().at(leaf, s.fields().entropy())[c] = s.eos().ideal.tracer_of_heat(2 * heat);
  }
  std::vector<double> flux(static_cast<std::size_t>(s.fields().size() * N * N));
  std::fill_n(flux.begin(), 2 * N * N, 0.5);  // of both species
  const double area = std::pow(s.tree().cell_width(leaf) * N, 2);
  const auto through_face = [&] {
    hydro::unbound_masses all{}, row{};
    for (int r = 0; r < rows_of_face; ++r) {
      unbound_through_face(view(s, cores_of(s).work()), leaf, face, r, flux.data(), row.data());
      std::ranges::transform(all, row, all.begin(), std::plus());
    }
    return all;
  };
  hydro::unbound_masses out = through_face();
  EXPECT_NEAR(out[0], 0.5 * area, 1e-15);
  EXPECT_EQ(out[1], 0);
  EXPECT_NEAR(out[2], area, 1e-15);
  std::fill_n(flux.begin(), 2 * N * N, -0.5);
  out = through_face();
  EXPECT_NEAR(out[2], -area, 1e-15) << "what comes in counts against it";
}

// A stream too thin to hold itself is unbound by all criteria; between zero-gradient sides as much comes in as leaves,
// but for the side across which a wall stands.
TEST(unbound, all_that_a_thin_stream_loses_is_booked_so) {
  const vec3d v{0.6, 0, 0};
  exec::context context(1);
  config::parameters p = collapse_parameters({.gravity = true});
  p.mesh.boundaries.fill(config::boundary::zero_gradient);
  p.mesh.boundaries[0] = config::boundary::reflecting;
  simulation s(p, context);
  fill_stream(s, 1e-4, v, 1e-5);
  advance(s, 0.01);
  advance(s, 0.01);
  const double left = s.ledger().total_outflow().mass();
  EXPECT_NEAR(left, 1e-4 * v.x * 0.02, 1e-9);
  for (const double mass : s.ledger().unbound_outflow) EXPECT_NEAR(mass, left, 1e-18);
}

}  // namespace
}  // namespace rednova::step
