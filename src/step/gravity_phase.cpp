// Gravity in a stage: the solve, and its work on the gas in the two-state form that conserves energy.
#include <algorithm>

#include "step/stage.hpp"

namespace rednova::step {

namespace {

using mesh::cells;
using mesh::N;

constexpr int plane = N * N;  // cells a block has next to a face

// The cell at place i along a direction and (a, b) across it.
int cell_at(int d, int i, int a, int b) {
  int at[3];
  at[d] = i;
  at[exchange::transverse_a(d)] = a;
  at[exchange::transverse_b(d)] = b;
  return mesh::cell(at[0], at[1], at[2]);
}
int face_cell(int face, int a, int b) { return cell_at(face / 2, face % 2 ? N - 1 : 0, a, b); }

int neighbour(const mesh::tree& t, int node, int face) {
  return t[node].neighbour[static_cast<std::size_t>(exchange::side_of_face(face))];
}

const double* density_of(const simulation& s, int leaf) { return s.work->weighed.at(leaf, weighed_density); }
const double* psi_of(const simulation& s, int leaf) { return s.work->weighed.at(leaf, weighed_psi); }

void copy_plane(const double* block, int d, int i, double* to) {
  for (int b = 0; b < N; ++b) {
    for (int a = 0; a < N; ++a) to[a + N * b] = block[cell_at(d, i, a, b)];
  }
}

// psi at the face of a fine cell, half its width away, with a coarse one behind, a width away: on the line between that
// one and the mean of the four fine cells before it.
double psi_where_levels_meet(double fine, double four, double coarse) { return fine + (coarse - four) * (1.0 / 3); }

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
  for (int q = 0; q < plane; ++q) next[q] = 3 * (a[q] - b[q]) + f[q];
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
  const int octant = t[leaf].id.octant(), d = face / 2;
  const int a0 = (octant >> exchange::transverse_a(d) & 1) * N / 2;
  const int b0 = (octant >> exchange::transverse_b(d) & 1) * N / 2;
  const double* behind = psi_of(s, neighbour(t, t[leaf].parent, face));
  for (int q = 0; q < plane; ++q) {
    const int a = q % N, b = q / N;
    const double* first = own + (a & ~1) + N * (b & ~1);
    const double four = 0.25 * ((first[0] + first[1]) + (first[N] + first[N + 1]));
    at_face[q] = psi_where_levels_meet(own[q], four, behind[face_cell(face ^ 1, a0 + a / 2, b0 + b / 2)]);
  }
}

// psi at all faces of a leaf in a direction, such that the work falls to the cells as they need it
// (docs/conservation.md): less than the mean of the two cells by (h²/6) psi'' + (h²/12) psi' rho'/rho.
void psi_at_faces(const simulation& s, int leaf, int d, columns& c) {
  for (int i = 0; i < N; ++i) {
    copy_plane(psi_of(s, leaf), d, i, c.psi[i + 2]);
    copy_plane(density_of(s, leaf), d, i, c.density[i + 1]);
  }
  const bool before = fill_behind(s, leaf, d, false, c), after = fill_behind(s, leaf, d, true, c);
  for (int i = 0; i <= N; ++i) {
    const double *rho0 = c.density[i], *rho1 = c.density[i + 1];
    for (int q = 0; q < plane; ++q) {
      const double inner = c.psi[i + 1][q] + c.psi[i + 2][q], outer = c.psi[i][q] + c.psi[i + 3][q];
      const double contrast = (rho1[q] - rho0[q]) / (rho1[q] + rho0[q]);
      c.at_face[i][q] =
          0.5 * inner + (1.0 / 12) * (inner - outer) - (1.0 / 6) * contrast * (c.psi[i + 2][q] - c.psi[i + 1][q]);
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
        const double here = c.psi[i + 2][q], lower = c.at_face[i][q], upper = c.at_face[i + 1][q];
        work[cell_at(d, i, q % N, q / N)] -= w * (f[i + 1] * (upper - here) - f[i] * (lower - here));
      }
    }
  }
}

// The same for the flow through the finer faces beside a coarse leaf.
void work_at_coarse_face(simulation& s, double dt, const exchange::coarse_face& q) {
  const bool upper = q.face % 2;
  double* work = s.work->gravity_work.at(q.leaf);
  const double w = (upper ? -0.5 : 0.5) * dt / s.tree.cell_width(q.leaf);
  for (int cb = 0; cb < N; ++cb) {
    for (int ca = 0; ca < N; ++ca) {
      const int fine = q.fine[static_cast<std::size_t>((ca >= N / 2 ? 1 : 0) + (cb >= N / 2 ? 2 : 0))];
      const int coarse_cell = face_cell(q.face, ca, cb);
      const double here = psi_of(s, q.leaf)[coarse_cell];
      const double* flow = s.work->registers.at(s.work->faces.slot(fine, q.face ^ 1)) + s.fields.size() * plane;
      const int fa = 2 * ca % N, fb = 2 * cb % N;
      double psi[4];
      for (int p = 0; p < 4; ++p) psi[p] = psi_of(s, fine)[face_cell(q.face ^ 1, fa + (p & 1), fb + (p >> 1))];
      const double four = 0.25 * ((psi[0] + psi[1]) + (psi[2] + psi[3]));
      double sum = 0;
      for (int p = 0; p < 4; ++p) {
        sum += flow[fa + (p & 1) + N * (fb + (p >> 1))] * (psi_where_levels_meet(psi[p], four, here) - here);
      }
      work[coarse_cell] += w * (0.25 * sum);
    }
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
}

void set_mean_potential(simulation& s, int leaf) {
  const double *before = s.work->start_potential.at(leaf), *now = s.gravity.at(leaf, gravity::potential);
  double* twice = s.work->weighed.at(leaf, weighed_psi);
  for (int c = 0; c < cells; ++c) twice[c] = before[c] + now[c];
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
    const double* flow = s.work->flow(stage % 2, leaf, face / 2) + (face % 2 ? N : 0);
    double here = 0;
    for (int b = 0; b < N; ++b) {
      for (int a = 0; a < N; ++a) here += flow[(N + 1) * (a + N * b)] * psi_of(s, leaf)[face_cell(face, a, b)];
    }
    s.work->sums.add_energy(leaf, face, dt * ((face % 2 ? 0.5 : -0.5) * h * h * here));
  }
  const auto& added = s.work->floor_density[s.work->own(leaf)];
  double sum = 0;
  for (std::size_t c = 0; c < added.size(); ++c) sum += 0.5 * h * h * h * added[c] * psi_of(s, leaf)[c];
  if (!added.empty()) s.work->sums.add_energy(leaf, tally::floors, sum);
}

}  // namespace rednova::step
