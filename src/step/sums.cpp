#include "step/sums.hpp"

#include <cmath>

#include "core/compensated.hpp"

namespace rednova::step {

namespace {

using core::vec3d;
using mesh::N;

// Compensated components: species, then momentum (3), angular momentum (3), energy.
using compensated_row = std::vector<core::compensated>;
constexpr std::size_t vector_and_energy = 7;

struct block_sums {
  compensated_row value, magnitude;
};

// Adds up N cells of a row, then adds the row with compensation.
class row_adder {
 public:
  explicit row_adder(block_sums& to) : to_(&to) {}
  template <class Value>
  void operator()(std::size_t component, const Value& value) {
    double sum = 0, magnitude = 0;
    for (int i = 0; i < N; ++i) {
      const double v = value(i);
      sum += v;
      magnitude += std::fabs(v);
    }
    to_->value[component] += sum;
    to_->magnitude[component] += magnitude;
  }

 private:
  block_sums* to_;
};

block_sums sum_block(const simulation& s, int leaf) {
  const mesh::fields& f = s.fields;
  const auto species = static_cast<std::size_t>(f.species());
  block_sums sums{compensated_row(species + vector_and_energy), compensated_row(species + vector_and_energy)};
  row_adder add(sums);
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
  return sums;
}

totals to_totals(const compensated_row& row, int species) {
  totals t(species);
  const auto n = static_cast<std::size_t>(species);
  for (std::size_t k = 0; k < n; ++k) t.species[k] = row[k].value();
  for (std::size_t d = 0; d < 3; ++d) {
    t.momentum[static_cast<int>(d)] = row[n + d].value();
    t.angular_momentum[static_cast<int>(d)] = row[n + 3 + d].value();
  }
  t.energy = row[n + 6].value();
  return t;
}

void fold(compensated_row& all, const compensated_row& part) {
  if (all.empty()) all.resize(part.size());
  for (std::size_t i = 0; i < part.size(); ++i) all[i] += part[i];
}

}  // namespace

grid_sums sum_grid(const simulation& s) {
  const block_sums all = exec::reduce(
      *s.where, "sums", s.tree.leaves(), block_sums{}, [&](int leaf) { return sum_block(s, leaf); },
      [](block_sums total, const block_sums& part) {
        fold(total.value, part.value);
        fold(total.magnitude, part.magnitude);
        return total;
      });
  return {to_totals(all.value, s.fields.species()).rotated(s.rotation * s.time),
          to_totals(all.magnitude, s.fields.species())};
}

}  // namespace rednova::step
