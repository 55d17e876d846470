// What the phases of a step have to do, counted from formulas: floating-point operations and the bytes that must move
// between memory and processor if every field is read and written once a phase.
#pragma once

#include <array>
#include <map>
#include <string>

#include "counted.hpp"
#include "gravity/basis.hpp"
#include "gravity/operators.hpp"
#include "gravity/stencil.hpp"
#include "hydro/block_kernel.hpp"
#include "step/cores.hpp"

namespace rednova::bench {

/// For each cell of the leaves.
struct work {
  double flops = 0, bytes = 0;
};

/// Operations of the hydrodynamic update of a cell, counted on every 16th leaf with the state that it has.
inline double hydro_flops(step::simulation& s) {
  const hydro::block_kernel<counted, eos::ideal_gas> kernel(s.par().hydro, s.fields(), s.eos().ideal);
  const auto fields = static_cast<std::size_t>(s.fields().size());
  exec::array<double> u(fields * mesh::ghosted_cells), rate(fields * mesh::cells);
  hydro::block_scratch scratch;
  counted::operations = 0;
  int blocks = 0;
  for (int leaf = 0; leaf < s.tree().leaves(); leaf += 16, ++blocks) {
    step::cores_of(s).work().ghosts.gather(s.u(), leaf, s.rotation(), u.data());
    const hydro::block_input in{.u = u.data(),
                                .corner = s.tree().corner(leaf),
                                .h = s.tree().cell_width(leaf),
                                .rotation = s.rotation(),
                                .finer_faces = step::cores_of(s).work().faces.finer(leaf)};
    kernel(in, {.rate = rate.data()}, {s.dt(), 6}, scratch);
  }
  return static_cast<double>(counted::operations) / (blocks * mesh::cells);
}

/// Pairs of a stencil between the cells of a block and each of its neighbours (mesh::side()), as shares of all pairs.
inline std::array<double, mesh::sides> share_of_sides(int near2, gravity::pairs which) {
  constexpr int N = mesh::N;
  std::array<double, mesh::sides> count{};
  double all = 0;
  const auto at = [](int i) { return i < 0 ? -1 : i >= N ? 1 : 0; };
  for (int c = 0; c < mesh::cells; ++c) {
    const int x = c % N, y = c / N % N, z = c / (N * N);
    for (int X = x / 2 - 3; X <= x / 2 + 3; ++X) {
      for (int Y = y / 2 - 3; Y <= y / 2 + 3; ++Y) {
        for (int Z = z / 2 - 3; Z <= z / 2 + 3; ++Z) {
          const int dX = X - x / 2, dY = Y - y / 2, dZ = Z - z / 2;
          if (dX * dX + dY * dY + dZ * dZ > near2) continue;
          for (int o = 0; o < 8; ++o) {
            const int sx = 2 * X + (o & 1), sy = 2 * Y + (o >> 1 & 1), sz = 2 * Z + (o >> 2);
            const int d2 = (sx - x) * (sx - x) + (sy - y) * (sy - y) + (sz - z) * (sz - z);
            if (which == gravity::pairs::far ? d2 <= near2 : d2 == 0) continue;
            count[gravity::index(mesh::side(at(sx), at(sy), at(sz)))] += 1;
            all += 1;
          }
        }
      }
    }
  }
  for (double& n : count) n /= all;
  return count;
}

/// Multiply-adds of an operator from moments of order <= p to derivatives of order <= last, one offset and cell.
inline int terms(int p, int last) {
  int sum = 0;
  for (int n = 0; n <= last; ++n) sum += (2 * n + 1) * gravity::basis_size(p - n);
  return sum;
}

/// Operations of one solve for gravity, by phase, for each cell of the leaves. Offsets that serve a plane above and one
/// below count once, as they are executed; the folding itself counts nothing. The root block, where all cells interact,
/// counts as any other.
inline std::map<std::string, double> gravity_flops(const step::simulation& s) {
  using gravity::pairs;
  const int p = s.par().gravity.order, near2 = s.par().gravity.near_radius_squared, numbers = gravity::basis_size(p);
  const gravity::stencil far(1, near2, pairs::far, gravity::place::inner, numbers);
  const gravity::stencil near(1, near2, pairs::near, gravity::place::inner, 1);
  const auto far_share = share_of_sides(near2, pairs::far), direct_share = share_of_sides(near2, pairs::near);
  const double m2l = 2.0 * far.operators_per_cell() * terms(p, p), m2p = 2.0 * far.operators_per_cell() * terms(p, 1),
               p2l = 2.0 * far.operators_per_cell() * numbers, p2p = 2.0 * near.operators_per_cell() * 4;
  double interactions = 0, leaves = 0;  // in blocks
  for (int n = 0; n < s.tree().size(); ++n) {
    for (int side = 0; side < mesh::sides; ++side) {
      const auto i = gravity::index(side);
      const int other = side == mesh::sides / 2 ? n : s.tree()[n].neighbour[i];
      if (other == mesh::outside) continue;
      const bool refined = other >= s.tree().leaves();
      if (n >= s.tree().leaves()) {
        interactions += far_share[i] * (refined ? m2l : p2l);
      } else {
        // Finer neighbours also act through ghost children: for the four octants at a face, an eighth of the cells.
        leaves += refined ? far_share[i] * m2p + direct_share[i] * p2p * 8 : direct_share[i] * p2p;
      }
    }
  }
  // Translations: entries of the triangular matrices, up and down, to and from each of eight children.
  double entries = 0;
  const gravity::operators by(p);
  for (const auto& m : by.m2m) entries += static_cast<double>(m.size()) / 8;
  const double blocks = s.tree().leaves(), refined = s.tree().size() - s.tree().leaves();
  return {{"gravity M2L", interactions / blocks},
          {"gravity leaves (near field)", (leaves + 2.0 * numbers * 4 * blocks) / blocks},
          {"gravity upward pass", 2 * (entries * refined + numbers * blocks) / blocks},
          {"gravity downward pass", 2 * entries * refined / blocks}};
}

/// Work of a whole step, by the names of its phases (exec::profile). The sweep over faces is counted by running it; the
/// sum of states is 4 operations for each scalar field and 80 for the vectors, which turn with the frame, in a stage.
inline std::map<std::string, work> step_work(step::simulation& s) {
  const double stages = s.par().hydro.time_integrator == config::integrator::rk2 ? 2 : 3, number = sizeof(double);
  const double f = s.fields().size(), species = s.fields().species(), flows = 3.0 * (mesh::N + 1) / mesh::N;
  const bool gravity = s.par().gravity.enabled;
  std::map<std::string, work> all, solve;
  all["hydro"] = {hydro_flops(s), number * 2 * f};
  all["sum of states"] = {4 * (f - 6) + 80, number * (4 * f + (gravity ? 7 + 2 * flows : 0))};
  all["restrict"] = {f, number * f * 9 / 8};
  all["positivity"] = {species + 9, number * (species + 5)};
  all["floors"] = {species, number * species};
  all["dual energy"] = {species + 9, number * (species + 5)};
  if (gravity) {
    const double numbers = gravity::basis_size(s.par().gravity.order), refined = s.tree().size() - s.tree().leaves();
    const double expansions = numbers * refined / s.tree().leaves();
    const auto flops = gravity_flops(s);
    all["gravity density"] = {species - 1, number * (species + 1)};
    solve["gravity upward pass"] = {flops.at("gravity upward pass"), number * (2 + expansions)};
    solve["gravity M2L"] = {flops.at("gravity M2L"), number * 2 * expansions};
    solve["gravity downward pass"] = {flops.at("gravity downward pass"), number * 2 * expansions};
    solve["gravity leaves (near field)"] = {flops.at("gravity leaves (near field)"), number * (8 + numbers / 8)};
    // Along each direction 14 operations a face for the potential there, and 7 a cell for the work.
    all["gravity work"] = {14 * flows + 3 * 7, number * (3 + flows + 4)};
  }
  for (auto& [name, w] : all) w.flops *= stages, w.bytes *= stages;
  all.merge(solve);  // once a step
  all["time step"] = {species + 20, number * (species + 5)};
  all["sums"] = {8 * f, number * (f + (gravity ? 1 : 0))};
  return all;
}

}  // namespace rednova::bench
