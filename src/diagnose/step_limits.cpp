#include "diagnose/step_limits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "exec/for_each.hpp"
#include "hydro/grid_motion.hpp"
#include "hydro/signal_speed.hpp"
#include "mesh/view.hpp"

namespace rednova::diagnose {
namespace {

/// The fastest cell of a leaf; none has a signal of 0.
step_limit limit_of(const step::simulation& s, int leaf, double least_density) {
  const mesh::field_numbers f = s.fields();
  const double h = s.tree().cell_width(leaf), rotation = s.rotation();
  const mesh::tree_view on = mesh::view(s.tree());
  const double* u = s.u().at(leaf);
  step_limit fastest;
  for (int c = 0; c < mesh::cells; ++c) {
    const double rho = s.density(leaf, c);
    if (rho < least_density) continue;
    const core::vec3d at = on.centre(leaf, c);
    const double grid_x = hydro::grid_velocity(0, rotation, at.y), grid_y = hydro::grid_velocity(1, rotation, at.x);
    const double signal = s.eos().visit([&](const auto& eos) {
      return hydro::cell_signal_speed<double>(u + c, mesh::cells, grid_x, grid_y, f, s.par().hydro.dual_energy_pressure,
                                              eos);
    });
    if (signal <= fastest.signal) continue;
    const core::vec3d momentum{u[f.momentum(0) * mesh::cells + c], u[f.momentum(1) * mesh::cells + c],
                               u[f.momentum(2) * mesh::cells + c]};
    fastest = {.level = s.tree()[leaf].level,
               .dt = s.par().hydro.cfl * h / signal,
               .at = at,
               .density = rho,
               .gas = std::sqrt(dot(momentum, momentum)) / rho,
               .grid = std::hypot(grid_x, grid_y),
               .signal = signal};
  }
  return fastest;
}

}  // namespace

std::vector<step_limit> step_limits(const step::simulation& s, double least_density) {
  const int first = s.own_leaves()[0], count = s.own_leaves()[1] - first;
  std::vector<step_limit> of_leaves(static_cast<std::size_t>(count));
  exec::for_each(s.context(), "time step", count,
                 [&](int i) { of_leaves[static_cast<std::size_t>(i)] = limit_of(s, first + i, least_density); });
  std::vector<step_limit> of_levels;
  for (int level = 0; level <= s.par().mesh.max_level; ++level) {
    const step_limit* shortest = nullptr;
    for (const step_limit& l : of_leaves)
      if (l.signal > 0 && l.level == level && (shortest == nullptr || l.dt < shortest->dt)) shortest = &l;
    if (shortest != nullptr) of_levels.push_back(*shortest);
  }
  return of_levels;
}

double gain_of_own_steps(const step::simulation& s, const std::vector<step_limit>& limits) {
  const std::vector<int> leaves = s.tree().leaves_by_level();
  double shortest = std::numeric_limits<double>::infinity(), all = 0, own = 0;
  for (const step_limit& l : limits) shortest = std::min(shortest, l.dt);
  double finer = std::numeric_limits<double>::infinity();  // the longest that a finer level allows, doubled
  for (auto l = limits.rbegin(); l != limits.rend(); ++l) {
    const double longest = std::min(l->dt, finer), times = std::exp2(std::floor(std::log2(longest / shortest)));
    const auto blocks = static_cast<double>(leaves[static_cast<std::size_t>(l->level)]);
    all += blocks;
    own += blocks / times;
    finer = 2 * times * shortest;
  }
  return all / own;
}

}  // namespace rednova::diagnose
