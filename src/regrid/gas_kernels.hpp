// What the criteria look for: functors that cores call block by block (criteria.cpp) and devices launch
// (device_criteria.hpp), by the rules of gas_rules.hpp.
#pragma once

#include "gravity/result_field.hpp"
#include "hydro/unbound.hpp"
#include "mesh/view.hpp"
#include "regrid/gas_rules.hpp"
#include "regrid/photosphere.hpp"

namespace rednova::regrid {

/// What is found in some cells of a leaf.
struct found_in_cells {
  double densest;               ///< largest mass density
  bool in_core[star_cores][2];  ///< whether a cell is in a core, by purpose
  bool unbound[2];              ///< whether a cell's gas is, by purpose

  REDNOVA_FN void add(const found_in_cells& more) {
    densest = exec::max(densest, more.densest);
    for (int why = 0; why < 2; ++why) {
      for (int c = 0; c < star_cores; ++c) in_core[c][why] = in_core[c][why] || more.in_core[c][why];
      unbound[why] = unbound[why] || more.unbound[why];
    }
  }
};

/// A thread for each column of cells along z.
struct look_at_columns {
  static constexpr int columns = mesh::N * mesh::N;

  gas_rules rules;
  mesh::block_view<const double> u, gravity;  ///< gravity: gravity::result_field; null: none is known
  int first;                                  ///< leaf
  found_in_cells* found;                      ///< [leaf from there on][column]

  REDNOVA_FN void operator()(int n) const {
    const int leaf = first + n / columns;
    found_in_cells all = at(leaf, n % columns);
    for (int c = n % columns + columns; c < mesh::cells; c += columns) all.add(at(leaf, c));
    found[n] = all;
  }

 private:
  REDNOVA_FN found_in_cells at(int leaf, int c) const {
    const double rho = hydro::mass_density<double>(u.at(leaf) + c, mesh::cells, rules.fields.species());
    found_in_cells here{rho, {}, {}};
    for (int k = 0; k < star_cores; ++k) {
      if (rules.core[k] < 0) continue;
      const double of_core = u.at(leaf, rules.core[k])[c];
      for (const purpose why : {purpose::refine, purpose::keep})
        here.in_core[k][static_cast<int>(why)] = rules.in_core(rho, of_core, why);
    }
    if (rules.unbound && gravity.values != nullptr && rho > rules.unbound_density * rules.factor(purpose::keep)) {
      const hydro::unbound_cell gas(rules.fields, rules.eos, rules.dual_energy_pressure, u.at(leaf) + c,
                                    gravity.at(leaf, gravity::potential)[c]);
      for (const purpose why : {purpose::refine, purpose::keep})
        here.unbound[static_cast<int>(why)] = gas.by[0] && rho > rules.unbound_density * rules.factor(why);
    }
    return here;
  }
};

/// A thread for each leaf.
struct add_columns {
  const found_in_cells* of_columns;  ///< [leaf][column]
  found_in_cells* found;             ///< [leaf]

  REDNOVA_FN void operator()(int leaf) const {
    const found_in_cells* from = of_columns + static_cast<std::ptrdiff_t>(leaf) * look_at_columns::columns;
    found_in_cells all = from[0];
    for (int c = 1; c < look_at_columns::columns; ++c) all.add(from[c]);
    found[leaf] = all;
  }
};

/// The numbers whose gradients count, a thread for each ghosted cell.
struct watch_cells {
  gas_rules rules;
  const double* u;  ///< [i][field][ghosted cell]
  double* q;        ///< [i][ghosted cell]: that whose jumps count, where they are looked for
  double* p;        ///< [i][ghosted cell]: the pressure, where its scale height is looked for

