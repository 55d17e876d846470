// The signal speed that a device finds, on thread blocks of the processor's threads, against the processor's own.
#include "hydro/thread_block_signal.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "hydro/block_update.hpp"
#include "rough_states.hpp"

namespace {

using namespace rednova;
using test::one_block;

template <int Threads>
void compare(int species) {
  constexpr unsigned blocks = 3;
  std::vector<std::vector<double>> u;
  std::vector<hydro::signal_input> in;
  std::vector<double> rate(blocks), expected;
  one_block b(test::scheme(config::reconstruction::ppm, config::riemann_solver::hllc, true, species));
  for (unsigned n = 0; n < blocks; ++n) {
    test::fill_rough(b, n);
    b.in.corner.x += n;
    u.push_back(test::without_ghosts(b));
    in.push_back({u.back().data(), b.in.corner, b.in.h});
    const hydro::block_update update(b.par, b.fields, b.eos);
    expected.push_back(update.signal_speed(u.back().data(), b.in.corner, b.in.h, 0.8) / b.in.h);
  }
  exec::for_each_thread_block(blocks, Threads,
                              hydro::thread_block_signal<Threads, eos::ideal_gas>{
                                  b.fields, b.eos.ideal, b.par.dual_energy_pressure, 0.8, in.data(), rate.data()});
  EXPECT_EQ(rate, expected);
}

// The same bits for thread blocks of any size: the largest of numbers knows no order.
TEST(thread_block_signal, as_on_the_processor) {
  for (const int species : {1, 5}) {
    compare<32>(species);
    compare<128>(species);
  }
}

}  // namespace
