// What a block contributes to the conserved sums: the terms, in the order in which they are added.
#pragma once

#include "core/compensated.hpp"
#include "core/vec3.hpp"
#include "exec/simd.hpp"
#include "hydro/grid_motion.hpp"
#include "hydro/primitives.hpp"
#include "mesh/block.hpp"
#include "mesh/fields.hpp"
#include "step/ledger.hpp"

namespace rednova::step {

/// A block that is summed up.
struct summed_block {
  const double* u = nullptr;    ///< [field][cell]
  const double* phi = nullptr;  ///< potential of the cells, or null where there is no gravity
  core::vec3d corner;           ///< lower corner of the block
  double h = 0;                 ///< cell width
};

/// Terms of a row of cells, in the order of for_terms: of each species one; along each axis one of momentum and three
/// of angular momentum, the last of which is the cells' spin; the gas's energy and that of gravity.
constexpr int terms_of_row(int species) { return species + 14; }

/// The terms of a component of totals.
struct term_range {
  int first, count;
};
constexpr term_range terms_of(int component, int species, bool gravity) {
  if (component < species) return {component, 1};
  if (component < species + 3) return {species + 4 * (component - species), 1};
  if (component < species + 6) return {species + 4 * (component - species - 3) + 1, 3};
  if (component == species + 6) return {species + 12, gravity ? 2 : 1};
  return {species + 4 * (component - species - 7) + 3, 1};
}

/// Calls add(value) for each term of a row of cells along x, value(i) the term of the row's cell i. row: j + N
/// k.
template <class Add>
REDNOVA_FN void for_terms(const summed_block& b, const mesh::field_numbers& f, int row, const Add& add) {
  constexpr int N = mesh::N;
  const int species = f.species();
  const double volume = b.h * b.h * b.h;
  const auto u = [&](int field) { return b.u + field * mesh::cells + row * N; };
  const double y = hydro::centre(b.corner.y, b.h, row % N), z = hydro::centre(b.corner.z, b.h, row / N);
  const auto place = [&](int axis, int i) { return axis == 0 ? hydro::centre(b.corner.x, b.h, i) : axis == 1 ? y : z; };
  for (int k = 0; k < species; ++k) add([m = u(k), volume](int i) { return volume * m[i]; });
  for (int d = 0; d < 3; ++d) {
    const int a = (d + 1) % 3, c = (d + 2) % 3;
    const double *pd = u(f.momentum(d)), *pa = u(f.momentum(a)), *pc = u(f.momentum(c)), *l = u(f.spin(d));
    add([&](int i) { return volume * pd[i]; });
    add([&](int i) { return volume * (place(a, i) * pc[i]); });
    add([&](int i) { return -volume * (place(c, i) * pa[i]); });
    add([&](int i) { return volume * l[i]; });
  }
  add([e = u(f.energy()), volume](int i) { return volume * e[i]; });
  if (b.phi == nullptr) return;
  const double* phi = b.phi + row * N;
  add([&](int i) { return 0.5 * volume * hydro::mass_density<double>(u(0) + i, mesh::cells, species) * phi[i]; });
}

/// The sum of a term over a row, and that of its absolute values.
struct row_sum {
  double value = 0, magnitude = 0;

  template <class Term>
  REDNOVA_FN explicit row_sum(const Term& term) {
    for (int i = 0; i < mesh::N; ++i) {
      const double v = term(i);
      value += v;
      magnitude += exec::abs(v);
    }
  }
};

}  // namespace rednova::step
