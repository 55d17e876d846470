#include "step/sums.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/compensated.hpp"
#include "radiation/solver.hpp"
#include "step/leaf_sums.hpp"
#include "step/point_motion.hpp"
#include "step/step_ledger.hpp"
#include "step/stepper.hpp"
#include "step/sum_cells.hpp"

namespace rednova::step {

namespace {

totals to_totals(const core::compensated* row, int species) {
  totals t(species);
  for (double& mass : t.species) mass = (row++)->value();
  for (int d = 0; d < 3; ++d) t.momentum[d] = (row++)->value();
  for (int d = 0; d < 3; ++d) t.angular_momentum[d] = (row++)->value();
  t.energy = (row++)->value();
  for (int d = 0; d < 3; ++d) t.spin[d] = (row++)->value();
  return t;
}

std::vector<core::compensated> fold(const simulation& s, int numbers,
                                    const std::function<void(int, core::compensated*)>& row_of) {
  const exec::profile::scope timed(s.context().times(), "sums");
  return add_leaves(s, "sums", numbers, row_of);
}

int width_of(const simulation& s) { return s.fields().species() + vector_and_energy; }

/// Numbers of a leaf that make grid_sums.
int numbers_of_grid(const simulation& s) { return numbers_of_sums(s.fields().species(), s.star_gas().two()); }

/// Adds the light of a leaf to its sums and to the magnitudes of these.
void add_light(const simulation& s, int leaf, core::compensated* row) {
  namespace field = radiation::field;
  const int species = s.fields().species(), width = width_of(s);
  const double h = s.tree().cell_width(leaf), volume = h * h * h;
  const mesh::tree_view tree = mesh::view(s.tree());
  const auto add = [&](int component, double value) {
    row[species + component] += value;
    row[width + species + component] += std::abs(value);
  };
  for (int c = 0; c < mesh::cells; ++c) {
    const core::vec3d x = tree.centre(leaf, c);
    core::vec3d q;
    for (int d = 0; d < 3; ++d) q[d] = volume * s.light().at(leaf, field::momentum(d))[c];
    for (int d = 0; d < 3; ++d) {
      const int a = (d + 1) % 3, b = (d + 2) % 3;
      add(d, q[d]);
      add(3 + d, x[a] * q[b]);
      add(3 + d, -x[b] * q[a]);
      const double spin = volume * s.light().at(leaf, field::spin(d))[c];
      add(3 + d, spin);
      add(7 + d, spin);  // no part of the flow's, as that of gas
    }
    add(6, volume * s.light().at(leaf, field::energy)[c]);
  }
}

void copy_sums(const simulation& s, int leaf, core::compensated* row) {
  std::copy_n(s.stepper().sums(leaf), numbers_of_grid(s), row);
  if (s.par().radiation.enabled) add_light(s, leaf, row);
}

grid_sums to_grid_sums(const simulation& s, const core::compensated* row) {
  const int species = s.fields().species(), width = width_of(s);
  totals value = to_totals(row, species), magnitude = to_totals(row + width, species);
  if (s.points().count > 0) {
    value += point_totals(s.points(), s.pulls(), false);
    magnitude += point_totals(s.points(), s.pulls(), true);
  }
  grid_sums sums{value.rotated(s.grid_angle()), std::move(magnitude), {}};
  if (!s.star_gas().two()) return sums;
  double stars[numbers_of_stars];
  for (int i = 0; i < numbers_of_stars; ++i) stars[i] = row[2 * width + i].value();
  sums.stars = star_pair(stars);
  return sums;
}

}  // namespace

grid_sums sum_grid(const simulation& s) {
  s.stepper().sum();
  const auto all = fold(s, numbers_of_grid(s), [&](int leaf, core::compensated* row) { copy_sums(s, leaf, row); });
  return to_grid_sums(s, all.data());
}

star_pair balance_ledger(const simulation& s, ledger& to) {
  const int width = width_of(s);
  const step_ledger& step = s.stepper().additions();
  s.stepper().sum();
  const auto all = fold(s, step.numbers() + numbers_of_grid(s), [&](int leaf, core::compensated* row) {
    if (step.any(leaf)) std::copy_n(step.row(leaf), step.numbers(), row);
    copy_sums(s, leaf, row + step.numbers());
  });
  const auto column = [&](int c) { return to_totals(all.data() + c * width, s.fields().species()); };
  for (std::size_t face = 0; face < mesh::faces; ++face) to.outflow[face] += column(static_cast<int>(face));
  to.floors += column(step_ledger::floors);
  for (std::size_t i = 0; i < hydro::unbound_criteria; ++i)
    to.unbound_outflow[i] += all[static_cast<std::size_t>(step.unbound()) + i].value();
  const grid_sums grid = to_grid_sums(s, all.data() + step.numbers());
  to.grid = grid.value;
  to.magnitude = grid.magnitude;
  return grid.stars;
}

void add_radiated(const simulation& s, ledger& to) {
  const auto all = fold(s, radiation::outflow_numbers, [&](int leaf, core::compensated* row) {
    for (int n = 0; n < radiation::outflow_numbers; ++n) row[n] += s.stepper().radiated(leaf)[n];
  });
  to.radiated.energy += all[0].value();
  for (int d = 0; d < 3; ++d) {
    to.radiated.momentum[d] += all[static_cast<std::size_t>(1 + d)].value();
    to.radiated.angular_momentum[d] += all[static_cast<std::size_t>(4 + d)].value();
  }
  to.luminosity = all[0].value() / s.dt();
}

}  // namespace rednova::step
