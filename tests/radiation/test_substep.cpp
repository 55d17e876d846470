// A cell's part of a substep after transport that leaves far more flux than there is light.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "radiation/substep_cells.hpp"

namespace {

using namespace rednova;
using core::vec3d;

/// A cell alone, c = 1. Arrays are as wide as a block, of which the first cell is looked at.
class one_cell {
 public:
  one_cell(const radiation::light<double>& of, const radiation::gas_of_cell<double>& gas, double absorbed, double x) {
    at(light_, 0) = of.energy;
    at(gas_, radiation::gas_density) = gas.density;
    at(gas_, radiation::gas_heat) = gas.heat;
    for (int d = 0; d < 3; ++d) {
      at(light_, radiation::moment::flux(d)) = of.flux[d];
      at(gas_, radiation::gas_momentum + d) = gas.momentum[d];
    }
    at(couple_, radiation::couple_planck) = at(couple_, radiation::couple_flux) = absorbed * x / dt;
    at(couple_, radiation::couple_speed) = 1 / x;
    radiation::scheme by;
    by.k = {1, 1};
    by.energy_floor = 1e-30;
    const radiation::substep_cells cells{.by = by,
                                         .stage = 1,
                                         .dt = 2 * dt,
                                         .moments_now = light_.data(),
                                         .start = start_of(of, gas),
                                         .gas = gas_.data(),
                                         .couple = couple_.data(),
                                         .rate = rate_.data()};
    const auto added =
        cells.cells<double>(0, [&](double rho, double) { return radiation::heat_of_power<double>{1e-6 * rho}; });
    cut_ = added.momentum;
  }

  double heat() { return at(gas_, radiation::gas_heat); }
  vec3d momentum() { return three(gas_, radiation::gas_momentum); }
  vec3d flux() { return three(light_, radiation::moment::flux(0)); }
  double light() { return at(light_, 0); }
  vec3d cut() { return cut_; }

 private:
  static constexpr double dt = 0.1;
  using block = std::array<double, static_cast<std::size_t>(8 * mesh::cells)>;

  static double& at(block& of, int field) { return of[static_cast<std::size_t>(field * mesh::cells)]; }
  static vec3d three(block& of, int first) { return {at(of, first), at(of, first + 1), at(of, first + 2)}; }
  /// The state before: the same, so that the mean of the two is that.
  double* start_of(const radiation::light<double>& of, const radiation::gas_of_cell<double>& gas) {
    at(start_, radiation::moment::energy) = of.energy;
    at(start_, radiation::start_heat) = gas.heat;
    for (int d = 0; d < 3; ++d) {
      at(start_, radiation::moment::flux(d)) = of.flux[d];
      at(start_, radiation::start_momentum + d) = gas.momentum[d];
    }
    return start_.data();
  }

  block light_{}, start_{}, gas_{}, couple_{}, rate_{};
  vec3d cut_;
};

TEST(substep, light_without_energy_moves_gas_by_no_more_than_there_is) {
  // Dark cells beside bright ones: F is up to 1e6 times cE. The slower light is, the more momentum it has.
  for (const double absorbed : {1e-9, 1e-3, 0.3, 3.0, 1e3}) {
    for (const double x : {1.0, 30.0}) {
      for (const double beyond : {1.0, 1e3, 1e6}) {
        const radiation::light<double> of{1e-6, (1e-6 * beyond) * vec3d{0.6, 0, -0.8}};
        const radiation::gas_of_cell<double> gas{1e-2, {1e-6, 2e-6, 3e-6}, 1e-9};
        one_cell cell(of, gas, absorbed, x);
        SCOPED_TRACE(testing::Message() << "absorbed " << absorbed << ", X " << x << ", F/cE " << beyond);
        EXPECT_GT(cell.heat(), 0);
        // The exchange limits F by the energy of its second round, where motion takes half of it at once.
        EXPECT_LE(radiation::length_of(cell.flux()), cell.light() * (1 + 5e-3));
        const auto kinetic = [&](const vec3d& s) { return 0.5 * dot(s, s) / gas.density; };
        const double energy = x * of.energy + gas.heat + kinetic(gas.momentum);
        EXPECT_NEAR(x * cell.light() + cell.heat() + kinetic(cell.momentum()), energy, 1e-14 * energy);
        const vec3d lost = (gas.momentum - cell.momentum()) + x * (of.flux - cell.flux()) + cell.cut();
        EXPECT_LT(radiation::length_of(lost), 1e-14 * x * radiation::length_of(of.flux));
        if (beyond == 1) {
          EXPECT_EQ(radiation::length_of(cell.cut()), 0);  // it is light
        }
      }
    }
  }
}

}  // namespace
