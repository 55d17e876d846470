// What a stage keeps of the flow through faces: mass for gravity's work, and what leaves the domain for the ledger.
#pragma once

#include "gravity/result_field.hpp"
#include "hydro/unbound.hpp"
#include "step/batch.hpp"
#include "step/ledger.hpp"
#include "step/stage_form.hpp"
#include "step/view.hpp"

namespace rednova::step {

/// Mass that flowed through a face since the start of the step over dt, after a stage with this flux of mass. before:
/// the same before the stage; not read in the first.
REDNOVA_FN double flow_so_far(const stage_form& form, int stage, const double& before, double flux) {
  return form.b * ((stage == 0 ? 0 : before) + flux);
}

/// The value of mass flow through the face of a cell at the end of a block. flow: state_view::flow of the direction.
REDNOVA_FN const double& flow_at_end(const double* flow, int face, int value) {
  return flow[(mesh::N + 1) * value + (face % 2 ? mesh::N : 0)];
}

/// Whether the domain ends at a face of a leaf.
REDNOVA_FN bool on_boundary(const mesh::tree_view& t, int leaf, int face) {
  return t.neighbour(leaf, exchange::side_of_face(face)) == mesh::outside;
}

/// Outward sums of the fluxes through a row of a face of the domain, per time, in the frame of the grid.
/// flux: [field][N²] as hydro::block_output::outer_flux; sum: [component of totals].
REDNOVA_FN void face_sums(const mesh::tree_view& t, const mesh::field_numbers& f, bool spin, int leaf, int face,
                          int row, const double* flux, double* sum) {
  constexpr int N = mesh::N;
  const int first = row * N, end = first + N;
  const int d = face / 2;
  const double h = t.cell_width(leaf), area = (face % 2 ? 1 : -1) * h * h;
  const auto value = [&](int field, int q) { return area * flux[field * N * N + q]; };
  for (int k = 0; k < f.species(); ++k) {
    double mass = 0;
    for (int q = first; q < end; ++q) mass += value(k, q);
    sum[k] = mass;
  }
  core::vec3d all{}, angular{}, spins{};
  double energy = 0;
  for (int q = first; q < end; ++q) {
    core::vec3d x = t.centre(leaf, exchange::face_cell(face, q % N, q / N));
    x[d] += (face % 2 ? 0.5 : -0.5) * h;
    const core::vec3d momentum{value(f.momentum(0), q), value(f.momentum(1), q), value(f.momentum(2), q)};
    all += momentum;
    angular += cross(x, momentum);
    if (spin) {
      const core::vec3d of_cells{value(f.spin(0), q), value(f.spin(1), q), value(f.spin(2), q)};
      angular += of_cells;
      spins += of_cells;
    }
    energy += value(f.energy(), q);
  }
  double* const vectors_of_sum = sum + f.species();
  for (int c = 0; c < 3; ++c) vectors_of_sum[c] = all[c];
  for (int c = 0; c < 3; ++c) vectors_of_sum[3 + c] = angular[c];
  vectors_of_sum[6] = energy;
  for (int c = 0; c < 3; ++c) vectors_of_sum[7 + c] = spins[c];
}

/// Of the mass in face_sums, what comes out of cells with unbound gas: mass that comes in through such a face counts
/// against it. masses: [hydro::unbound_criteria].
REDNOVA_FN void unbound_through_face(const state_view& s, int leaf, int face, int row, const double* flux,
                                     double* masses) {
  constexpr int N = mesh::N;
  const int first = row * N, end = first + N;
  for (int i = 0; i < hydro::unbound_criteria; ++i) masses[i] = 0;
  if (!s.has_gravity()) return;
  const double h = s.tree.cell_width(leaf), area = (face % 2 ? 1 : -1) * h * h;
  for (int q = first; q < end; ++q) {
    double mass = 0;
    for (int k = 0; k < s.fields.species(); ++k) mass += area * flux[k * N * N + q];
    if (mass == 0) continue;
    const int c = exchange::face_cell(face, q % N, q / N);
    const hydro::unbound_cell gas(s.fields, s.eos, s.pressure_share, s.u.at(leaf) + c,
                                  s.gravity.at(leaf, gravity::potential)[c]);
    for (int i = 0; i < hydro::unbound_criteria; ++i) masses[i] += gas.by[i] ? mass : 0.0;
  }
}

/// Numbers that are kept of what leaves through a face: components of totals, then the unbound masses.
constexpr int numbers_of_outflow(int species) { return species + vector_and_energy + hydro::unbound_criteria; }

/// Makes the mass flow since the start of the step of the stage's fluxes: 3 face_values items a leaf.
struct accumulate_mass_flow {
  state_view s;
  stage_form form;
  int stage;

  REDNOVA_FN void operator()(const batch_item& at) const {
    double& flow = s.flow(stage % 2, at.leaf, 0)[at.number];
    flow = flow_so_far(form, stage, s.flow(1 - stage % 2, at.leaf, 0)[at.number], flow);
  }
};

/// Leaves the mass that has flowed through fine faces where the coarse leaves behind them look for it: after
/// accumulate_mass_flow, faces N² items a leaf.
struct register_mass_flow {
  state_view s;
  int stage;

  REDNOVA_FN void operator()(const batch_item& at) const {
    constexpr int values = mesh::N * mesh::N;
    const int face = at.number / values, q = at.number % values;
    if (!s.faces.registered(at.leaf, face)) return;
    s.faces.at(at.leaf, face)[s.fields.evolved() * values + q] =
        flow_at_end(s.flow(stage % 2, at.leaf, face / 2), face, q);
  }
};

/// A face of a leaf at the end of the domain.
struct boundary_face {
  int leaf, face;
  std::ptrdiff_t flux;  ///< where its fluxes begin
  unsigned fixed = 0;   ///< bit mesh::face() of those of the leaf where the domain has a fixed boundary
};

/// Rows of a face's N² cells.
inline constexpr int rows_of_face = mesh::N;

/// What leaves the domain in a stage, an item for each row of the faces: of a whole face one thread of a device would
/// take a good part of a millisecond.
struct sum_boundary_fluxes {
  state_view s;
  const boundary_face* faces;
  const double* fluxes;  ///< [field][N²] from boundary_face::flux on
  double* rows;          ///< [face][row][numbers_of_outflow]

  REDNOVA_FN void operator()(int i) const {
    const boundary_face f = faces[i / rows_of_face];
    const int species = s.fields.species(), row = i % rows_of_face;
    double* const sum = rows + static_cast<std::ptrdiff_t>(i) * numbers_of_outflow(species);
    face_sums(s.tree, s.fields, s.spin, f.leaf, f.face, row, fluxes + f.flux, sum);
    unbound_through_face(s, f.leaf, f.face, row, fluxes + f.flux, sum + species + vector_and_energy);
  }
};

/// Adds up the rows, an item for each of a face's numbers.
struct add_boundary_rows {
  const double* rows;
  int numbers;   ///< numbers_of_outflow
  double* sums;  ///< [face][numbers_of_outflow]

  REDNOVA_FN void operator()(int i) const {
    const double* const first = rows + static_cast<std::ptrdiff_t>(i / numbers) * rows_of_face * numbers + i % numbers;
    double sum = 0;
    for (int row = 0; row < rows_of_face; ++row) sum += first[row * numbers];
    sums[i] = sum;
  }
};

}  // namespace rednova::step
