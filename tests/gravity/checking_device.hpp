// The checking device (exec/checking_device.hpp) as one of device_solve: the processor's kernels for M2L, M2P and P2P,
// when the queue comes to them.
#pragma once

#include <memory>
#include <utility>

#include "exec/checking_device.hpp"
#include "gravity/host_space.hpp"

namespace rednova::gravity::test {

struct checking_space : exec::test::checking_space {
  class near_field {
   public:
    near_field(const checking_space&, stencil near)
        : by_(std::make_shared<host_space::near_field>(host_space{}, std::move(near))) {}
    void p2p(const checking_space& space, int blocks, const source_block* sources, double* fields) const {
      space.later([=, by = by_] { by->p2p({}, blocks, sources, fields); });
    }

   private:
    std::shared_ptr<const host_space::near_field> by_;
  };

  class far_field {
   public:
    far_field(const checking_space&, const operators& by, stencil far)
        : by_(std::make_shared<host_space::far_field>(host_space{}, by, std::move(far))) {}
    int sums() const { return by_->sums(); }
    void m2l(const checking_space& space, int blocks, const source_block* sources, const double* moments, double* sums,
             double* expansions, double* torque) const {
      space.later([=, by = by_] { by->m2l({}, blocks, sources, moments, sums, expansions, torque); });
    }
    void m2p(const checking_space& space, int blocks, const source_block* sources, double* fields) const {
      space.later([=, by = by_] { by->m2p({}, blocks, sources, fields); });
    }

   private:
    std::shared_ptr<const host_space::far_field> by_;
  };
};

}  // namespace rednova::gravity::test
