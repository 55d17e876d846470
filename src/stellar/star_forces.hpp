// The net force on each star of a model, and the angular velocity that balances it.
#pragma once

#include <array>

#include "exec/for_each.hpp"
#include "mesh/block_data.hpp"
#include "stellar/model.hpp"

namespace rednova::stellar {

/// Sums over each star's cells. By Newton's third law, which gravity obeys to rounding, gravity[0] = -gravity[1].
struct star_forces {
  std::array<double, 2> mass{};     ///< M
  std::array<double, 2> moment{};   ///< M x of the mass centre
  std::array<double, 2> gravity{};  ///< x component of the sum of m g
  double neck = 0;                  ///< integral of the pressure over the faces between the two stars

  /// x component of gravity and pressure: the neck pushes the stars apart.
  double net(std::size_t star) const { return gravity[star] + (star == 0 ? -neck : neck); }
  /// The Omega² with which a star would keep its distance from the axis, M Omega² x = -net.
  double omega2(std::size_t star) const { return -net(star) / moment[star]; }
  /// The same for the relative motion of the two.
  double omega2() const { return (net(0) - net(1)) / (moment[1] - moment[0]); }
};

/// Forces on the two stars of a model along the line of their centres. The pressure acts on the faces between cells of
/// the one and of the other, and is the mean of the two cells'; elsewhere their surfaces border on an atmosphere
/// without weight. gravity: gravity::result_field, of the model's density.
star_forces forces_on_stars(exec::context& context, const model& m, const mesh::block_data& gravity);

}  // namespace rednova::stellar
