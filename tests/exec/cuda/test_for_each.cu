// The CUDA launcher: every index once, reductions with the host's bits, and the project's formulas on the
// device against the host.
#include "exec/cuda/for_each.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/vec3.hpp"
#include "device_test.hpp"
#include "eos/ideal_gas.hpp"

namespace {

using namespace rednova;
using testing_on::device;

struct count_up {
  int* visits;
  REDNOVA_FN void operator()(int i) const { visits[i] += i + 1; }
};

struct inverse {
  REDNOVA_FN double operator()(int i) const { return 1.0 / (i + 1); }
};

// What a physics kernel looks like: a functor of values and pointers around the shared formulas.
struct thermodynamics {
  eos::ideal_gas eos;
  const double* density;
  const double* energy;
  double* out;  // [cell][4]
  REDNOVA_FN void operator()(int i) const {
    const auto here = eos.at(density[i]);
    const double p = here.pressure(energy[i]), tau = here.entropy_tracer(energy[i]);
    out[4 * i] = p;
    out[4 * i + 1] = eos.sound_speed_squared(density[i], p, {});
    out[4 * i + 2] = tau;
    out[4 * i + 3] = here.energy_of_tracer(tau);
  }
};

struct torque {
  const core::vec3d* x;
  const core::vec3d* force;
  core::vec3d* out;
  REDNOVA_FN void operator()(int i) const { out[i] = cross(x[i], force[i]) + dot(x[i], force[i]) * x[i]; }
};

TEST(cuda, a_missing_device_is_named) {
  const int devices = exec::cuda::find_devices().devices;
  EXPECT_THROW(exec::cuda::context context(devices), core::user_error);
  EXPECT_THROW(exec::cuda::context context(-1), core::user_error);
}

TEST_F(device, visits_every_index_once) {
  const exec::cuda::context context;
  for (const int count : {0, 1, 255, 256, 257, 1000003}) {
    exec::cuda::array<int> visits(static_cast<std::size_t>(count));
    visits.copy_from(context, std::vector<int>(visits.size(), 0));
    exec::cuda::for_each(context, count, count_up{visits.data()});
    std::vector<int> expected(visits.size());
    std::iota(expected.begin(), expected.end(), 1);
    EXPECT_EQ(visits.to_host(context), expected) << count;
  }
}

// A division is correctly rounded on both sides and the fold has one order: equal to the last bit.
TEST_F(device, reduces_to_the_bits_of_the_host) {
  const exec::cuda::context context;
  const auto add = [](double a, double b) { return a + b; };
  constexpr int count = 10007;
  double expected = 0;
  for (int i = 0; i < count; ++i) expected = add(expected, inverse{}(i));
  EXPECT_EQ(exec::cuda::reduce(context, count, 0.0, inverse{}, add), expected);
  EXPECT_EQ(exec::cuda::reduce(context, 0, 7.0, inverse{}, add), 7.0);
}

// Host and device may contract products and sums differently and round pow to 1 and 2 ulp (CUDA C++
// Programming Guide, mathematical functions): 1e-15 relative for arithmetic, times gamma's 5/3 for pow.
TEST_F(device, equation_of_state_as_on_the_host) {
  const exec::cuda::context context;
  constexpr int count = 4096;
  std::vector<double> density(count), energy(count), expected(4 * count);
  for (int i = 0; i < count; ++i) {
    density[static_cast<std::size_t>(i)] = std::pow(10.0, -12 + 14.0 * i / count);
    energy[static_cast<std::size_t>(i)] = std::pow(10.0, -18 + 20.0 * (count - i) / count);
  }
  exec::cuda::array<double> d(count), e(count), out(4 * count);
  d.copy_from(context, density);
  e.copy_from(context, energy);
  const eos::ideal_gas eos{5.0 / 3.0};
  exec::cuda::for_each(context, count, thermodynamics{eos, d.data(), e.data(), out.data()});
  const thermodynamics on_host{eos, density.data(), energy.data(), expected.data()};
  for (int i = 0; i < count; ++i) on_host(i);
  const std::vector<double> result = out.to_host(context);
  for (std::size_t i = 0; i < result.size(); ++i) EXPECT_NEAR(result[i], expected[i], 2e-15 * expected[i]) << i;
}

TEST_F(device, vectors_as_on_the_host) {
  const exec::cuda::context context;
  constexpr int count = 1000;
  std::vector<core::vec3d> x(count), force(count), expected(count);
  for (int i = 0; i < count; ++i) {
    x[static_cast<std::size_t>(i)] = {0.1 * i, 3.0 - i, 1.0 / (i + 1)};
    force[static_cast<std::size_t>(i)] = {1.0, 0.5 * i, -2.0};
  }
  exec::cuda::array<core::vec3d> a(count), b(count), out(count);
  a.copy_from(context, x);
  b.copy_from(context, force);
  exec::cuda::for_each(context, count, torque{a.data(), b.data(), out.data()});
  const torque on_host{x.data(), force.data(), expected.data()};
  for (int i = 0; i < count; ++i) on_host(i);
  const std::vector<core::vec3d> result = out.to_host(context);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double scale = 1e-15 * dot(x[i], x[i]) * (1.0 + std::sqrt(dot(force[i], force[i])));
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(result[i][c], expected[i][c], 4 * scale) << i;
  }
}

}  // namespace
