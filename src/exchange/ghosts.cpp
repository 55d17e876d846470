#include "exchange/ghosts.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "exchange/coarse_sides.hpp"
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
  const mesh::node& me = (*tree_)[node];
  const coarse_sides coarse(*tree_, u, node);
  for (int s = 0; s < mesh::sides; ++s) {
    const int m = me.neighbour[static_cast<std::size_t>(s)];
    if (m >= 0) {
      for (int f = first; f < last; ++f) copy_side(u.at(m, f), offset(s), out + (f - first) * mesh::ghosted_cells);
    } else if (m == mesh::no_block) {
      if (last - first == fields_->size()) {
        coarse.prolong(s, *fields_, out);
      } else {
        for (int f = first; f < last; ++f) coarse.prolong(s, f, out + (f - first) * mesh::ghosted_cells);
      }
    }
  }
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
