// The fastest signals of blocks on a device: a team of threads works on a block.
#pragma once

#include "exec/team.hpp"
#include "hydro/signal_speed.hpp"

namespace rednova::hydro {

/// Writes largest_signal_speed / h of each block. A team has Threads threads; the largest of numbers does not depend on
/// the order in which they are compared. What is no number may be lost: sums over the cells show it.
template <int Threads>
struct team_signal {
  static constexpr int threads = Threads;
  static constexpr int teams_at_once = 1;
  static constexpr int memory = Threads;  ///< doubles that a team shares
  static_assert((Threads & (Threads - 1)) == 0, "halved until one is left");

  mesh::field_numbers fields;
  eos::ideal_gas eos;
  double share;            ///< config::hydro::dual_energy_pressure
  double rotation;         ///< angular velocity of the grid about z
  const signal_input* in;  ///< [block]
  double* rate;            ///< [block]

  REDNOVA_TEAM_FN void operator()(const exec::team& team, int block) const {
    const signal_input& from = in[block];
    double fastest = 0.0;
    for (int c = team.thread(); c < mesh::cells; c += threads) {
      const double grid_x = grid_velocity(0, rotation, centre(from.corner.y, from.h, c / mesh::N % mesh::N));
      const double grid_y = grid_velocity(1, rotation, centre(from.corner.x, from.h, c % mesh::N));
      fastest =
          exec::max(fastest, cell_signal_speed<double>(from.u + c, mesh::cells, grid_x, grid_y, fields, share, eos));
    }
    team.memory[team.thread()] = fastest;
    for (int half = threads / 2; half > 0; half /= 2) {
      team.sync();
      if (team.thread() < half) {
        double& own = team.memory[team.thread()];
        own = exec::max(own, team.memory[team.thread() + half]);
      }
    }
    if (team.thread() == 0) rate[block] = team.memory[0] / from.h;
  }
};

}  // namespace rednova::hydro
