// Floors as functors, a thread for each leaf of a list: most need only the quick look.
#pragma once

#include "step/cell_limits.hpp"
#include "step/stage_form.hpp"

namespace rednova::step {

REDNOVA_FN bool leaf_within_limits(const state_view& s, const double* u) {
  for (int c = 0; c < mesh::cells; ++c) {
    if (!within_limits<double>(s.fields, s.limits, u + c)) return false;
  }
  return true;
}

/// As raise_density, of u. What it adds is to be booked.
struct raise_densities {
  state_view s;
  stage_form form;
  int stage;
  const int* list;
  double* floor_density;  ///< [own leaf][cell]: density that floors added in this step, by the stages' weights
  double* added;          ///< [position][species]: masses

  REDNOVA_FN void operator()(int i) const {
    const int leaf = list[i], species = s.fields.species();
    double* masses = added + static_cast<std::ptrdiff_t>(i) * species;
    for (int k = 0; k < species; ++k) masses[k] = 0;
    double* account = floor_density + static_cast<std::ptrdiff_t>(leaf - s.first_leaf) * mesh::cells;
    for (int c = 0; c < mesh::cells; ++c) account[c] = stage == 0 ? 0 : account[c] * form.b;
    double* u = s.u.at(leaf);
    if (leaf_within_limits(s, u)) return;
    const double volume = cell_volume(s.tree, leaf);
    for (int c = 0; c < mesh::cells; ++c) {
      account[c] += raise_cell_density(s.fields, s.limits.density, volume, u + c, masses);
    }
  }
};

/// As raise_energy, of u. What it adds is to be booked.
struct raise_energies {
  state_view s;
  const int* list;
  double* added;  ///< [position]: energy

  REDNOVA_FN void operator()(int i) const {
    const int leaf = list[i];
    double* u = s.u.at(leaf);
    double sum = 0;
    if (!leaf_within_limits(s, u)) {
      const double volume = cell_volume(s.tree, leaf);
      for (int c = 0; c < mesh::cells; ++c) sum += volume * raise_cell_energy(s.fields, s.limits, s.eos, u + c);
    }
    added[i] = sum;
  }
};

}  // namespace rednova::step
