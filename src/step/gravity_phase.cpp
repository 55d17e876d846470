// Gravity in a stage: the solve, and its work on the gas in the two-state form that conserves energy.
#include <cmath>

#include "step/stage.hpp"

namespace rednova::step {

namespace {

using mesh::cells;
using mesh::N;

// Cell next to face `face` of a block at transverse places (a, b).
int face_cell(int face, int a, int b) {
  const int d = face / 2;
  int at[3];
  at[d] = face % 2 ? N - 1 : 0;
  at[exchange::transverse_a(d)] = a;
  at[exchange::transverse_b(d)] = b;
  return mesh::cell(at[0], at[1], at[2]);
}

int neighbour(const mesh::tree& t, int node, int face) {
  return t[node].neighbour[static_cast<std::size_t>(exchange::side_of_face(face))];
}

double psi(const simulation& s, int leaf, int cell) { return s.work->psi.at(leaf)[cell]; }

// psi of the cells behind a face, [N²]: of a leaf of the same level or of a coarser one. Where finer leaves or
// nothing lies behind, this block's own: there no flow of this block crosses, or no work is done.
void psi_behind(const simulation& s, int leaf, int face, double* out) {
  const mesh::tree& t = s.tree;
  const int m = neighbour(t, leaf, face), d = face / 2;
  const int a = exchange::transverse_a(d), b = exchange::transverse_b(d);
  for (int fb = 0; fb < N; ++fb) {
    for (int fa = 0; fa < N; ++fa) {
      double& value = out[fa + N * fb];
      if (m >= 0 && m < t.leaves()) {
        value = psi(s, m, face_cell(face ^ 1, fa, fb));
      } else if (m == mesh::no_block) {
        const int octant = t[leaf].id.octant();
        const int ca = (fa + (octant >> a & 1) * N) / 2, cb = (fb + (octant >> b & 1) * N) / 2;
        value = psi(s, neighbour(t, t[leaf].parent, face), face_cell(face ^ 1, ca, cb));
      } else {
        value = psi(s, leaf, face_cell(face, fa, fb));
      }
    }
  }
}

// The two-state work of the flow through faces that this leaf computed itself: -F·grad of the mean potential.
void work_of_leaf(simulation& s, double dt, int stage, int leaf) {
  double own[cells], behind[mesh::faces][N * N];
  for (int c = 0; c < cells; ++c) own[c] = psi(s, leaf, c);
  for (int face = 0; face < mesh::faces; ++face) psi_behind(s, leaf, face, behind[face]);
  double* work = s.work->gravity_work.at(leaf);
  const double w = 0.25 * dt / s.tree.cell_width(leaf);
  std::fill_n(work, cells, 0.0);
  for (int d = 0; d < 3; ++d) {
    const double* flow = s.work->flow(stage % 2, leaf, d);
    const int a = exchange::transverse_a(d), b = exchange::transverse_b(d);
    for (int fb = 0; fb < N; ++fb) {
      for (int fa = 0; fa < N; ++fa) {
        const double* f = flow + (N + 1) * (fa + N * fb);
        int at[3];
        at[a] = fa;
        at[b] = fb;
        const auto cell = [&](int i) {
          at[d] = i;
          return mesh::cell(at[0], at[1], at[2]);
        };
        for (int i = 0; i < N; ++i) {
          const double here = own[cell(i)];
          const double lower = i > 0 ? own[cell(i - 1)] : behind[mesh::face(d, 0)][fa + N * fb];
          const double upper = i < N - 1 ? own[cell(i + 1)] : behind[mesh::face(d, 1)][fa + N * fb];
          work[cell(i)] -= w * (f[i + 1] * (upper - here) - f[i] * (lower - here));
        }
      }
    }
  }
}

// The same for the flow through the finer faces beside a coarse leaf.
void work_at_coarse_face(simulation& s, double dt, const exchange::coarse_face& q) {
  const bool upper = q.face % 2;
  double* work = s.work->gravity_work.at(q.leaf);
  const double w = (upper ? -0.25 : 0.25) * dt / s.tree.cell_width(q.leaf);
  for (int cb = 0; cb < N; ++cb) {
    for (int ca = 0; ca < N; ++ca) {
      const int fine = q.fine[static_cast<std::size_t>((ca >= N / 2 ? 1 : 0) + (cb >= N / 2 ? 2 : 0))];
      const int coarse_cell = face_cell(q.face, ca, cb);
      const double here = psi(s, q.leaf, coarse_cell);
      const double* flow = s.work->registers.at(s.work->faces.slot(fine, q.face ^ 1)) + s.fields.size() * N * N;
      double sum = 0;
      for (int p = 0; p < 4; ++p) {
        const int fa = 2 * ca % N + (p & 1), fb = 2 * cb % N + (p >> 1);
        sum += flow[fa + N * fb] * (psi(s, fine, face_cell(q.face ^ 1, fa, fb)) - here);
      }
      work[coarse_cell] += w * (0.25 * sum);
    }
  }
}

}  // namespace

void gravity_phase(simulation& s, const mesh::block_data& u) {
  mesh::block_data& density = s.work->density;
  exchange::for_leaves(*s.where, "gravity density", s.links->share(), [&](int leaf) {
    double* rho = density.at(leaf);
    std::copy_n(u.at(leaf, 0), cells, rho);
    for (int k = 1; k < s.fields.species(); ++k) {
      for (int c = 0; c < cells; ++c) rho[c] += u.at(leaf, k)[c];
    }
  });
  s.gravity_solver->solve(*s.where, density, s.gravity);
}

void work_phase(simulation& s, double dt, int stage) {
  workspace& w = *s.work;
  exchange::for_leaves(*s.where, "gravity work", s.links->share(), [&](int leaf) {
    const double *before = w.start_potential.at(leaf), *now = s.gravity.at(leaf, gravity::potential);
    double* twice = w.psi.at(leaf);
    for (int c = 0; c < cells; ++c) twice[c] = before[c] + now[c];
  });
  const auto psi_of = [&](int node) { return w.psi.at(node); };
  w.psi_behind.start(psi_of);
  const auto work = [&](int leaf) { work_of_leaf(s, dt, stage, leaf); };
  exchange::for_list(*s.where, "gravity work", s.links->inner(), work);
  w.psi_behind.finish(psi_of);
  exchange::for_list(*s.where, "gravity work", s.links->outer(), work);
  const exchange::face_plan& plan = w.faces;
  const auto& leaves = plan.coarse_leaves();
  exec::for_each(*s.where, "gravity work", static_cast<int>(leaves.size()), [&](int i) {
    const auto [begin, end] = leaves[static_cast<std::size_t>(i)];
    for (int q = begin; q < end; ++q) {
      work_at_coarse_face(s, dt, plan.coarse_faces()[static_cast<std::size_t>(q)]);
    }
  });
  const int energy = s.fields.energy();
  exchange::for_leaves(*s.where, "gravity work", s.links->share(), [&](int leaf) {
    const double* work_done = w.gravity_work.at(leaf);
    double* e = w.next.at(leaf, energy);
    for (int c = 0; c < cells; ++c) e[c] += work_done[c];
  });
}

void book_potential(simulation& s, double dt, int stage) {
  exchange::for_leaves(*s.where, "books", s.links->share(), [&](int leaf) {
    const double h = s.tree.cell_width(leaf);
    for (int face = 0; face < mesh::faces; ++face) {
      if (neighbour(s.tree, leaf, face) != mesh::outside) continue;
      const double* flow = s.work->flow(stage % 2, leaf, face / 2) + (face % 2 ? N : 0);
      double here = 0;
      for (int b = 0; b < N; ++b) {
        for (int a = 0; a < N; ++a) here += flow[(N + 1) * (a + N * b)] * psi(s, leaf, face_cell(face, a, b));
      }
      s.work->sums.add_energy(leaf, face, dt * ((face % 2 ? 0.5 : -0.5) * h * h * here));
    }
    const auto& added = s.work->floor_density[s.work->own(leaf)];
    double sum = 0;
    for (std::size_t c = 0; c < added.size(); ++c)
      sum += 0.5 * h * h * h * added[c] * psi(s, leaf, static_cast<int>(c));
    if (!added.empty()) s.work->sums.add_energy(leaf, tally::floors, sum);
  });
}

}  // namespace rednova::step