  REDNOVA_FN void operator()(int n) const {
    const int i = n / mesh::ghosted_cells, c = n % mesh::ghosted_cells;
    const int x = c % mesh::M - mesh::ghosts, y = c / mesh::M % mesh::M - mesh::ghosts,
              z = c / (mesh::M * mesh::M) - mesh::ghosts;
    // No other cells are on a line.
    if (!hydro::in_cross(x, y, z, mesh::ghosts, 0)) return;
    const double* const here = u + static_cast<std::ptrdiff_t>(i) * rules.fields.size() * mesh::ghosted_cells + c;
    if (rules.gradient > 0) q[n] = rules.watched(here);
    if (rules.scale_height > 0) p[n] = rules.pressure_at(here);
  }
};

/// A thread for each line of cells, of which those along x look for short scale heights, too.
struct find_slopes {
  gas_rules rules;
  purpose why;
  const double *u, *q, *p;  ///< as those of watch_cells
  char* found;              ///< [i][line]: slope

  REDNOVA_FN void operator()(int n) const {
    const int line = n % gas_rules::lines;
    const std::ptrdiff_t i = n / gas_rules::lines, block = i * mesh::ghosted_cells;
    int all = no_slope;
    if (rules.gradient > 0 && rules.jumps(q + block, line, why)) all |= jump;
    if (rules.scale_height > 0 && line < mesh::N * mesh::N && steep(u + block * rules.fields.size(), p + block, line))
      all |= short_scale_height;
    found[n] = static_cast<char>(all);
  }

 private:
  REDNOVA_FN bool steep(const double* of_block, const double* pressure, int row) const {
    const int first = mesh::ghosted(0, row % mesh::N, row / mesh::N);
    constexpr int stride[3] = {1, mesh::M, mesh::M * mesh::M};
    for (int c = first; c < first + mesh::N; ++c) {
      double differences[3];
      for (int d = 0; d < 3; ++d) differences[d] = pressure[c + stride[d]] - pressure[c - stride[d]];
      if (rules.steep(rules.density_at(of_block + c), pressure[c], differences, why)) return true;
    }
    return false;
  }
};

/// The optical depths, a thread for each ghosted cell.
struct find_depths {
  gas_rules rules;
  photosphere by;
  const double* u;  ///< [i][field][ghosted cell]
  double* depths;   ///< [i][ghosted cell]

  REDNOVA_FN void operator()(int n) const {
    const int i = n / mesh::ghosted_cells, c = n % mesh::ghosted_cells;
    const int x = c % mesh::M - mesh::ghosts, y = c / mesh::M % mesh::M - mesh::ghosts,
              z = c / (mesh::M * mesh::M) - mesh::ghosts;
    if (!hydro::in_cross(x, y, z, 1, 0)) return;
    const double* const here = u + static_cast<std::ptrdiff_t>(i) * rules.fields.size() * mesh::ghosted_cells + c;
    depths[n] = by.depth_at(here, rules.fields, rules.eos);
  }
};

/// Where light gets free, a thread for each row of cells along x, with those beyond the faces.
struct find_free_light {
  static constexpr int edge = mesh::N + 2, rows = edge * edge;

  photosphere by;
  purpose why;
  const double* depths;  ///< as find_depths'
  char* found;           ///< [i][row]: slope

  REDNOVA_FN void operator()(int n) const {
    const double* const of_block = depths + static_cast<std::ptrdiff_t>(n / rows) * mesh::ghosted_cells;
    const int j = n % edge - 1, k = n / edge % edge - 1;
    bool any = false;
    for (int i = -1; i <= mesh::N; ++i) any = any || by.free_above(of_block, i, j, k, why);
    found[n] = static_cast<char>(any ? light_gets_free : no_slope);
  }
};

/// A thread for each block.
struct add_lines {
  const char* of_lines;  ///< [i][line]
  const char* of_rows;   ///< [i][find_free_light's row]; null: none
  char* found;           ///< [i]: slope, all of its lines' and rows'

  REDNOVA_FN void operator()(int i) const {
    int any = no_slope;
    for (int line = 0; line < gas_rules::lines; ++line) any |= of_lines[i * gas_rules::lines + line];
    for (int row = 0; of_rows != nullptr && row < find_free_light::rows; ++row)
      any |= of_rows[i * find_free_light::rows + row];
    found[i] = static_cast<char>(any);
  }
};

}  // namespace rednova::regrid
