// The update of blocks on a device against the processor's.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "device_test.hpp"
#include "hydro/block_update.hpp"
#include "hydro/cuda/block_update.hpp"
#include "rough_states.hpp"

namespace {

using namespace rednova;
using config::reconstruction;
using config::riemann_solver;
using exec::cuda::array;
using exec::cuda::on_device;
using test::one_block;
using test::results;
using testing_on::device;
using testing_on::wrong_numbers;

/// What an update writes, on the device.
struct device_results {
  device_results(const exec::cuda::context& context, const results& like)
      : rate(wrong_numbers(context, like.rate.size())), mass(wrong_numbers(context, like.mass.size())) {
    out.rate = rate.data();
    out.mass_flux = mass.data();
    for (std::size_t f = 0; f < mesh::faces; ++f) {
      outer.push_back(wrong_numbers(context, like.outer[f].size()));
      out.outer_flux[f] = outer[f].data();
    }
  }
  array<double> rate, mass;
  std::vector<array<double>> outer;
  hydro::block_output out;
};

/// Each number with the largest of its field.
void expect_near(const std::vector<double>& a, const std::vector<double>& b, std::size_t field) {
  ASSERT_EQ(a.size(), b.size());
  // Neither compiler fuses products with sums, divisions and roots are rounded as IEEE 754 asks: only powers, where the
  // tracer gives the heat, may differ by an ulp or two of 2.2e-16, which steep states raise by the ratio of their
  // largest to their smallest heat. Not measured: no device was at hand.
  constexpr double bound = 1e-12;
  for (std::size_t first = 0; first < b.size(); first += field) {
    double most = 0, worst = 0;
    for (std::size_t i = first; i < first + field; ++i) {
      ASSERT_TRUE(std::isfinite(a[i])) << "number " << i;
      most = std::max(most, std::abs(b[i]));
      worst = std::max(worst, std::abs(a[i] - b[i]));
    }
    EXPECT_LE(worst, bound * most) << "field " << first / field;
  }
}

void compare(reconstruction edges, riemann_solver solver, bool spin, int species) {
  const exec::cuda::context context;
  constexpr unsigned blocks = 3;
  std::vector<one_block> all;
  std::vector<results> expected;
  std::vector<array<double>> u;
  std::vector<device_results> out;
  std::vector<hydro::block_input> in;
  std::vector<hydro::block_output> to;
  std::vector<std::uint8_t> flags(mesh::ghosted_cells);
  for (std::size_t c = 0; c < flags.size(); c += 7) flags[c] = 1;
  const auto flags_there = on_device(context, flags);
  for (unsigned n = 0; n < blocks; ++n) {
    one_block& b = all.emplace_back(test::scheme(edges, solver, spin, species), test::weight::given);
    b.in.rotation = 0.8;
    b.in.finer_faces = n;
    b.in.corner.x += n;
    if (n == 1) b.in.first_order = flags.data();
    fill_rough(b, n);
    expected.push_back(b.run());
    u.push_back(on_device(context, b.u));
    out.emplace_back(context, expected.back());
    in.push_back(b.in);
    in.back().u = u.back().data();
    if (n == 1) in.back().first_order = flags_there.data();
    to.push_back(out.back().out);
  }
  const auto in_there = on_device(context, in);
  const auto out_there = on_device(context, to);
  const hydro::cuda::block_update update(all[0].par, all[0].fields, all[0].eos);
  array<double> scratch(blocks * static_cast<std::size_t>(update.scratch()));
  update(context, blocks, in_there.data(), out_there.data(), all[0].exchange, scratch.data());
  for (unsigned n = 0; n < blocks; ++n) {
    expect_near(out[n].rate.to_host(context), expected[n].rate, mesh::cells);
    expect_near(out[n].mass.to_host(context), expected[n].mass, expected[n].mass.size());
    for (std::size_t f = 0; f < mesh::faces; ++f)
      expect_near(out[n].outer[f].to_host(context), expected[n].outer[f], mesh::N * mesh::N);
  }
}

TEST_F(device, blocks_of_five_species_with_spin) {
  for (const auto solver : {riemann_solver::hllc, riemann_solver::kt}) {
    for (const auto edges : {reconstruction::constant, reconstruction::plm, reconstruction::ppm}) {
      compare(edges, solver, true, 5);
    }
  }
}
TEST_F(device, blocks_of_one_species_without_spin) { compare(reconstruction::ppm, riemann_solver::hllc, false, 1); }

TEST_F(device, signal_rate_as_on_the_host) {
  const exec::cuda::context context;
  one_block b(test::scheme(reconstruction::ppm, riemann_solver::hllc, true, 5));
  const hydro::block_update host(b.par, b.fields, b.eos);
  std::vector<array<double>> u;
  std::vector<hydro::signal_input> in;
  double expected = 0;
  for (unsigned n = 0; n < 3; ++n) {
    fill_rough(b, n);
    const std::vector<double> inner = test::without_ghosts(b);
    u.push_back(on_device(context, inner));
    in.push_back({u.back().data(), b.in.corner, b.in.h});
    expected = std::max(expected, host.signal_speed(inner.data(), b.in.corner, b.in.h, 0.8) / b.in.h);
  }
  const auto there = on_device(context, in);
  const hydro::cuda::block_update update(b.par, b.fields, b.eos);
  // Powers alone may differ, by an ulp or two.
  EXPECT_NEAR(update.largest_signal_rate(context, 3, there.data(), 0.8), expected, 1e-15 * expected);
}

}  // namespace
