// Light before fixed boundaries of the domain.
#include "exchange/fixed_cells.hpp"

#include "radiation/solver.hpp"
#include "radiation/substep_cells.hpp"

namespace rednova::radiation {

namespace {

/// body(cell, face of the boundary to which it belongs)
template <class Body>
void for_fixed_cells(unsigned fixed, const Body& body) {
  for (int cell = 0; cell < mesh::cells; ++cell) {
    const int face = exchange::fixed_face(fixed, cell);
    if (face >= 0) body(cell, face);
  }
}

}  // namespace

/// energy, momentum and spin: by volume
void solver::book_fixed(int leaf, int cell, int face, double energy, core::vec3d momentum, core::vec3d spin) {
  const double h = tree_.cell_width(leaf), volume = h * h * h;
  const core::vec3d turn = cross(mesh::view(tree_).centre(leaf, cell), momentum) + spin;
  double* const to = outflow_.data() + place_of_outflow(leaf, face);
  to[0] += volume * energy;
  for (int d = 0; d < 3; ++d) {
    to[1 + d] += volume * momentum[d];
    to[4 + d] += volume * turn[d];
  }
}

/// Elsewhere U and Q stay when the speed of light changes; here E and F do.
void solver::take_fixed(const mesh::block_data& light, int leaf) {
  const double c = by_.k.speed;
  for_fixed_cells(fixed_[own(leaf)], [&](int cell, int face) {
    const double before = light.at(leaf, field::speed)[cell], now = couple_.at(leaf, couple_speed)[cell];
    const double energy = light.at(leaf, field::energy)[cell];
    work_.at(leaf, moment::energy)[cell] = energy * (before / c);
    core::vec3d momentum;
    for (int d = 0; d < 3; ++d) {
      momentum[d] = light.at(leaf, field::momentum(d))[cell];
      work_.at(leaf, moment::flux(d))[cell] = momentum[d] * (before * c);
    }
    const double gone = 1 - before / now;
    book_fixed(leaf, cell, face, gone * energy, gone * momentum, {});
  });
}

/// A substep ends as the mean of what its first stage makes and what its second does with that, so that the first
/// counts by a half.
void solver::keep_fixed(int leaf, const gas_rules& gas, int stage) {
  const double c = by_.k.speed, weight = stage == 0 ? 0.5 : 1;
  for_fixed_cells(fixed_[own(leaf)], [&](int cell, int face) {
    const double speed = couple_.at(leaf, couple_speed)[cell], rho = gas_.at(leaf, gas_density)[cell];
    const auto put_back = [&](mesh::block_data& of, int number, int from) {
      double& value = of.at(leaf, number)[cell];
      const double before = start_.at(leaf, from)[cell], change = value - before;
      value = before;
      return change;
    };
    double energy = put_back(work_, moment::energy, moment::energy) * (c / speed);
    core::vec3d momentum, spin;
    for (int d = 0; d < 3; ++d) {
      const double after = gas_.at(leaf, gas_momentum + d)[cell];
      const double change = put_back(gas_, gas_momentum + d, start_momentum + d), now = after - change;
      energy += 0.5 * change * (after + now) / rho;
      momentum[d] = change + put_back(work_, moment::flux(d), moment::flux(d)) / (c * speed);
      work_.at(leaf, exchanged::velocity(d))[cell] = now / rho;
      double& torque = torque_.at(leaf, d)[cell];  // with the stage's weight
      if (gas.spin) spin[d] = torque;
      torque = 0;
    }
    energy += put_back(gas_, gas_heat, start_heat);
    book_fixed(leaf, cell, face, weight * energy, weight * momentum, spin);
  });
}

}  // namespace rednova::radiation
