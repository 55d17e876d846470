#include "exchange/ghosts.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "exchange/prolong.hpp"
#include "exchange/sides.hpp"

namespace rednova::exchange {

namespace {

using mesh::N;

// With the length of a row known to the compiler.
template <int length>
void copy_rows(const double* from, const std::array<int, 3>& d, const cell_box& b, double* to) {
  for (int k = b.first[2]; k < b.last[2]; ++k) {
    for (int j = b.first[1]; j < b.last[1]; ++j) {
      const double* row = from + mesh::cell(b.first[0] - d[0] * N, j - d[1] * N, k - d[2] * N);
      double* target = to + mesh::ghosted(b.first[0], j, k);
      for (int i = 0; i < length; ++i) target[i] = row[i];
    }
  }
}

void copy_side(const double* from, const std::array<int, 3>& d, double* to) {
  const cell_box b = cells_of(d);
  switch (b.last[0] - b.first[0]) {
    case N:
      return copy_rows<N>(from, d, b, to);
    case mesh::ghosts:
      return copy_rows<mesh::ghosts>(from, d, b, to);
    case 1:
      return copy_rows<1>(from, d, b, to);
    default:
      return;
  }
}

// A cell of the coarse level and its six neighbours in the data: addresses of their first fields.
using coarse_cells = std::array<const double*, 7>;

// i, j, k count from the fine block's parent and may point beyond it. Beyond the domain the cell stands for its
// neighbour.
coarse_cells find_cells(const mesh::tree& t, const mesh::block_data& u, int parent, int i, int j, int k) {
  const auto at = [&](int x, int y, int z) -> const double* {
    const int m = t[parent].neighbour[static_cast<std::size_t>(side_of_cell(x, y, z))];
    return m < 0 ? nullptr : u.at(m) + cell_in_neighbour(x, y, z);
  };
  coarse_cells p{at(i, j, k),     at(i - 1, j, k), at(i, j - 1, k), at(i, j, k - 1),
                 at(i + 1, j, k), at(i, j + 1, k), at(i, j, k + 1)};
  for (const double*& q : p) q = q ? q : p[0];
  return p;
}

stencil read(const coarse_cells& p, int field) {
  const int o = field * mesh::cells;
  return {p[0][o], {p[1][o], p[2][o], p[3][o]}, {p[4][o], p[5][o], p[6][o]}};
}

/// The same function of all values of some stencils.
template <class F, class... S>
stencil combine(const F& f, const S&... v) {
  stencil r;
  r.centre = f(v.centre...);
  for (int d = 0; d < 3; ++d) {
    r.lower[d] = f(v.lower[d]...);
    r.upper[d] = f(v.upper[d]...);
  }
  return r;
}

/// A value over a coarse cell that is linear within limits.
struct linear {
  explicit linear(const stencil& v) : centre(v.centre), slope(limited_slopes(v)) {}
  double operator()(int child) const { return child_value(centre, slope, child); }
  double centre;
  core::vec3d slope;
};

/// The eight children of a coarse cell, for ghosts: with limited slopes of velocity and internal energy rather than of
/// momentum and energy. Where densities differ a lot, slopes of momentum limited on their own make velocities that no
/// cell around has; gas leaves a thin cell slower than the cell is, and what stays behind becomes faster without end.
///
/// write(field, child, value). The spin is of second order in h: it is handed down without slopes, less what the
/// momenta carry.
template <class Write>
void prolong_gas(const mesh::fields& fields, const coarse_cells& coarse, double h, const Write& write) {
  stencil rho;
  double density[8] = {};
  for (int k = 0; k < fields.species(); ++k) {
    const stencil q = read(coarse, fields.species(k));
    rho = combine([](double a, double b) { return a + b; }, rho, q);
    const linear part(q);
    for (int c = 0; c < 8; ++c) {
      density[c] += part(c);
      write(fields.species(k), c, part(c));
    }
  }
  stencil internal = read(coarse, fields.energy());
  double kinetic[8] = {};
  core::vec3d momentum_slope[3];
  for (int d = 0; d < 3; ++d) {
    const stencil s = read(coarse, fields.momentum(d));
    const stencil v = combine([](double a, double b) { return a / b; }, s, rho);
    internal = combine([](double e, double a, double b) { return e - 0.5 * a * b; }, internal, s, v);
    const linear velocity(v);
    momentum_slope[d] = rho.centre * velocity.slope;
    for (int c = 0; c < 8; ++c) {
      kinetic[c] += velocity(c) * velocity(c);
      write(fields.momentum(d), c, density[c] * velocity(c));
    }
  }
  const linear heat(internal), tracer(read(coarse, fields.entropy()));
  const core::vec3d orbital = children_orbital(momentum_slope, h);
  for (int c = 0; c < 8; ++c) {
    write(fields.energy(), c, heat(c) + 0.5 * density[c] * kinetic[c]);
    write(fields.entropy(), c, tracer(c));
  }
  for (int d = 0; d < 3; ++d) {
    const double spin = read(coarse, fields.spin(d)).centre - orbital[d];
    for (int c = 0; c < 8; ++c) write(fields.spin(d), c, spin);
  }
}

}  // namespace

ghosts::ghosts(const mesh::tree& t, const mesh::fields& fields, const std::array<config::boundary, 6>& boundaries)
    : tree_(&t), fields_(&fields), boundaries_(boundaries) {}

void ghosts::gather(const mesh::block_data& u, int node, double rotation, double* out) const {
  EXPECT(u.fields() == fields_->size());
  copy_and_prolong(u, node, 0, fields_->size(), out);
  for (int s = 0; s < mesh::sides; ++s) {
    if ((*tree_)[node].neighbour[static_cast<std::size_t>(s)] == mesh::outside) beyond(node, s, rotation, out);
  }
}

void ghosts::gather_scalar(const mesh::block_data& u, int node, int field, double* out) const {
  copy_and_prolong(u, node, field, field + 1, out);
  for (int s = 0; s < mesh::sides; ++s) {
    if ((*tree_)[node].neighbour[static_cast<std::size_t>(s)] != mesh::outside) continue;
    const auto d = offset(s);
    for_cells(cells_of(d), [&](int i, int j, int k) {
      const auto nearest = [](int x) { return std::clamp(x, 0, N - 1); };
      out[mesh::ghosted(i, j, k)] = out[mesh::ghosted(nearest(i), nearest(j), nearest(k))];
    });
  }
}

void ghosts::copy_and_prolong(const mesh::block_data& u, int node, int first, int last, double* out) const {
  for (int s = 0; s < mesh::sides; ++s) {
    const int m = (*tree_)[node].neighbour[static_cast<std::size_t>(s)];
    if (m >= 0) {
      for (int f = first; f < last; ++f) copy_side(u.at(m, f), offset(s), out + (f - first) * mesh::ghosted_cells);
    } else if (m == mesh::no_block) {
      prolong_side(u, node, s, first, last, out);
    }
  }
}

void ghosts::prolong_side(const mesh::block_data& u, int node, int s, int first, int last, double* out) const {
  const mesh::node& me = (*tree_)[node];
  const auto d = offset(s);
  const double h = 2 * tree_->cell_width(node);
  const cell_box fine = cells_of(d);
  const int o[3] = {parent_origin(me.id.octant(), 0), parent_origin(me.id.octant(), 1),
                    parent_origin(me.id.octant(), 2)};
  const cell_box cells = coarse_cells_of(d, me.id.octant());
  for_cells(cells, [&](int i, int j, int k) {
    const coarse_cells coarse = find_cells(*tree_, u, me.parent, i, j, k);
    int target[8];
    for (int c = 0; c < 8; ++c) {
      const int p[3] = {2 * i + (c & 1) + o[0], 2 * j + (c >> 1 & 1) + o[1], 2 * k + (c >> 2) + o[2]};
      bool here = true;
      for (std::size_t a = 0; a < 3; ++a) here = here && p[a] >= fine.first[a] && p[a] < fine.last[a];
      target[c] = here ? mesh::ghosted(p[0], p[1], p[2]) : -1;
    }
    const auto write = [&](int f, int c, double value) {
      if (target[c] >= 0) out[(f - first) * mesh::ghosted_cells + target[c]] = value;
    };
    if (last - first == fields_->size()) {
      prolong_gas(*fields_, coarse, h, write);
      return;
    }
    for (int f = first; f < last; ++f) {
      const linear v(read(coarse, f));
      for (int c = 0; c < 8; ++c) write(f, c, v(c));
    }
  });
}

// Fills a side beyond the domain from cells inside it, which are in place already.
void ghosts::beyond(int node, int s, double rotation, double* out) const {
  const auto d = offset(s);
  bool across[3];  // directions in which the side lies beyond the domain
  for (int a = 0; a < 3; ++a) {
    int alone[3] = {0, 0, 0};
    alone[a] = d[static_cast<std::size_t>(a)];
    const int m = (*tree_)[node].neighbour[static_cast<std::size_t>(mesh::side(alone[0], alone[1], alone[2]))];
    across[a] = d[static_cast<std::size_t>(a)] != 0 && m == mesh::outside;
  }
  for_cells(cells_of(d), [&](int i, int j, int k) { beyond_cell(node, {i, j, k}, d, across, rotation, out); });
}

void ghosts::beyond_cell(int node, std::array<int, 3> cell, const std::array<int, 3>& d, const bool (&across)[3],
                         double rotation, double* out) const {
  std::array<int, 3> nearest = cell, mirrored = cell;  // inside the domain
  for (std::size_t a = 0; a < 3; ++a) {
    if (!across[a]) continue;
    nearest[a] = d[a] < 0 ? 0 : N - 1;
    mirrored[a] = (d[a] < 0 ? 0 : 2 * N) - 1 - cell[a];
  }
  const auto index = [](const std::array<int, 3>& c) { return mesh::ghosted(c[0], c[1], c[2]); };
  const auto at = [&](int f, int c) -> double& { return out[f * mesh::ghosted_cells + c]; };
  const auto density = [&](int c) {
    double rho = 0;
    for (int f = 0; f < fields_->species(); ++f) rho += at(f, c);
    return rho;
  };
  const core::vec3d x = tree_->centre(node, cell[0], cell[1], cell[2]);
  const double wall[3] = {-rotation * x.y, rotation * x.x, 0};  // velocity of the boundary along each normal
  bool mirror[3];
  std::array<int, 3> from = nearest;
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    const config::boundary kind = boundaries_[static_cast<std::size_t>(mesh::face(a, d[axis] > 0))];
    const double relative = at(fields_->momentum(a), index(nearest)) - density(index(nearest)) * wall[a];
    mirror[a] = across[a] &&
                (kind == config::boundary::reflecting || (kind == config::boundary::outflow && relative * d[axis] < 0));
    if (mirror[a]) from[axis] = mirrored[axis];
  }
  const int to = index(cell), source = index(from);
  for (int f = 0; f < fields_->size(); ++f) at(f, to) = at(f, source);
  for (int a = 0; a < 3; ++a) {
    if (!mirror[a]) continue;
    // The normal velocity relative to the moving wall turns round; so does the spin along the wall, an axial vector.
    const double rho = density(to), old = at(fields_->momentum(a), to), turned = 2 * rho * wall[a] - old;
    at(fields_->momentum(a), to) = turned;
    at(fields_->energy(), to) += 0.5 * (turned - old) * (turned + old) / rho;
    at(fields_->spin((a + 1) % 3), to) *= -1;
    at(fields_->spin((a + 2) % 3), to) *= -1;
  }
}

}  // namespace rednova::exchange
