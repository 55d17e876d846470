#include "step/sums.hpp"

#include <algorithm>
#include <functional>

#include "core/compensated.hpp"
#include "exchange/gather.hpp"
#include "step/engine.hpp"
#include "step/workspace.hpp"

namespace rednova::step {

namespace {

totals to_totals(const core::compensated* row, int species) {
  totals t(species);
  for (double& mass : t.species) mass = (row++)->value();
  for (int d = 0; d < 3; ++d) t.momentum[d] = (row++)->value();
  for (int d = 0; d < 3; ++d) t.angular_momentum[d] = (row++)->value();
  t.energy = row->value();
  return t;
}

std::vector<core::compensated> fold(const simulation& s, int numbers,
                                    const std::function<void(int, core::compensated*)>& row_of) {
  return exchange::fold_leaves<core::compensated>(*s.where, "sums", s.tree, s.links->share(), numbers, row_of,
                                                  [numbers](core::compensated* sum, const core::compensated* part) {
                                                    for (int i = 0; i < numbers; ++i) sum[i] += part[i];
                                                  });
}

grid_sums to_grid_sums(const simulation& s, const core::compensated* row, int width) {
  const int species = s.fields.species();
  return {to_totals(row, species).rotated(s.rotation * s.time), to_totals(row + width, species)};
}

}  // namespace

grid_sums sum_grid(const simulation& s) {
  const int width = s.fields.species() + vector_and_energy;
  s.runs_on->begin_sums();
  const auto all = fold(s, 2 * width, [&](int leaf, core::compensated* row) { s.runs_on->sum(leaf, row); });
  return to_grid_sums(s, all.data(), width);
}

void balance_books(simulation& s) {
  const int width = s.fields.species() + vector_and_energy;
  const tally& step = s.work->sums;
  s.runs_on->begin_sums();
  const auto all = fold(s, step.numbers() + 2 * width, [&](int leaf, core::compensated* row) {
    if (step.any(leaf)) std::copy_n(step.row(leaf), step.numbers(), row);
    s.runs_on->sum(leaf, row + step.numbers());
  });
  const auto column = [&](int c) { return to_totals(all.data() + c * width, s.fields.species()); };
  for (std::size_t face = 0; face < mesh::faces; ++face) s.books.outflow[face] += column(static_cast<int>(face));
  s.books.floors += column(tally::floors);
  const grid_sums grid = to_grid_sums(s, all.data() + step.numbers(), width);
  s.books.grid = grid.value;
  s.books.magnitude = grid.magnitude;
}

}  // namespace rednova::step
