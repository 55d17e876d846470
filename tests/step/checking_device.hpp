// The checking device (exec/checking_device.hpp) as one of device_step: the processor's update of blocks, when
// the queue comes to them.
#pragma once

#include <memory>

#include "gravity/checking_device.hpp"
#include "step/host_space.hpp"

namespace rednova::step::test {

struct checking_space : gravity::test::checking_space {
  class block_update {
   public:
    block_update(const config::hydro& par, const mesh::fields& fields, eos::gas eos)
        : by_(std::make_shared<host_space::block_update>(par, fields, eos)) {}
    int scratch() const { return by_->scratch(); }
    void operator()(const checking_space& space, int blocks, const hydro::block_input* in,
                    const hydro::block_output* out, const hydro::stage_spin_exchange& exchange, double* scratch) const {
      space.later([=, by = by_] { (*by)({}, blocks, in, out, exchange, scratch); });
    }
    double largest_signal_rate(const checking_space& space, int blocks, const hydro::signal_input* in,
                               double rotation) const {
      double largest = 0;
      space.later([&] { largest = by_->largest_signal_rate({}, blocks, in, rotation); });
      space.wait();
      return largest;
    }

   private:
    std::shared_ptr<const host_space::block_update> by_;
  };

  void enter(const char*) const {}
  void collect(exec::profile&) const { wait(); }
  gravity::interaction_kernels<near_field, far_field> interactions(const config::gravity& par, const mesh::tree& tree,
                                                                   const gravity::operators& by) const {
    return gravity::test::kernels_of<gravity::test::checking_space>(*this, par, tree, by);
  }
};

}  // namespace rednova::step::test
