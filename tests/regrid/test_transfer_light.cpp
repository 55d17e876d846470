// Light on the way to the next mesh.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "mesh/view.hpp"
#include "radiation/scheme.hpp"
#include "regrid/transfer_light.hpp"

namespace rednova::regrid {
namespace {

using core::vec3d;
namespace field = radiation::field;

constexpr double c = 10;

using energy_of = double (*)(const vec3d&);
/// That of light in equilibrium, all but the same everywhere.
double even(const vec3d& x) { return 1 + 0.1 * x.x - 0.05 * x.y + 0.02 * x.z; }
/// Of a star whose light gets less towards its surface.
double steep(const vec3d& x) { return 0.1 + std::exp(-40 * dot(x, x)); }
/// A star's surface within less than a cell: light has its speed in the star, and is slowed down outside of it.
double speed_at(const vec3d& x) { return std::sqrt(dot(x, x)) < 0.31 ? c : 0.02 * c; }

mesh::block_data light_of(const mesh::tree& tree, energy_of energy) {
  mesh::block_data light(mesh::slots::of_leaves(mesh::local_partition(tree)), field::count);
  for (int leaf = 0; leaf < tree.leaves(); ++leaf) {
    for (int cell = 0; cell < mesh::cells; ++cell) {
      const vec3d x = mesh::view(tree).centre(leaf, cell);
      light.at(leaf, field::speed)[cell] = speed_at(x);
      light.at(leaf, field::energy)[cell] = energy(x) * c / speed_at(x);
    }
  }
  return light;
}

double energy_in(const mesh::block_data& light, int leaf, int cell) {
  return light.at(leaf, field::energy)[cell] * light.at(leaf, field::speed)[cell] / c;
}

/// U and E of all cells.
std::array<double, 2> sums(const mesh::tree& tree, const mesh::block_data& light) {
  std::array<double, 2> all{};
  for (int leaf = 0; leaf < tree.leaves(); ++leaf) {
    const double volume = std::pow(tree.cell_width(leaf), 3);
    for (int cell = 0; cell < mesh::cells; ++cell) {
      all[0] += volume * light.at(leaf, field::energy)[cell];
      all[1] += volume * energy_in(light, leaf, cell);
    }
  }
  return all;
}

/// After all leaves have divided or merged: the largest error of E in a cell, and those of the sums of U and E.
struct errors {
  double energy = 0, sum_of_u, sum_of_energy;

  errors(const mesh::tree& from, const mesh::tree& to, energy_of exact) {
    exec::context context(1);
    const exchange::halo_exchange halo(context, from, mesh::fields(1));
    const mesh::block_data before = light_of(from, exact);
    const mesh::block_data after =
        transfer_light(context, from, to, halo, {}, mesh::local_partition(to), before, c, true);
    for (int leaf = 0; leaf < to.leaves(); ++leaf) {
      for (int cell = 0; cell < mesh::cells; ++cell) {
        const double speed = after.at(leaf, field::speed)[cell];
        EXPECT_GT(speed, 0);
        EXPECT_LE(speed, c);
        const double is = exact(mesh::view(to).centre(leaf, cell));
        energy = std::max(energy, std::abs(energy_in(after, leaf, cell) - is));
      }
    }
    const auto was = sums(from, before), is = sums(to, after);
    sum_of_u = std::abs(is[0] / was[0] - 1);
    sum_of_energy = std::abs(is[1] / was[1] - 1);
  }
};

const mesh::tree fine = mesh::tree::uniform({.lower = {-0.5, -0.5, -0.5}}, 2);
const mesh::tree coarse = mesh::tree::uniform({.lower = {-0.5, -0.5, -0.5}}, 1);

// Merged by themselves U and ĉ gave a cell across the surface up to 13 times the energy.
TEST(transfer_light, keeps_its_energy_density_where_cells_merge_across_a_surface) {
  const errors e(fine, coarse, even);
  EXPECT_LT(e.energy, 1e-14);  // E is linear
  for (const energy_of exact : {even, steep}) {
    const errors of(fine, coarse, exact);
    EXPECT_LT(of.sum_of_u, 1e-13);
    EXPECT_LT(of.sum_of_energy, 1e-13);
  }
}

// Cells at the domain's sides have no slope across them: children in its corners lack a quarter of a cell's. With a
// slope of ĉ instead of one of E it was 0.6.
TEST(transfer_light, keeps_its_energy_density_where_cells_divide_beside_a_surface) {
  const errors e(coarse, fine, even);
  EXPECT_LT(e.energy, 1.001 * (0.1 + 0.05 + 0.02) / 4 * coarse.cell_width(0));
  for (const energy_of exact : {even, steep}) {
    const errors of(coarse, fine, exact);
    EXPECT_LT(of.sum_of_u, 1e-13);
    EXPECT_LT(of.sum_of_energy, 1e-13);  // cut off at U, child by child, 3e-5 and 2.8e-3 were lost
  }
}

// Blocks that only move to other ranks make a new mesh, too.
TEST(transfer_light, is_the_same_to_the_bit_on_a_mesh_that_stays) {
  exec::context context(1);
  const exchange::halo_exchange halo(context, fine, mesh::fields(1));
  const mesh::block_data before = light_of(fine, steep);
  const mesh::block_data after =
      transfer_light(context, fine, fine, halo, {}, mesh::local_partition(fine), before, c, true);
  for (int leaf = 0; leaf < fine.leaves(); ++leaf)
    for (int number = 0; number < field::count; ++number)
      for (int cell = 0; cell < mesh::cells; ++cell)
        ASSERT_EQ(after.at(leaf, number)[cell], before.at(leaf, number)[cell]) << leaf << ' ' << number << ' ' << cell;
}

}  // namespace
}  // namespace rednova::regrid
