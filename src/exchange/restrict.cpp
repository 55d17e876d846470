#include "exchange/restrict.hpp"

#include "exchange/restrict_cell.hpp"

namespace rednova::exchange {

namespace {

using mesh::N;

// Calls body(coarse cell, fine cells) for the cells of one child.
template <class Body>
void for_octant(int octant, const Body& body) {
  const int o[3] = {(octant & 1) * N / 2, (octant >> 1 & 1) * N / 2, (octant >> 2 & 1) * N / 2};
  for (int k = 0; k < N / 2; ++k) {
    for (int j = 0; j < N / 2; ++j) {
      for (int i = 0; i < N / 2; ++i) {
        body(mesh::cell(o[0] + i, o[1] + j, o[2] + k), eight_cells(i, j, k));
      }
    }
  }
}

}  // namespace

void restrict_octant(const mesh::tree& t, const mesh::fields& fields, mesh::block_data& u, int node, int octant) {
  const double quarter = 0.25 * t.cell_width(node);
  const int child = t[node].child[static_cast<std::size_t>(octant)];
  for (int f = 0; f < fields.size(); ++f) restrict_scalar_octant(t, u, f, node, octant);
  for (int d = 0; d < 3; ++d) {
    const int a = (d + 1) % 3, b = (d + 2) % 3;
    const double *sa = u.at(child, fields.momentum(a)), *sb = u.at(child, fields.momentum(b));
    double* to = u.at(node, fields.spin(d));
    for_octant(octant,
               [&](int coarse, const eight_cells& fine) { to[coarse] += orbital_spin(sa, sb, fine, a, b, quarter); });
  }
}

void restrict_scalar_octant(const mesh::tree& t, mesh::block_data& u, int field, int node, int octant) {
  const double* from = u.at(t[node].child[static_cast<std::size_t>(octant)], field);
  double* to = u.at(node, field);
  for_octant(octant, [&](int coarse, const eight_cells& fine) { to[coarse] = children_mean(from, fine); });
}

void restrict_node(const mesh::tree& t, const mesh::fields& fields, mesh::block_data& u, int node) {
  for (int octant = 0; octant < 8; ++octant) restrict_octant(t, fields, u, node, octant);
}

void restrict_all(exec::context& where, const mesh::tree& t, const mesh::fields& fields, mesh::block_data& u) {
  for (int level = t.max_level() - 1; level >= 0; --level) {
    const auto [first, last] = t.refined(level);
    exec::for_each(where, "restrict", last - first, [&](int i) { restrict_node(t, fields, u, first + i); });
  }
}

}  // namespace rednova::exchange
