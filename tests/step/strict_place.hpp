// The strict place (exec/strict_place.hpp) as one of device_step: the processor's update and sums of blocks, when the
// queue comes to them.
#pragma once

#include <memory>
#include <vector>

#include "gravity/strict_place.hpp"
#include "step/processor_place.hpp"

namespace rednova::step::test {

struct strict_place : gravity::test::strict_place {
  class block_update {
   public:
    block_update(const config::hydro& par, const mesh::fields& fields, eos::ideal_gas eos)
        : by_(std::make_shared<processor_place::block_update>(par, fields, eos)) {}
    int scratch() const { return by_->scratch(); }
    void operator()(const strict_place& where, int blocks, const hydro::block_input* in, const hydro::block_output* out,
                    const hydro::stage_exchange& exchange, double* scratch) const {
      where.later([=, by = by_] { (*by)({}, blocks, in, out, exchange, scratch); });
    }
    double largest_signal_rate(const strict_place& where, int blocks, const hydro::signal_input* in,
                               double rotation) const {
      double largest = 0;
      where.later([&] { largest = by_->largest_signal_rate({}, blocks, in, rotation); });
      where.wait();
      return largest;
    }

   private:
    std::shared_ptr<const processor_place::block_update> by_;
  };

  void enter(const char*) const {}
  void collect(exec::profile&) const { wait(); }
  gravity::interaction_kernels<near_field, far_field> interactions(const config::gravity& par, const mesh::tree& tree,
                                                                   const gravity::operators& by) const {
    return gravity::test::kernels_of<gravity::test::strict_place>(*this, par, tree, by);
  }
  std::vector<core::compensated> sum_blocks(const mesh::field_numbers& fields, int blocks,
                                            const summed_block* in) const {
    std::vector<core::compensated> sums;
    later([&] { sums = processor_place{}.sum_blocks(fields, blocks, in); });
    wait();
    return sums;
  }
};

}  // namespace rednova::step::test
