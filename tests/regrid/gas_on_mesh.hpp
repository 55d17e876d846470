// Gas on a tree that is adapted by criteria.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "exchange/restrict.hpp"
#include "regrid/criteria.hpp"
#include "regrid/transfer.hpp"

namespace rednova::regrid::test {

using core::vec3d;
using mesh::N;

struct gas_on_mesh {
  mesh::tree tree;
  mesh::fields fields{2};
  mesh::block_data u;
  exec::context context{1};
  eos::ideal_gas eos{1.4};

  explicit gas_on_mesh(int level)
      : tree(mesh::tree::uniform({.lower = {-0.5, -0.5, -0.5}}, level)), u(tree.size(), fields.size()) {}

  template <class Density>
  void fill(const Density& density) {
    for (int n = 0; n < tree.leaves(); ++n) {
      for (int c = 0; c < mesh::cells; ++c) {
        const vec3d x = tree.centre(n, c % N, c / N % N, c / N / N);
        const double rho = density(x);
        u.at(n, 0)[c] = 0.25 * rho;
        u.at(n, 1)[c] = 0.75 * rho;
        u.at(n, fields.momentum(0))[c] = rho * (0.3 - x.y);
        u.at(n, fields.momentum(1))[c] = rho * (x.x + std::sin(20 * x.z));
        u.at(n, fields.energy())[c] = 1 + rho;
        u.at(n, fields.entropy())[c] = 1;
        u.at(n, fields.spin(2))[c] = 0.1 * rho * std::pow(tree.cell_width(n), 2);
      }
    }
    exchange::restrict_all(context, tree, fields, u);
  }
  std::vector<int> flags(const config::mesh& m, const config::refine& r, const mesh::block_data& gravity = {}) {
    return flags(criteria(m, r, {.species = {"a", "b"}}), m, gravity);
  }
  std::vector<int> flags(const criteria& by, const config::mesh& m, const mesh::block_data& gravity = {}) {
    const exchange::ghosts ghosts(tree, fields, m.boundaries);
    return by.flags(context, tree, fields, eos, ghosts, u, mesh::view(gravity));
  }
  bool adapt(const std::vector<int>& flags) {
    mesh::tree next(tree.box(), tree.adapted(flags));
    const bool changed = next.leaves() != tree.leaves();
    const mesh::block_data leaves = transfer(context, tree, next, mesh::local_partition(next), fields, u);
    tree = std::move(next);
    u = mesh::block_data(tree.size(), fields.size());
    std::copy_n(leaves.data(), leaves.bytes() / sizeof(double), u.data());
    exchange::restrict_all(context, tree, fields, u);
    return changed;
  }
};

}  // namespace rednova::regrid::test
