// The processor as a place of device_solve: loops for the device's launches, its own M2L, M2P and P2P for
// the device's (test_thread_block_convolve.cpp compares those).
#pragma once

#include <memory>
#include <utility>

#include "exec/space.hpp"
#include "gravity/device_solve.hpp"
#include "gravity/interactions.hpp"

namespace rednova::gravity::test {

struct host_space : exec::host_space {
  /// The neighbourhood of a block in a list of sources.
  static neighbourhood gathered(const source_block* sources, int block, int numbers, const stencil& by) {
    std::array<source_block, mesh::sides> around;
    std::copy_n(sources + block * mesh::sides, mesh::sides, around.begin());
    neighbourhood from;
    from.gather(around, numbers, by.reach());
    return from;
  }

  class near_field {
   public:
    near_field(const host_space&, stencil near) : direct_(std::move(near)) {}
    void p2p(const host_space&, int blocks, const source_block* sources, double* fields) const {
      for (int b = 0; b < blocks; ++b) {
        neighbourhood from = gathered(sources, b, 1, direct_);
        gravity::p2p(from, direct_, block_array(fields, 4)[b]);
      }
    }

   private:
    stencil direct_;
  };

  class far_field {
   public:
    far_field(const host_space&, const operators& by, stencil far)
        : numbers_(basis_size(by.order)), far_(std::move(far)), kernels_(make_far_kernels(by)) {}
    int sums() const { return 1; }
    void m2l(const host_space&, int blocks, const source_block* sources, const double* moments, double*,
             double* expansions, double* torque) const {
      for (int b = 0; b < blocks; ++b) {
        neighbourhood from = gathered(sources, b, numbers_, far_);
        kernels_->m2l(from, far_, block_array(moments, numbers_)[b], block_array(expansions, numbers_)[b],
                      block_array(torque, 3)[b]);
      }
    }
    void m2p(const host_space&, int blocks, const source_block* sources, double* fields) const {
      for (int b = 0; b < blocks; ++b) {
        neighbourhood from = gathered(sources, b, numbers_, far_);
        kernels_->m2p(from, far_, block_array(fields, 4)[b]);
      }
    }

   private:
    int numbers_;
    stencil far_;
    std::unique_ptr<far_kernels> kernels_;
  };
};

/// The kernels of a solve; `by` must outlive them.
template <class Space>
typename device_solve<Space>::kernels kernels_of(const Space& here, const config::gravity& par, const mesh::tree& tree,
                                                 const operators& by) {
  const int near2 = par.near_radius_squared;
  const double more = par.cell_mass == config::cell_mass::smooth ? face_attraction : 0;
  const auto far = [&](place at) {
    return typename Space::far_field(here, by, stencil(par.order, near2, pairs::far, at, basis_size(par.order)));
  };
  const place at = tree.size() == 1 ? place::root : place::inner;
  return {typename Space::near_field(here, stencil(1, near2, pairs::near, at, 1, more)), far(place::inner),
          far(place::root)};
}

}  // namespace rednova::gravity::test
