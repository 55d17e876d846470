#include "problem/sample.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "simulated.hpp"

namespace rednova::problem::test {
namespace {

const mesh::fields fields{std::vector<std::string>{"a", "b"}};
const eos::ideal_gas eos{1.4};

std::vector<double> average(const gas_at& f, core::vec3d centre, double h, int subcells) {
  std::vector<double> u(static_cast<std::size_t>(fields.size()));
  cell_average(f, fields, eos, centre, h, subcells, u.data());
  return u;
}

std::size_t at(int field) { return static_cast<std::size_t>(field); }

TEST(cell_average, uniform_gas) {
  gas g;
  g.density = {0.3, 0.7};
  g.velocity = {1, 2, -3};
  g.pressure = 0.4;
  const auto u = average([&](core::vec3d) { return g; }, {1, 2, 3}, 0.1, 1);
  EXPECT_NEAR(u[at(fields.species(0))], 0.3, 1e-15);
  EXPECT_NEAR(u[at(fields.species(1))], 0.7, 1e-15);
  EXPECT_NEAR(u[at(fields.momentum(2))], -3, 1e-14);
  EXPECT_NEAR(u[at(fields.energy())], 1 + 7, 1e-14);
  EXPECT_NEAR(u[at(fields.entropy())], 1, 1e-15);
  for (int d = 0; d < 3; ++d) EXPECT_NEAR(u[at(fields.spin(d))], 0, 1e-15);
}

/// l = (rho h²/12) curl v, which is rho h²/6 times the angular velocity of a rigid rotation.
TEST(cell_average, spin_of_a_rotation) {
  const core::vec3d omega{0.2, -0.5, 0.9};
  const auto spins = [&](int subcells) {
    return average(
        [&](core::vec3d x) {
          gas g;
          g.density[0] = 2;
          g.velocity = cross(omega, x);
          g.pressure = 1;
          return g;
        },
        {3, -1, 2}, 0.3, subcells);
  };
  for (const int subcells : {1, 3}) {
    const auto u = spins(subcells);
    for (int d = 0; d < 3; ++d) EXPECT_NEAR(u[at(fields.spin(d))], 2 * 0.09 / 6 * omega[d], 1e-15);
  }
}

/// Two Gauss points an axis: cubic polynomials are averaged exactly, others to fourth order.
TEST(cell_average, order) {
  const auto f = [](core::vec3d x) {
    gas g;
    g.density[0] = 2 + std::sin(x.x) * std::cos(x.y);
    g.pressure = 1;
    return g;
  };
  const auto error = [&](double h) {
    const double exact =
        2 + (std::cos(0.3 - h / 2) - std::cos(0.3 + h / 2)) / h * (std::sin(0.5 + h / 2) - std::sin(0.5 - h / 2)) / h;
    return std::fabs(average(f, {0.3, 0.5, 0}, h, 1)[0] - exact);
  };
  EXPECT_NEAR(std::log2(error(0.4) / error(0.2)), 4, 0.05);
}

TEST(initialize, refines_where_asked_and_balances) {
  exec::context context;
  const simulated run(context, "uniform_flow", {});
  const auto& s = *run.state;
  EXPECT_EQ(s.tree().max_level(), 3);
  EXPECT_EQ(s.tree()[s.tree().leaf_at({0.7, -0.7, 0.7})].level, 3);
  EXPECT_EQ(s.tree()[s.tree().leaf_at({-0.9, 0.9, -0.9})].level, 1);
}

TEST(initialize, star_has_its_mass) {
  exec::context context;
  const simulated run(context, "star_at_rest", {});
  // Gauss points see the surface's kink in density only through cells of relative mass 1e-5.
  EXPECT_NEAR(run.state->ledger().grid.species[0], 1, 1e-3);
}

TEST(registry, names_the_nearest) {
  exec::context context;
  try {
    const simulated run(context, config::input::from_text("[problem]\nname = \"sedof\"", "x.toml", {}));
    FAIL();
  } catch (const core::user_error& e) {
    EXPECT_NE(std::string(e.what()).find("sedov"), std::string::npos) << e.what();
  }
}

TEST(registry, every_problem_has_an_input) {
  for (const entry& row : registry()) {
    if (std::string(row.name) == "binary") continue;
    EXPECT_TRUE(std::filesystem::exists(problems / (std::string(row.name) + ".toml"))) << row.name;
  }
}

TEST(geometry, waves_must_fit_the_box) {
  exec::context context;
  EXPECT_THROW(simulated(context, "linear_wave", {"problem.wavelength=0.5"}), core::user_error);
  EXPECT_THROW(simulated(context, "sod", {"problem.normal=[1,1,0]"}), core::user_error);
  EXPECT_THROW(simulated(context, "sod", {"problem.normal=[0,0,0]"}), core::user_error);
}

}  // namespace
}  // namespace rednova::problem::test
