// Gravity's work on cells, in the two-state form that conserves energy (docs/conservation.md): its formulas.
#pragma once

#include "exchange/refluxing.hpp"
#include "step/flow_cells.hpp"

namespace rednova::step {

/// The potential at the start of the step plus that now.
template <class T>
REDNOVA_FN T twice_mean(const T& potential_before, const T& potential_now) {
  return potential_before + potential_now;
}

/// By how much of the difference of two cells' potential sums, 2 less 1, that at their face is less than the mean, and
/// so nearer to the thinner cell's. contrast: (rho2 - rho1) / (rho2 + rho1).
///
/// Of smooth densities a sixth of the contrast, with the difference (h²/12) s' rho'/rho. A cell that a star's surface
/// fills in part holds its gas at the face to the cell below, not about its centre: none of the work of what flows
/// through the face is its own, where it has next to no mass, but all of it the denser cell's, which has heat enough.
/// The second term is a fit to the cells at the surface of a polytrope of index 1.5
/// (docs/decisions/0038-work-at-surfaces.md).
template <class T>
REDNOVA_FN T share_of_contrast(const T& contrast) {
  const T square = contrast * contrast;
  return contrast * (1.0 / 6 + (1.0 / 3) * (square * square * square));
}

/// The potential sum at a face between the cells 1 and 2 of four in a row, such that the work falls to the cells as
/// they need it: less than the mean of the two by (h²/6) s'' and by share_of_contrast of their difference, s the sum.
/// rho: of the cells 1 and 2.
template <class T>
REDNOVA_FN T potential_between(const T& phi0, const T& phi1, const T& phi2, const T& phi3, const T& rho1,
                               const T& rho2) {
  const T inner = phi1 + phi2, outer = phi0 + phi3;
  const T contrast = (rho2 - rho1) / (rho2 + rho1);
  return 0.5 * inner + (1.0 / 12) * (inner - outer) - share_of_contrast(contrast) * (phi2 - phi1);
}

/// The potential sum in both layers beyond the end of a block where no cells of its level are: a parabola through the
/// last three cells, the one at the end first.
template <class T>
REDNOVA_FN T potential_outside(const T& end, const T& before, const T& first) {
  return 3.0 * (end - before) + first;
}

/// The potential sum at the face of a fine cell, half its width away, with a coarse one behind, a width away: on the
/// line between that one and the mean of the four fine cells before it.
REDNOVA_FN double potential_where_levels_meet(double fine, double four, double coarse) {
  return fine + (coarse - four) * (1.0 / 3);
}

/// The cell of the coarser leaf behind a face of an octant's block, before the block's cell (a, b).
REDNOVA_FN int coarse_cell_behind(int octant, int face, int a, int b) {
  constexpr int N = mesh::N;
  const int a0 = (octant >> exchange::transverse_a(face / 2) & 1) * N / 2;
  const int b0 = (octant >> exchange::transverse_b(face / 2) & 1) * N / 2;
  return exchange::face_cell(face ^ 1, a0 + a / 2, b0 + b / 2);
}

/// What flow through the two faces of a cell along a direction does, -F·grad of the potential sum; w: half of dt over
/// the cell width.
template <class T>
REDNOVA_FN T work_along(double w, const T& here, const T& flow_lower, const T& lower, const T& flow_upper,
                        const T& upper) {
  return w * (flow_upper * (upper - here) - flow_lower * (lower - here));
}

/// Density and potential sum of leaves, and what says who is beside whom.
struct work_input_view {
  mesh::tree_view tree;
  mesh::block_view<const double> work_inputs;
  exchange::face_view faces;
  int fields;  ///< conserved ones: the mass flow follows them in registers

  REDNOVA_FN const double* potential_sum(int leaf) const { return work_inputs.at(leaf, work_potential_sum); }
  REDNOVA_FN const double* density(int leaf) const { return work_inputs.at(leaf, work_density); }
};

/// The work of the flow through the finer faces beside a coarse leaf on the cell (a, b) before them.
REDNOVA_FN double work_at_coarse_cell(const work_input_view& s, double dt, const exchange::coarse_face& q, int a,
                                      int b) {
  constexpr int N = mesh::N;
  const double w = (q.face % 2 ? -0.5 : 0.5) * dt / s.tree.cell_width(q.leaf);
  const int fine = q.fine[exchange::quarter(a, b)], fa = exchange::first_fine(a), fb = exchange::first_fine(b);
  const double here = s.potential_sum(q.leaf)[exchange::face_cell(q.face, a, b)];
  const double* flow = s.faces.at(fine, q.face ^ 1) + s.fields * N * N;
  double potential_sum[4];
  for (int p = 0; p < 4; ++p)
    potential_sum[p] = s.potential_sum(fine)[exchange::face_cell(q.face ^ 1, fa + (p & 1), fb + (p >> 1))];
  const double four = exchange::mean_of_four(potential_sum[0], potential_sum[1], potential_sum[2], potential_sum[3]);
  double sum = 0;
  for (int p = 0; p < 4; ++p) {
    sum +=
        flow[fa + (p & 1) + N * (fb + (p >> 1))] * (potential_where_levels_meet(potential_sum[p], four, here) - here);
  }
  return w * (0.25 * sum);
}

/// Potential energy that has left with the mass flow through a face of the domain. flow: state_view::flow.
REDNOVA_FN double potential_through_face(double h, double dt, int face, const double* flow,
                                         const double* potential_sum) {
  constexpr int N = mesh::N;
  double here = 0;
  for (int q = 0; q < N * N; ++q)
    here += flow_at_end(flow, face, q) * potential_sum[exchange::face_cell(face, q % N, q / N)];
  return dt * ((face % 2 ? 0.5 : -0.5) * h * h * here);
}

/// That of the mass which floors added to a leaf: [cell] of density.
REDNOVA_FN double potential_of_added(double h, const double* added, const double* potential_sum) {
  double sum = 0;
  for (int c = 0; c < mesh::cells; ++c) sum += 0.5 * h * h * h * added[c] * potential_sum[c];
  return sum;
}

}  // namespace rednova::step
