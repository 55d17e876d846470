#include "gravity/cuda/kernels_of.hpp"

#include "gravity/lattice.hpp"
#include "gravity/stencil.hpp"

namespace rednova::gravity::cuda {

interaction_kernels<near_field, far_field> kernels_of(const exec::cuda::context& context, const config::gravity& par,
                                                      const mesh::tree& tree) {
  const int near2 = par.near_radius_squared;
  const operators ops(par.order);
  const auto far = [&](place at) {
    return far_field(context, ops, stencil(par.order, near2, pairs::far, at, basis_size(par.order)));
  };
  const double more = par.cell_mass == config::cell_mass::smooth ? face_attraction : 0;
  const place at = tree.size() == 1 ? place::root : place::inner;
  return {near_field(context, stencil(1, near2, pairs::near, at, 1, more)), far(place::inner), far(place::root)};
}

}  // namespace rednova::gravity::cuda
