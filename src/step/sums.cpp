#include "step/sums.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/compensated.hpp"
#include "exchange/gather.hpp"
#include "step/workspace.hpp"

namespace rednova::step {

namespace {

using core::vec3d;
using mesh::N;

// Adds up N cells of a row, then adds the row with compensation.
class row_adder {
 public:
  /// Values from `to` on, their magnitudes from `to` + components on.
  row_adder(core::compensated* to, std::size_t components) : value_(to), magnitude_(to + components) {}
  template <class Value>
  void operator()(std::size_t component, const Value& value) {
    double sum = 0, magnitude = 0;
    for (int i = 0; i < N; ++i) {
      const double v = value(i);
      sum += v;
      magnitude += std::fabs(v);
    }
    value_[component] += sum;
    magnitude_[component] += magnitude;
  }

 private:
  core::compensated *value_, *magnitude_;
};

void sum_block(const simulation& s, int leaf, core::compensated* to) {
  const mesh::fields& f = s.fields;
  const auto species = static_cast<std::size_t>(f.species());
  row_adder add(to, species + vector_and_energy);
  const double h = s.tree.cell_width(leaf), volume = h * h * h;
  double x[N];
  for (int i = 0; i < N; ++i) x[i] = s.tree.centre(leaf, i, 0, 0).x;
  for (int row = 0; row < N * N; ++row) {
    const auto u = [&](int field) { return s.u.at(leaf, field) + row * N; };
    const vec3d x0 = s.tree.centre(leaf, 0, row % N, row / N);
    for (std::size_t k = 0; k < species; ++k) {
      add(k, [m = u(static_cast<int>(k)), volume](int i) { return volume * m[i]; });
    }
    const double* momentum[3] = {u(f.momentum(0)), u(f.momentum(1)), u(f.momentum(2))};
    for (int d = 0; d < 3; ++d) {
      const int a = (d + 1) % 3, b = (d + 2) % 3;
      const double *pd = momentum[d], *pa = momentum[a], *pb = momentum[b], *l = u(f.spin(d));
      const auto place = [&](int axis, int i) { return axis == 0 ? x[i] : x0[axis]; };
      const auto c = static_cast<std::size_t>(d);
      add(species + c, [&](int i) { return volume * pd[i]; });
      add(species + 3 + c, [&](int i) { return volume * (place(a, i) * pb[i]); });
      add(species + 3 + c, [&](int i) { return -volume * (place(b, i) * pa[i]); });
      add(species + 3 + c, [&](int i) { return volume * l[i]; });
    }
    add(species + 6, [&](int i) { return volume * u(f.energy())[i]; });
    if (s.gravity.empty()) continue;
    const double* phi = s.gravity.at(leaf, gravity::potential) + row * N;
    add(species + 6, [&](int i) { return 0.5 * volume * s.density(leaf, row * N + i) * phi[i]; });
  }
}

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
  const auto all = fold(s, 2 * width, [&](int leaf, core::compensated* row) { sum_block(s, leaf, row); });
  return to_grid_sums(s, all.data(), width);
}

void balance_books(simulation& s) {
  const int width = s.fields.species() + vector_and_energy;
  const tally& step = s.work->sums;
  const auto all = fold(s, step.numbers() + 2 * width, [&](int leaf, core::compensated* row) {
    std::copy_n(step.row(leaf), step.numbers(), row);
    sum_block(s, leaf, row + step.numbers());
  });
  const auto column = [&](int c) { return to_totals(all.data() + c * width, s.fields.species()); };
  for (std::size_t face = 0; face < mesh::faces; ++face) s.books.outflow[face] += column(static_cast<int>(face));
  s.books.floors += column(tally::floors);
  const grid_sums grid = to_grid_sums(s, all.data() + step.numbers(), width);
  s.books.grid = grid.value;
  s.books.magnitude = grid.magnitude;
}

}  // namespace rednova::step
