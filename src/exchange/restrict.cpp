#include "exchange/restrict.hpp"

namespace rednova::exchange {

namespace {

using mesh::N;

// Calls body(coarse cell, the eight fine cells' indices) for the cells of one child.
template <class Body>
void for_octant(int octant, const Body& body) {
  const int o[3] = {(octant & 1) * N / 2, (octant >> 1 & 1) * N / 2, (octant >> 2 & 1) * N / 2};
  for (int k = 0; k < N / 2; ++k) {
    for (int j = 0; j < N / 2; ++j) {
      for (int i = 0; i < N / 2; ++i) {
        int fine[8];
        for (int c = 0; c < 8; ++c) fine[c] = mesh::cell(2 * i + (c & 1), 2 * j + (c >> 1 & 1), 2 * k + (c >> 2));
        body(mesh::cell(o[0] + i, o[1] + j, o[2] + k), fine);
      }
    }
  }
}

double mean(const double* u, const int (&fine)[8]) {
  return 0.125 * (((u[fine[0]] + u[fine[1]]) + (u[fine[2]] + u[fine[3]])) +
                  ((u[fine[4]] + u[fine[5]]) + (u[fine[6]] + u[fine[7]])));
}

// mean((x_i - x_c)_a s_i) over eight children, in units of a quarter of the coarse width.
double moment(const double* s, const int (&fine)[8], int axis) {
  double sum = 0;
  for (int c = 0; c < 8; ++c) sum += (c >> axis & 1) ? s[fine[c]] : -s[fine[c]];
  return 0.125 * sum;
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
    for_octant(octant, [&](int coarse, const int(&fine)[8]) {
      to[coarse] += quarter * (moment(sb, fine, a) - moment(sa, fine, b));
    });
  }
}

void restrict_scalar_octant(const mesh::tree& t, mesh::block_data& u, int field, int node, int octant) {
  const double* from = u.at(t[node].child[static_cast<std::size_t>(octant)], field);
  double* to = u.at(node, field);
  for_octant(octant, [&](int coarse, const int(&fine)[8]) { to[coarse] = mean(from, fine); });
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
