#include "step/sums.hpp"

#include <cmath>

#include "core/compensated.hpp"

namespace rednova::step {

namespace {

using core::vec3d;
using mesh::N;

// Compensated components: species, then momentum (3), angular momentum (3), energy.
using compensated_row = std::vector<core::compensated>;

vec3d absolute(const vec3d& v) { return {std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}; }

void add_vector(compensated_row& row, std::size_t at, const vec3d& v) {
  for (int d = 0; d < 3; ++d) row[at + static_cast<std::size_t>(d)] += v[d];
}

struct block_sums {
  compensated_row value, magnitude;
};

block_sums sum_block(const simulation& s, int leaf) {
  const mesh::fields& f = s.fields;
  const auto species = static_cast<std::size_t>(f.species());
  block_sums sums{compensated_row(species + 7), compensated_row(species + 7)};
  const double h = s.tree.cell_width(leaf), volume = h * h * h;
  const auto u = [&](int field, int c) { return s.u.at(leaf, field)[c]; };
  for (int c = 0; c < mesh::cells; ++c) {
    const vec3d x = s.tree.centre(leaf, c % N, c / N % N, c / N / N);
    const vec3d momentum{u(f.momentum(0), c), u(f.momentum(1), c), u(f.momentum(2), c)};
    const vec3d spin{u(f.spin(0), c), u(f.spin(1), c), u(f.spin(2), c)};
    const vec3d orbital = cross(x, momentum);
    double rho = 0;
    for (std::size_t k = 0; k < species; ++k) {
      const double m = u(static_cast<int>(k), c);
      rho += m;
      sums.value[k] += volume * m;
      sums.magnitude[k] += volume * std::fabs(m);
    }
    const double potential = s.gravity.empty() ? 0 : 0.5 * rho * s.gravity.at(leaf, gravity::potential)[c];
    add_vector(sums.value, species, volume * momentum);
    add_vector(sums.magnitude, species, volume * absolute(momentum));
    add_vector(sums.value, species + 3, volume * orbital);
    add_vector(sums.value, species + 3, volume * spin);
    add_vector(sums.magnitude, species + 3, volume * (absolute(orbital) + absolute(spin)));
    sums.value[species + 6] += volume * u(f.energy(), c);
    sums.value[species + 6] += volume * potential;
    sums.magnitude[species + 6] += volume * (std::fabs(u(f.energy(), c)) + std::fabs(potential));
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
