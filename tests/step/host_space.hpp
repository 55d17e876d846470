// The processor as a place of device_step: its loops for the device's launches, its kernels for the device's thread
// blocks (test_thread_block_update.cpp and test_thread_block_convolve.cpp compare those).
#pragma once

#include "exec/profile.hpp"
#include "gravity/host_space.hpp"
#include "hydro/block_update.hpp"
#include "hydro/signal_speed.hpp"

namespace rednova::step::test {

struct host_space : gravity::test::host_space {
  class block_update {
   public:
    block_update(const config::hydro& par, const mesh::fields& fields, eos::gas eos)
        : fields_(fields), one_(par, fields_, eos) {}
    block_update(const block_update&) = delete;
    int scratch() const { return 0; }
    void operator()(const host_space&, int blocks, const hydro::block_input* in, const hydro::block_output* out,
                    const hydro::stage_spin_exchange& exchange, double*) const {
      hydro::block_scratch memory;
      for (int b = 0; b < blocks; ++b) one_(in[b], out[b], exchange, memory);
    }
    double largest_signal_rate(const host_space&, int blocks, const hydro::signal_input* in, double rotation) const {
      double largest = 0;
      for (int b = 0; b < blocks; ++b) {
        largest = hydro::larger_rate(largest, one_.signal_speed(in[b].u, in[b].corner, in[b].h, rotation) / in[b].h);
      }
      return largest;
    }

   private:
    mesh::fields fields_;
    hydro::block_update one_;
  };

  void enter(const char*) const {}
  void collect(exec::profile&) const {}
  gravity::interaction_kernels<near_field, far_field> interactions(const config::gravity& par, const mesh::tree& tree,
                                                                   const gravity::operators& by) const {
    return gravity::test::kernels_of<gravity::test::host_space>(*this, par, tree, by);
  }
};

}  // namespace rednova::step::test
