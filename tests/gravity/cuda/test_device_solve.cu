// A whole solve on a device against the processor's.
#include <gtest/gtest.h>

#include "device_test.hpp"
#include "gravity/cuda/device_space.hpp"
#include "gravity/cuda/kernels_of.hpp"
#include "same_fields.hpp"

namespace {

using namespace rednova;
using namespace rednova::gravity;
using testing_on::device;

void compare(const test::system& s, int order, int near2, config::cell_mass cells) {
  const exec::cuda::context context;
  config::gravity par;
  par.order = order;
  par.near_radius_squared = near2;
  par.cell_mass = cells;
  const interaction_lists lists(s.tree);
  device_solve<cuda::device_space> all({{&context}}, s.tree, lists, operators(order), cells,
                                       cuda::kernels_of(context, par, s.tree));
  exec::cuda::array<double> density(s.mass.size());
  density.copy_from(context, {s.rho.at(0), density.size()});
  auto result = testing_on::wrong_numbers(context, s.mass.size() * result_fields);
  // Twice: nothing of a solve may be left in the next.
  for (int again = 0; again < 2; ++again) all.solve(density.data(), mesh::cells, result.data());
  test::expect_same_fields(s, result.to_host(context).data(), test::solved(s, order, near2, 1, cells),
                           test::device_rounding);
}

TEST_F(device, solves_on_three_levels_as_on_the_host) {
  const test::system s(test::three_levels(), test::two_blobs);
  for (const int order : {3, 4, 5}) {
    for (const int near2 : {4, 6, 10}) compare(s, order, near2, config::cell_mass::smooth);
  }
  compare(s, 3, 6, config::cell_mass::point);
}
TEST_F(device, solves_on_one_level_and_on_one_block_as_on_the_host) {
  for (const int level : {0, 1}) {
    compare({mesh::tree::uniform(test::unit_box(), level), test::two_blobs}, 3, 6, config::cell_mass::smooth);
  }
}

}  // namespace
