// Light in the steps of a simulation, cell by cell: functors that cores call in loops (radiation_phase.cpp) and devices
// launch (device_radiation.hpp), a leaf's number each.
#pragma once

#include <cmath>

#include "mesh/view.hpp"
#include "radiation/face_flux.hpp"
#include "radiation/gas_place.hpp"
#include "step/rotation.hpp"

namespace rednova::step {

/// Gas and light of own leaves.
struct lit_gas {
  radiation::scheme by;
  radiation::gas_rules gas;
  mesh::tree_view tree;
  mesh::field_numbers fields;
  int first_leaf;  ///< of this rank
  mesh::block_view<double> u, light;

  REDNOVA_FN radiation::place_of_gas at(int leaf, int cell) const {
    return {u.at(leaf) + cell, mesh::cells, fields, gas};
  }
  REDNOVA_FN double depth(int leaf, const radiation::place_of_gas& at) const {
    return radiation::opacities_of(by, gas.eos, at).flux * tree.cell_width(leaf);
  }
};

/// For each cell: E and F of a run's start, in the places of U and Q. Where cells are opaque light is in equilibrium
/// with the gas and carried by it, where they are transparent there is none; or it is of a given temperature and at
/// rest. The gas of a model in balance cools until it and the light have the pressure that it had alone.
struct light_up_cells {
  lit_gas s;
  double given;  ///< temperature; 0: none
  bool shares_pressure;

  REDNOVA_FN void operator()(int, int leaf, int cell) const {
    namespace field = radiation::field;
    const radiation::place_of_gas at = s.at(leaf, cell);
    const double trapped = 1 - radiation::transport_share(s.depth(leaf, at));
    double e = at.energy;
    if (shares_pressure && given == 0) {
      e = shared(at, trapped);
      s.u.at(leaf, s.fields.energy())[cell] += e - at.energy;
      s.u.at(leaf, s.fields.entropy())[cell] = s.gas.eos.entropy_tracer(at.density, e, at.hydrogen);
    }
    const double energy = exec::max(given > 0 ? equilibrium(given) : of_light(at, e, trapped), s.by.energy_floor);
    s.light.at(leaf, field::energy)[cell] = energy;
    for (int d = 0; d < 3; ++d)
      s.light.at(leaf, field::momentum(d))[cell] = given > 0 ? 0 : 4.0 / 3 * energy * at.momentum[d] / at.density;
  }

  REDNOVA_FN double equilibrium(double t) const { return s.by.k.density * (t * t) * (t * t); }
  /// E of trapped light by gas of internal energy e.
  REDNOVA_FN double of_light(const radiation::place_of_gas& at, double e, double trapped) const {
    return trapped * equilibrium(radiation::temperature_of(s.by, s.gas.eos, at.density, e, at.hydrogen));
  }
  /// The internal energy of gas that has together with its light the pressure which gas alone has now.
  REDNOVA_FN double shared(const radiation::place_of_gas& at, double trapped) const {
    const double asked = s.gas.eos.pressure(at.density, at.energy, at.hydrogen);
    double cold = s.gas.eos.energy_of_heat(at.density, 0, at.hydrogen), hot = at.energy;
    for (int n = 0; n < 60 && cold < hot; ++n) {  // each halves what is left: to the last bit
      const double e = 0.5 * (cold + hot);
      const double both = s.gas.eos.pressure(at.density, e, at.hydrogen) + of_light(at, e, trapped) / 3;
      (both < asked ? cold : hot) = e;
    }
    return hot;
  }
};

/// Momentum and angular momentum of light that a turn of the grid does not turn: of a leaf's row of cells.
inline constexpr int numbers_of_turn = 6, rows_of_turn = mesh::N * mesh::N;

/// For each row: to the axes that the grid has at the end of the step, where the gas is already. What a turn of the
/// momentum lacks of that of the angular momentum about the axis goes to the spin of light, as the gas's own.
///
/// Of Q = X F/c² only F/c² is there in truth, and turns. If all did, beams would bend by Omega times the time that
/// reduced light takes to cross the grid. What the rest does not turn is booked with the floors.
struct turn_rows {
  lit_gas s;
  frame_rotation turn;
  double* lost;  ///< [own leaf][row][numbers_of_turn]

  REDNOVA_FN void operator()(int, int leaf, int row) const {
    namespace field = radiation::field;
    const double h = s.tree.cell_width(leaf), volume = h * h * h;
    core::vec3d of_row, moment_of_row;
    for (int cell = row * mesh::N; cell < (row + 1) * mesh::N; ++cell) {
      const double share = s.light.at(leaf, field::speed)[cell] / s.by.k.speed;
      const core::vec3d x = s.tree.centre(leaf, cell);
      core::vec3d all, spin;
      for (int d = 0; d < 3; ++d) {
        all[d] = s.light.at(leaf, field::momentum(d))[cell];
        spin[d] = s.light.at(leaf, field::spin(d))[cell];
      }
      core::vec3d real = share * all;
      const core::vec3d rest = all - real, moment = cross(x, rest);
      rotate_cell(turn, x, real, spin);
      of_row += volume * (rest - turn(rest));
      moment_of_row += volume * (moment - turn(moment));
      for (int d = 0; d < 3; ++d) {
        s.light.at(leaf, field::momentum(d))[cell] = rest[d] + real[d];
        if (s.gas.spin) s.light.at(leaf, field::spin(d))[cell] = spin[d];
      }
    }
    double* const to = lost + (static_cast<std::ptrdiff_t>(leaf - s.first_leaf) * rows_of_turn + row) * numbers_of_turn;
    for (int d = 0; d < 3; ++d) {
      to[d] = of_row[d];
      to[3 + d] = moment_of_row[d];
    }
  }
};
/// For each of numbers_of_turn: the sum of the rows.
struct add_turned_rows {
  const double* rows;
  double* lost;  ///< [own leaf][numbers_of_turn]
  int first_leaf;

  REDNOVA_FN void operator()(int, int leaf, int number) const {
    const std::ptrdiff_t own = leaf - first_leaf;
    double sum = 0;
    for (int row = 0; row < rows_of_turn; ++row) sum += rows[(own * rows_of_turn + row) * numbers_of_turn + number];
    lost[own * numbers_of_turn + number] = sum;
  }
};

/// For each cell: what trapped light adds to rho c_s² as gas and light are now, 4/9 (1 - w) E, w the share of
/// transport.
struct stiffness_cells {
  lit_gas s;
  mesh::block_view<double> stiffness;  ///< [1] of own leaves

  REDNOVA_FN void operator()(int, int leaf, int cell) const {
    namespace field = radiation::field;
    const double energy = s.light.at(leaf, field::energy)[cell] * s.light.at(leaf, field::speed)[cell] / s.by.k.speed;
    const double trapped = 1 - radiation::transport_share(s.depth(leaf, s.at(leaf, cell)));
    stiffness.at(leaf)[cell] = 4.0 / 9 * trapped * energy;
  }
};

}  // namespace rednova::step
