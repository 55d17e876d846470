// The fastest signals of blocks on a device: a block of threads works on a block.
#pragma once

#include "exec/thread_block.hpp"
#include "hydro/signal_speed.hpp"

namespace rednova::hydro {

/// Writes largest_signal_speed / h of each block. A thread block has Threads threads; the largest of numbers does not
/// depend on the order in which they are compared. NaN may be lost here; the sums over the cells show it.
template <int Threads, class Eos>
struct thread_block_signal {
  static constexpr int threads = Threads;
  static constexpr int thread_blocks_at_once = 1;
  static constexpr int memory = Threads;  ///< doubles that a thread block shares
  static_assert((Threads & (Threads - 1)) == 0, "halved until one is left");

  mesh::field_numbers fields;
  Eos eos;
  double share;            ///< config::hydro::dual_energy_pressure
  double rotation;         ///< angular velocity of the grid about z
  const signal_input* in;  ///< [block]
  double* rate;            ///< [block]

  REDNOVA_THREAD_BLOCK_FN void operator()(const exec::thread_block& thread_block, int block) const {
    const signal_input& from = in[block];
    double fastest = 0.0;
    for (int c = thread_block.thread(); c < mesh::cells; c += threads) {
      const double grid_x = grid_velocity(0, rotation, centre(from.corner.y, from.h, c / mesh::N % mesh::N));
      const double grid_y = grid_velocity(1, rotation, centre(from.corner.x, from.h, c % mesh::N));
      fastest =
          exec::max(fastest, cell_signal_speed<double>(from.u + c, mesh::cells, grid_x, grid_y, fields, share, eos));
    }
    thread_block.memory[thread_block.thread()] = fastest;
    for (int half = threads / 2; half > 0; half /= 2) {
      thread_block.sync();
      if (thread_block.thread() < half) {
        double& own = thread_block.memory[thread_block.thread()];
        own = exec::max(own, thread_block.memory[thread_block.thread() + half]);
      }
    }
    if (thread_block.thread() == 0) rate[block] = thread_block.memory[0] / from.h;
  }
};

}  // namespace rednova::hydro
