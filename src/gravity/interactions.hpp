// The interactions on a level: P2P, M2L, P2L and M2P from the blocks around a block. Devices have kernels of their own
// (thread_block_convolve.hpp, cuda/interactions.hpp).
#pragma once

#include <memory>

#include "gravity/neighbourhood.hpp"
#include "gravity/operators.hpp"

namespace rednova::gravity {

/// P2P: writes potential and gradient, in units m/h and m/h², of the point masses of a neighbourhood.
/// fields: a block of four numbers (layout.hpp).
void p2p(neighbourhood& from, const stencil& near, double* fields);

/// The kernels of multipoles, for one order of expansion.
class far_kernels {
 public:
  virtual ~far_kernels() = default;

  /// M2L, and P2L where the sources are leaf cells: writes the expansions of a refined block's cells, and minus the
  /// torque that their top order exerts, which is added to the spin.
  /// moments, expansions: blocks of basis_size(p) numbers; torque: of three.
  virtual void m2l(neighbourhood& from, const stencil& far, const double* moments, double* expansions,
                   double* torque) const = 0;

  /// M2P: adds the potential and gradient of a neighbourhood's multipoles at leaf cells.
  virtual void m2p(neighbourhood& from, const stencil& far, double* fields) const = 0;
};

/// The kernels for expansions up to order p = 3, 4 or 5. `ops` must outlive them.
std::unique_ptr<far_kernels> make_far_kernels(const operators& ops);

}  // namespace rednova::gravity
