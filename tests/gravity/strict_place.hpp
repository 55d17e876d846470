// The strict place (exec/strict_place.hpp) as one of device_solve: the processor's kernels for M2L, M2P and P2P, when
// the queue comes to them.
#pragma once

#include <memory>
#include <utility>

#include "exec/strict_place.hpp"
#include "gravity/processor_place.hpp"

namespace rednova::gravity::test {

struct strict_place : exec::test::strict_place {
  class near_field {
   public:
    near_field(const strict_place&, stencil near)
        : by_(std::make_shared<processor_place::near_field>(processor_place{}, std::move(near))) {}
    void p2p(const strict_place& where, int blocks, const source_block* sources, double* fields) const {
      where.later([=, by = by_] { by->p2p({}, blocks, sources, fields); });
    }

   private:
    std::shared_ptr<const processor_place::near_field> by_;
  };

  class far_field {
   public:
    far_field(const strict_place&, const operators& by, stencil far)
        : by_(std::make_shared<processor_place::far_field>(processor_place{}, by, std::move(far))) {}
    int sums() const { return by_->sums(); }
    void m2l(const strict_place& where, int blocks, const source_block* sources, const double* moments, double* sums,
             double* expansions, double* torque) const {
      where.later([=, by = by_] { by->m2l({}, blocks, sources, moments, sums, expansions, torque); });
    }
    void m2p(const strict_place& where, int blocks, const source_block* sources, double* fields) const {
      where.later([=, by = by_] { by->m2p({}, blocks, sources, fields); });
    }

   private:
    std::shared_ptr<const processor_place::far_field> by_;
  };
};

}  // namespace rednova::gravity::test
