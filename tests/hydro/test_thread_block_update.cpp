// The update that a device runs, on thread blocks of the processor's threads, against the processor's own: the same
// bits, since each face and each cell meets the same operations in the same order.
#include "hydro/thread_block_update.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "rough_states.hpp"

namespace {

using namespace rednova;
using config::gas_model;
using config::reconstruction;
using config::riemann_solver;
using core::vec3d;
using test::expect_same;
using test::fill_rough;
using test::one_block;
using test::results;
using test::weight;

/// The thread block kernel in the processor's place.
template <int Threads>
struct on_a_thread_block {
  const one_block& b;
  void operator()(const hydro::block_input& in, const hydro::block_output& out,
                  const hydro::stage_spin_exchange& exchange, hydro::block_scratch&) const {
    std::vector<double> scratch(hydro::thread_block_scratch, std::numeric_limits<double>::quiet_NaN());
    b.eos.visit([&]<class Eos>(const Eos& eos) {
      hydro::with_scheme(b.par, [&]<class Edges, class Riemann>() {
        using scheme = hydro::face_scheme<Edges, Riemann, Eos>;
        const hydro::thread_block_update<scheme, Threads> kernel{
            {b.fields, hydro::variables(b.fields, b.par.spin, Eos::varies), eos, b.par.dual_energy_pressure, &in, &out,
             scratch.data(), exchange},
            scheme(b.par)};
        exec::for_each_thread_block(1, kernel.memory(), kernel);
      });
    });
  }
};

template <int Threads = 64>
void compare(one_block& b) {
  expect_same(b.run_with(on_a_thread_block<Threads>{b}), b.run());
}

class thread_block_update
    : public testing::TestWithParam<std::tuple<reconstruction, riemann_solver, bool, int, weight, gas_model>> {
 protected:
  one_block block() const {
    const auto [edges, solver, spin, species, gravity, model] = GetParam();
    one_block b(test::scheme(edges, solver, spin, species), test::gas_of(model), gravity);
    b.in.rotation = 0.8;
    return b;
  }
};
INSTANTIATE_TEST_SUITE_P(all, thread_block_update,
                         testing::Combine(testing::Values(reconstruction::constant, reconstruction::plm,
                                                          reconstruction::ppm),
                                          testing::Values(riemann_solver::hllc, riemann_solver::kt), testing::Bool(),
                                          testing::Values(1, 5), testing::Values(weight::none, weight::given),
                                          testing::Values(gas_model::ideal, gas_model::white_dwarf)));

TEST_P(thread_block_update, smooth_flow) {
  one_block b = block();
  b.fill([&](vec3d x) {
    const double wave = std::sin(3 * x.x + 2 * x.y - x.z), other = std::cos(2 * x.x - x.y + 3 * x.z);
    std::vector<double> u = b.conserved(1 + 0.1 * wave, {0.3 * other, 0.2 * wave, 0.1}, 1 + 0.05 * other,
                                        {1e-3 * wave, 2e-3, 1e-3 * other}, 0.5 + 0.1 * wave);
    return u;
  });
  compare(b);
}
TEST_P(thread_block_update, flow_with_jumps) {
  one_block b = block();
  b.fill_wild();
  compare(b);
}
TEST_P(thread_block_update, rough_states) {
  one_block b = block();
  fill_rough(b, 1);
  compare(b);
}

// Marked cells, closed faces and steepened contacts.
TEST_P(thread_block_update, marks_and_finer_neighbours) {
  one_block b = block();
  b.par.contact_steepening = true;
  fill_rough(b, 2);
  std::vector<std::uint8_t> flags(mesh::ghosted_cells);
  for (std::size_t c = 0; c < flags.size(); c += 7) flags[c] = 1;
  b.in.first_order = flags.data();
  b.in.finer_faces = 1U << mesh::face(0, 1) | 1U << mesh::face(1, 0) | 1U << mesh::face(2, 1);
  compare(b);
}

one_block rough_with_spin() {
  one_block b(test::scheme(reconstruction::ppm, riemann_solver::hllc, true, 5), weight::given);
  b.in.rotation = 0.8;
  fill_rough(b, 3);
  return b;
}

TEST(thread_block_update_once, does_not_depend_on_the_threads) {
  one_block b = rough_with_spin();
  compare<32>(b);
  compare<96>(b);
}

TEST(thread_block_update_once, writes_what_is_asked_for_alone) {
  one_block b = rough_with_spin();
  const results all = b.run();
  std::vector<double> rate(all.rate.size(), 1e300);
  const hydro::block_output rates_alone{.rate = rate.data()};
  b.in.u = b.u.data();
  hydro::block_scratch none;
  on_a_thread_block<64>{b}(b.in, rates_alone, b.exchange, none);
  EXPECT_EQ(rate, all.rate);
  hydro::block_output fluxes_alone;
  std::vector<double> flux(all.outer[3].size(), 1e300);
  fluxes_alone.outer_flux[3] = flux.data();
  on_a_thread_block<64>{b}(b.in, fluxes_alone, b.exchange, none);
  EXPECT_EQ(flux, all.outer[3]);
}

// Cells that no sweep reads hold no number; a thread block must not read them either.
TEST(thread_block_update_once, reads_no_corners) {
  one_block b = rough_with_spin();
  const results expected = b.run();
  one_block::each_ghosted([&](int i, int j, int k) {
    if (hydro::in_cross(i, j, k, mesh::ghosts, 1)) return;
    for (int f = 0; f < b.fields.size(); ++f) b.at(f, i, j, k) = std::numeric_limits<double>::quiet_NaN();
  });
  expect_same(b.run_with(on_a_thread_block<64>{b}), expected);
}

// What a multiprocessor of compute capability 9.0 has for a thread block: 227 KiB.
template <class Eos>
void expect_fits(int species) {
  const one_block b(test::scheme(reconstruction::ppm, riemann_solver::hllc, true, species), weight::given);
  using scheme = hydro::face_scheme<hydro::edges_ppm, hydro::riemann_hllc, Eos>;
  const hydro::thread_block_update<scheme, 64> kernel{
      {b.fields, hydro::variables(b.fields, true, Eos::varies), Eos{}, 0, nullptr, nullptr, nullptr, {}},
      scheme(b.par)};
  EXPECT_LE(kernel.memory() * sizeof(double), 227 * 1024) << species;
}

TEST(thread_block_update_once, fits_shared_memory_with_seven_species) {
  if (mesh::N != 8) GTEST_SKIP() << "the device's kernels are for blocks of 8³ cells";
  expect_fits<eos::ideal_gas>(7);
  expect_fits<eos::stored_gas>(5);  // two variables more; as many as a binary has
}

}  // namespace
