// Gravity in a stage: the solve, and its work on the gas in the two-state form that conserves energy.
#include <algorithm>

#include "step/stage.hpp"
#include "step/work_formulas.hpp"

namespace rednova::step {

namespace {

using mesh::cells;
using mesh::N;

constexpr int plane = N * N;  // cells a block has next to a face

int neighbour(const mesh::tree& t, int node, int face) {
  return t[node].neighbour[static_cast<std::size_t>(exchange::side_of_face(face))];
}

const double* density_of(const simulation& s, int leaf) { return s.work->weighed.at(leaf, weighed_density); }
const double* psi_of(const simulation& s, int leaf) { return s.work->weighed.at(leaf, weighed_psi); }

void copy_plane(const double* block, int d, int i, double* to) {
  for (int b = 0; b < N; ++b) {
    for (int a = 0; a < N; ++a) to[a + N * b] = block[exchange::cell_at(d, i, a, b)];
  }
}

// A leaf's cells in planes along a direction, with what lies before and after them.
struct columns {
  double psi[N + 4][plane];  // two more planes at each end
  double density[N + 2][plane];
  double at_face[N + 1][plane];  // psi
};

// Fills in the planes behind the lower or upper face. Returns whether cells of the same level are there; else those
// nearby go on as a parabola.
bool fill_behind(const simulation& s, int leaf, int d, bool upper, columns& c) {
  const int m = neighbour(s.tree, leaf, mesh::face(d, upper ? 1 : 0));
  const int last = upper ? N + 1 : 2, inwards = upper ? -1 : 1;
  double *next = c.psi[last - inwards], *after = c.psi[last - 2 * inwards], *rho = c.density[last - 1 - inwards];
  if (m >= 0 && m < s.tree.leaves()) {
    copy_plane(psi_of(s, m), d, upper ? 0 : N - 1, next);
    copy_plane(psi_of(s, m), d, upper ? 1 : N - 2, after);
    copy_plane(density_of(s, m), d, upper ? 0 : N - 1, rho);
    return true;
  }
  const double *a = c.psi[last], *b = c.psi[last + inwards], *f = c.psi[last + 2 * inwards];
  for (int q = 0; q < plane; ++q) next[q] = psi_beyond(a[q], b[q], f[q]);
  std::copy_n(next, plane, after);
  std::copy_n(c.density[last - 1], plane, rho);
  return false;
}

// psi at a face of a leaf with no leaf of its level behind it. Beside finer leaves and the domain's sides it is the
// cells' own: there no flow of this leaf crosses, or no work is done.
void end_at(const simulation& s, int leaf, int face, const double* own, double* at_face) {
  const mesh::tree& t = s.tree;
  std::copy_n(own, plane, at_face);
  if (neighbour(t, leaf, face) != mesh::no_block) return;
  const int octant = t[leaf].id.octant();
  const double* behind = psi_of(s, neighbour(t, t[leaf].parent, face));
  for (int q = 0; q < plane; ++q) {
    const int a = q % N, b = q / N;
    const double* first = own + (a & ~1) + N * (b & ~1);
    const double four = exchange::mean_of_four(first[0], first[1], first[N], first[N + 1]);
    at_face[q] = psi_where_levels_meet(own[q], four, behind[coarse_cell_behind(octant, face, a, b)]);
  }
}

// psi at all faces of a leaf in a direction.
void psi_at_faces(const simulation& s, int leaf, int d, columns& c) {
  for (int i = 0; i < N; ++i) {
    copy_plane(psi_of(s, leaf), d, i, c.psi[i + 2]);
    copy_plane(density_of(s, leaf), d, i, c.density[i + 1]);
  }
  const bool before = fill_behind(s, leaf, d, false, c), after = fill_behind(s, leaf, d, true, c);
  for (int i = 0; i <= N; ++i) {
    const double *rho0 = c.density[i], *rho1 = c.density[i + 1];
    for (int q = 0; q < plane; ++q) {
      c.at_face[i][q] = psi_between(c.psi[i][q], c.psi[i + 1][q], c.psi[i + 2][q], c.psi[i + 3][q], rho0[q], rho1[q]);
    }
  }
  if (!before) end_at(s, leaf, mesh::face(d, 0), c.psi[2], c.at_face[0]);
  if (!after) end_at(s, leaf, mesh::face(d, 1), c.psi[N + 1], c.at_face[N]);
}

// The two-state work of the flow through faces that this leaf computed itself: -F·grad of the mean potential.
void work_of_leaf(simulation& s, double dt, int stage, int leaf) {
  columns c;
  double* work = s.work->gravity_work.at(leaf);
  const double w = 0.5 * dt / s.tree.cell_width(leaf);
  std::fill_n(work, cells, 0.0);
  for (int d = 0; d < 3; ++d) {
    psi_at_faces(s, leaf, d, c);
    const double* flow = s.work->flow(stage % 2, leaf, d);
    for (int q = 0; q < plane; ++q) {
      const double* f = flow + (N + 1) * q;
      for (int i = 0; i < N; ++i) {
        work[exchange::cell_at(d, i, q % N, q / N)] -=
            work_along(w, c.psi[i + 2][q], f[i], c.at_face[i][q], f[i + 1], c.at_face[i + 1][q]);
      }
    }
  }
}

// The same for the flow through the finer faces beside a coarse leaf.
void work_at_coarse_face(simulation& s, double dt, const exchange::coarse_face& q) {
  const weighed_view v{mesh::view(s.tree), mesh::view(s.work->weighed), s.work->faces.view(s.work->registers),
                       s.fields.evolved()};
  double* work = s.work->gravity_work.at(q.leaf);
  for (int b = 0; b < N; ++b) {
    for (int a = 0; a < N; ++a) work[exchange::face_cell(q.face, a, b)] += work_at_coarse_cell(v, dt, q, a, b);
  }
}

}  // namespace

void set_density(simulation& s, int leaf) {
  double* rho = s.work->weighed.at(leaf, weighed_density);
  for (int c = 0; c < cells; ++c) rho[c] = s.density(leaf, c);
}

void gravity_phase(simulation& s) {
  exchange::for_leaves(*s.where, "gravity density", s.links->share(), [&](int leaf) { set_density(s, leaf); });
  s.gravity_solver->solve(*s.where, s.work->weighed, s.gravity);
  exchange::for_leaves(*s.where, "gravity leaves (near field)", s.links->share(),
                       [&](int leaf) { set_acceleration(s, leaf); });
}

void set_acceleration(simulation& s, int leaf) {
  std::copy_n(s.gravity.at(leaf, gravity::acceleration), 3 * cells, s.u.at(leaf, s.fields.acceleration()));
}

void set_mean_potential(simulation& s, int leaf) {
  const double *before = s.work->start_potential.at(leaf), *now = s.gravity.at(leaf, gravity::potential);
  double* twice = s.work->weighed.at(leaf, weighed_psi);
  for (int c = 0; c < cells; ++c) twice[c] = twice_mean(before[c], now[c]);
}

void add_work_inputs(simulation& s, int leaf, std::vector<exec::event*>& to) {
  const mesh::tree& t = s.tree;
  for (int face = 0; face < mesh::faces; ++face) {
    const int m = neighbour(t, leaf, face);
    if (m >= 0 && m < t.leaves()) to.push_back(&s.work->weighing(m));
    if (m == mesh::no_block) to.push_back(&s.work->weighing(neighbour(t, t[leaf].parent, face)));
  }
  for (const exchange::coarse_face& q : s.work->faces.coarse_faces(leaf)) {
    for (const int fine : q.fine) to.push_back(&s.work->weighing(fine));
  }
}

void add_work(simulation& s, double dt, int stage, int leaf) {
  work_of_leaf(s, dt, stage, leaf);
  for (const exchange::coarse_face& q : s.work->faces.coarse_faces(leaf)) work_at_coarse_face(s, dt, q);
  const double* work_done = s.work->gravity_work.at(leaf);
  double* e = s.u.at(leaf, s.fields.energy());
  for (int c = 0; c < cells; ++c) e[c] += work_done[c];
}

void book_potential(simulation& s, double dt, int stage, int leaf) {
  const double h = s.tree.cell_width(leaf);
  for (int face = 0; face < mesh::faces; ++face) {
    if (neighbour(s.tree, leaf, face) != mesh::outside) continue;
    const double* flow = s.work->flow(stage % 2, leaf, face / 2);
    s.work->sums.add_energy(leaf, face, potential_through_face(h, dt, face, flow, psi_of(s, leaf)));
  }
  const auto& added = s.work->floor_density[s.work->own(leaf)];
  if (added.empty()) return;
  s.work->sums.add_energy(leaf, tally::floors, potential_of_added(h, added.data(), psi_of(s, leaf)));
}

}  // namespace rednova::step
