// The hydrodynamic update of one block: from conserved fields with ghost layers to their rate of change.
#pragma once

#include <cstdint>

#include "config/parameters.hpp"
#include "core/vec3.hpp"
#include "eos/gas.hpp"
#include "exec/array.hpp"
#include "hydro/spin_exchange.hpp"
#include "mesh/block.hpp"
#include "mesh/fields.hpp"

namespace rednova::hydro {

/// What the update of a block reads.
struct block_input {
  const double* u = nullptr;  ///< conserved fields with ghost layers: [field][ghosted cell], mesh::ghosted()
  core::vec3d corner;         ///< lower corner of the block (without ghosts)
  double h = 0;               ///< cell width
  double rotation = 0;        ///< angular velocity of the grid about z
  unsigned finer_faces = 0;   ///< bit mesh::face(d, upper): the neighbour there is finer and supplies the fluxes;
                              ///< this block's own count as zero on that face
  const std::uint8_t* first_order = nullptr;  ///< [ghosted cell] or null: faces of cells flagged 1 take the
                                              ///< first-order flux
};

/// What it writes. Pointers that are null are not written.
struct block_output {
  double* rate = nullptr;  ///< [field][cell]: d(field)/dt by fluxes alone, gravity_stress among them. No rotation
                           ///< and no gravity source.
  double* outer_flux[mesh::faces] = {};  ///< [field][N*N] per face of the block: flux per area and time in the
                                         ///< +direction. That of spin is F_l, about the face's own centre: what F_s
                                         ///< exerts about the cell's centre is not in it. Index a + N*b, (a, b) =
                                         ///< (y,z), (x,z), (x,y) for faces in x, y, z
  double* mass_flux = nullptr;           ///< [direction][(N+1)*N*N]: mass flux density through every face. Index
                                         ///< f + (N+1)*(a + N*b), f the face along the direction, (a, b) as above
};

/// Scratch memory of one thread.
struct block_scratch {
  exec::array<double> memory;
};

/// The scheme of config::hydro on one block.
class block_update {
 public:
  block_update(const config::hydro& par, const mesh::fields& fields, eos::gas eos);
  void operator()(const block_input& in, const block_output& out, const stage_spin_exchange& exchange,
                  block_scratch& scratch) const;
  /// Largest (|u_d| + c) over a block's cells and directions, u relative to the rotating grid.
  /// u: conserved fields of a block without ghosts, [field][cell].
  double signal_speed(const double* u, core::vec3d corner, double h, double rotation) const;

 private:
  config::hydro par_;
  mesh::fields fields_;
  eos::gas eos_;
};

}  // namespace rednova::hydro
