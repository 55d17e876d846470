// What the transport of light in a run is made of, and what is kept of light in each cell.
#pragma once

#include "config/parameters.hpp"
#include "mesh/block.hpp"
#include "radiation/gas_exchange.hpp"
#include "radiation/opacity.hpp"
#include "radiation/opacity_view.hpp"

namespace rednova::radiation {

/// Fields of light by cell, [field][cell]: the conserved densities U = X E and Q = X F/c² with X = c/speed, the cell's
/// speed of light in the last step, and the angular momentum by volume about the cell's centre that light has and Q
/// does not show.
namespace field {
inline constexpr int energy = 0, speed = 4, count = 8;
constexpr int momentum(int d) { return 1 + d; }
constexpr int spin(int d) { return 5 + d; }
}  // namespace field

/// What transport and exchange work on: E and F.
namespace moment {
inline constexpr int energy = 0, count = 4;
constexpr int flux(int d) { return 1 + d; }
}  // namespace moment

/// What is exchanged with neighbours: after E and F the gas's velocity, which light changes, and its extinction, by
/// length.
namespace exchanged {
inline constexpr int velocities = moment::count, extinction = velocities + 3, count = extinction + 1;
constexpr int velocity(int d) { return velocities + d; }
}  // namespace exchanged

/// Plain data, in code units.
struct scheme {
  light_constants k{};
  int substeps = 16;
  double cfl = 0.2;  ///< of substeps of transport
  config::reconstruction edges = config::reconstruction::ppm;
  opacity opacities;
  opacity_view rosseland;  ///< where opacities are of tables
  opacity_view planck;     ///< empty: Rosseland's times planck_factor
  double planck_factor = 1;
  int heat_power = 1;        ///< of T in the gas's heat: 1, or 4, with which light and gas are a linear problem
  double heat_capacity = 1;  ///< of gas at constant volume, by mass: T = heat/(rho heat_capacity)
  double energy_floor = 0;   ///< smallest E
};

/// What an input asks for; of use where radiation is enabled.
scheme scheme_of(const config::parameters& par);

}  // namespace rednova::radiation
