// The step across: what the sources around a block do to it, on one level.
#pragma once

#include <memory>

#include "gravity/neighbourhood.hpp"
#include "gravity/operators.hpp"

namespace rednova::gravity {

/// P2P: writes potential and gradient, in units m/h and m/h², of the point masses of a neighbourhood.
/// fields: a block of four numbers (layout.hpp).
void p2p(neighbourhood& from, const stencil& direct, double* fields);

/// The kernels of multipoles, for one order of expansion.
class far_kernels {
 public:
  virtual ~far_kernels() = default;

  /// M2L, and P2L where the sources are leaf cells: writes the expansions of a refined block's cells, and the torque
  /// that their top order exerts, with its sign turned: it goes to the spin.
  /// moments, expansions: blocks of basis_size(p) numbers; torque: of three.
  virtual void m2l(neighbourhood& from, const stencil& far, const double* moments, double* expansions,
                   double* torque) const = 0;

  /// M2P: adds potential and gradient at leaf cells of the multipoles of a neighbourhood.
  virtual void m2p(neighbourhood& from, const stencil& far, double* fields) const = 0;
};

/// The kernels for expansions up to order p = 3, 4 or 5. `by` must outlive them.
std::unique_ptr<far_kernels> make_far_kernels(const operators& by);

}  // namespace rednova::gravity
