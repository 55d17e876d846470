// Gas with nothing regular in it on meshes of several levels.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "exchange/restrict.hpp"

namespace rednova::exchange::test {

/// Leaves of three levels or four, refined at random.
inline mesh::tree random_tree(const std::array<bool, 3>& periodic, unsigned seed) {
  const mesh::domain box{.lower = {-1, -0.7, -0.4}, .base_width = 0.8, .base = {2, 1, 1}, .periodic = periodic};
  mesh::tree t = mesh::tree::uniform(box, 1);
  std::mt19937 random(seed);
  for (int round = 0; round < 3; ++round) {
    std::vector<int> flags;
    for (int n = 0; n < t.leaves(); ++n) flags.push_back(random() % 10 == 0 ? 1 : 0);
    t = mesh::tree(box, t.adapted(flags));
  }
  return t;
}

/// The gas of a cell, at(field): densities over eight decades, velocities and spin of either sign. unit(): random
/// numbers from 0 to 1; heat(): the internal energy per mass.
template <class At, class Unit, class Heat>
void fill_random_cell(const mesh::field_numbers& f, const At& at, const Unit& unit, const Heat& heat) {
  double rho = 0;
  for (int k = 0; k < f.species(); ++k) rho += at(f.species(k)) = std::pow(10, -8 * unit());
  at(f.energy()) = rho * heat();
  at(f.entropy()) = rho * unit();
  for (int d = 0; d < 3; ++d) {
    const double v = 2 * unit() - 1;
    at(f.momentum(d)) = rho * v;
    at(f.energy()) += 0.5 * rho * v * v;
    at(f.spin(d)) = 1e-3 * rho * (2 * unit() - 1);
    if (f.has_acceleration()) at(f.acceleration(d)) = 2 * unit() - 1;
  }
}

/// Cells of fill_random_cell. Refined nodes hold what is none of their children's.
struct random_gas {
  random_gas(const mesh::tree& t, int species, unsigned seed, bool gravity = true)
      : fields(species, gravity), u(t.size(), fields.size()) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> distribution(0, 1);
    const auto unit = [&] { return distribution(generator); };
    for (int n = 0; n < t.size(); ++n) {
      for (int c = 0; c < mesh::cells; ++c) {
        const auto at = [&](int field) -> double& { return u.at(n, field)[c]; };
        fill_random_cell(fields, at, unit, unit);
      }
    }
  }
  mesh::fields fields;
  mesh::block_data u;
};

/// Numbers to be overwritten, all different.
inline std::vector<double> untouched(std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = -1e6 - static_cast<double>(i);
  return values;
}

}  // namespace rednova::exchange::test
