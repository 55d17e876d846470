// M2L, P2L, M2P and P2P on a device against the processor's.
#include "gravity/interactions.hpp"

#include <gtest/gtest.h>

#include "blocks_around.hpp"
#include "device_test.hpp"
#include "gravity/cuda/interactions.hpp"
#include "gravity/lattice.hpp"
#include "same_numbers.hpp"

namespace {

using namespace rednova;
using namespace rednova::gravity;
using exec::cuda::on_device;
using testing_on::device;

/// Surroundings of some blocks, on the host and on the device.
class many_blocks {
 public:
  static constexpr int count = 5;

  many_blocks(const exec::cuda::context& context, int numbers, test::sources_here kind) {
    std::vector<source_block> all;
    for (unsigned b = 0; b < count; ++b) {
      const test::blocks_around& around = on_host_.emplace_back(numbers, kind, b);
      for (int s = 0; s < mesh::sides; ++s) {
        source_block source = around.sources[index(s)];
        if (source.values != nullptr) {
          source.values = values_.emplace_back(on_device(context, around.values[index(s)])).data();
        }
        all.push_back(source);
      }
      own_.insert(own_.end(), around.own(), around.own() + block_size(numbers));
    }
    sources_ = on_device(context, all);
    moments_ = on_device(context, own_);
  }
  const source_block* sources() const { return sources_.data(); }
  const double* moments() const { return moments_.data(); }
  const test::blocks_around& operator[](int b) const { return on_host_[index(b)]; }

 private:
  std::vector<test::blocks_around> on_host_;
  std::vector<exec::cuda::array<double>> values_;
  std::vector<double> own_;
  exec::cuda::array<source_block> sources_;
  exec::cuda::array<double> moments_;
};

std::vector<double> block_of(const std::vector<double>& all, int block, int numbers) {
  const auto first = all.begin() + block * block_size(numbers);
  return {first, first + block_size(numbers)};
}

/// Blocks on the device in which no number is right.
exec::cuda::array<double> wrong(const exec::cuda::context& context, int numbers) {
  return testing_on::wrong_numbers(context, index(many_blocks::count * block_size(numbers)));
}

void compare_points(int near2, place at) {
  const exec::cuda::context context;
  const stencil near(1, near2, pairs::near, at, 1, face_attraction);
  const many_blocks blocks(context, 1, test::sources_here::all_kinds);
  auto out = wrong(context, 4);
  cuda::near_field(context, near).p2p(context, many_blocks::count, blocks.sources(), out.data());
  const std::vector<double> fields = out.to_host(context);
  for (int b = 0; b < many_blocks::count; ++b) {
    std::vector<double> own(index(block_size(4)));
    neighbourhood from;
    from.gather(blocks[b].sources, 1, near.reach());
    p2p(from, near, own.data());
    test::expect_same(block_of(fields, b, 4), own, 4);
  }
}

void compare_multipoles(int order, int near2, place at) {
  const exec::cuda::context context;
  const int numbers = basis_size(order);
  const stencil far(order, near2, pairs::far, at, numbers);
  const operators by(order);
  const many_blocks blocks(context, numbers, test::sources_here::all_kinds);
  const cuda::far_field kernels(context, by, far);
  auto sums = wrong(context, kernels.sums()), expansions = wrong(context, numbers), torque = wrong(context, 3);
  kernels.m2l(context, many_blocks::count, blocks.sources(), blocks.moments(), sums.data(), expansions.data(),
              torque.data());
  const std::vector<double> l = expansions.to_host(context), t = torque.to_host(context);
  const auto host = make_far_kernels(by);
  for (int b = 0; b < many_blocks::count; ++b) {
    std::vector<double> own(index(block_size(numbers))), own_torque(index(block_size(3)));
    neighbourhood from;
    from.gather(blocks[b].sources, numbers, far.reach());
    host->m2l(from, far, blocks[b].own(), own.data(), own_torque.data());
    test::expect_same(block_of(l, b, numbers), own, numbers);
    test::expect_same(block_of(t, b, 3), own_torque, 3);
  }
}

// M2P adds, and at all leaves: their neighbours that are refined are sources, the others none.
void compare_fields(int order, int near2) {
  const exec::cuda::context context;
  const int numbers = basis_size(order);
  const stencil far(order, near2, pairs::far, place::inner, numbers);
  const operators by(order);
  const many_blocks blocks(context, numbers, test::sources_here::multipoles);
  const std::vector<double> before(index(many_blocks::count * block_size(4)), 1.0);
  auto out = on_device(context, before);
  cuda::far_field(context, by, far).m2p(context, many_blocks::count, blocks.sources(), out.data());
  const std::vector<double> fields = out.to_host(context);
  for (int b = 0; b < many_blocks::count; ++b) {
    std::vector<double> own = block_of(before, b, 4);
    neighbourhood from;
    from.gather(blocks[b].sources, numbers, far.reach());
    make_far_kernels(by)->m2p(from, far, own.data());
    test::expect_same(block_of(fields, b, 4), own, 4);
  }
}

TEST_F(device, fields_of_multipoles_as_on_the_host) {
  for (const int order : {3, 4, 5}) {
    for (const int near2 : {6, 10}) compare_fields(order, near2);
  }
}
TEST_F(device, points_as_on_the_host) {
  for (const int near2 : {3, 6, 10}) compare_points(near2, place::inner);
  compare_points(6, place::root);
}
TEST_F(device, multipoles_of_order_3_as_on_the_host) {
  for (const int near2 : {3, 6, 10}) compare_multipoles(3, near2, place::inner);
  compare_multipoles(3, 6, place::root);
}
TEST_F(device, multipoles_of_order_4_as_on_the_host) {
  for (const int near2 : {3, 6, 10}) compare_multipoles(4, near2, place::inner);
}
TEST_F(device, multipoles_of_order_5_as_on_the_host) {
  for (const int near2 : {3, 6, 10}) compare_multipoles(5, near2, place::inner);
}

}  // namespace
