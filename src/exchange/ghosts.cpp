#include "exchange/ghosts.hpp"

#include "core/check.hpp"
#include "exchange/face_plan.hpp"
#include "exchange/ghost_prolongation.hpp"
#include "exchange/physical_boundary.hpp"
#include "exchange/sides.hpp"
#include "exec/simd.hpp"

namespace rednova::exchange {

namespace {

using mesh::N;

// With the length of a row known to the compiler. Each field is a page of memory, whose first rows the processor does
// not see coming: each row asks for that of the next field.
template <int length>
void copy_rows(const double* from, const std::array<int, 3>& d, const cell_box& b, double* to) {
  for (int k = b.first[2]; k < b.last[2]; ++k) {
    for (int j = b.first[1]; j < b.last[1]; ++j) {
      const double* row = from + mesh::cell(b.first[0] - d[0] * N, j - d[1] * N, k - d[2] * N);
      double* target = to + mesh::ghosted(b.first[0], j, k);
      exec::prefetch<exec::pack>(row + mesh::cells);
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

void ghosts::gather(const mesh::block_view<const double>& u, int node, double rotation, double* out) const {
  EXPECT(u.fields == fields_->size());
  copy_and_prolong(u, node, 0, fields_->size(), out);
  for (int s = 0; s < mesh::sides; ++s) {
    if ((*tree_)[node].neighbour[static_cast<std::size_t>(s)] == mesh::outside) fill_boundary(node, s, rotation, out);
  }
}

void ghosts::gather_scalar(const mesh::block_view<const double>& u, int node, int field, double* out) const {
  copy_and_prolong(u, node, field, field + 1, out);
  for (int s = 0; s < mesh::sides; ++s) {
    if ((*tree_)[node].neighbour[static_cast<std::size_t>(s)] != mesh::outside) continue;
    const auto d = offset(s);
    for_cells(cells_of(d), [&](int i, int j, int k) { out[mesh::ghosted(i, j, k)] = out[nearest_inside(i, j, k)]; });
  }
}

void ghosts::gather_across_faces(const mesh::block_data& u, int node, int first, int last, double* out,
                                 int extinction) const {
  EXPECT(extinction >= none && extinction < u.fields());
  const auto view = mesh::view(u);
  const ghost_prolongation coarse(*tree_, view, node);
  for (int f = first; f < last; ++f) copy_side(view.at(node, f), {0, 0, 0}, out + (f - first) * mesh::ghosted_cells);
  for (int face = 0; face < mesh::faces; ++face) {
    const int side = side_of_face(face), m = (*tree_)[node].neighbour[static_cast<std::size_t>(side)];
    const auto d = offset(side);
    for (int f = first; f < last; ++f) {
      double* const to = out + (f - first) * mesh::ghosted_cells;
      if (m >= 0) {
        copy_side(view.at(m, f), d, to);
      } else if (m == mesh::no_block) {
        if (f == first && extinction != none) {
          coarse.prolong_light(side, f, extinction, to);
        } else {
          coarse.prolong(side, f, to);
        }
      } else {
        for_cells(cells_of(d), [&](int i, int j, int k) { to[mesh::ghosted(i, j, k)] = to[nearest_inside(i, j, k)]; });
      }
    }
  }
}

void ghosts::copy_and_prolong(const mesh::block_view<const double>& u, int node, int first, int last,
                              double* out) const {
  const mesh::node& me = (*tree_)[node];
  const ghost_prolongation coarse(*tree_, u, node);
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
void ghosts::fill_boundary(int node, int s, double rotation, double* out) const {
  const auto d = offset(s);
  const walls by{*fields_, boundaries_, rotation};
  const std::array<bool, 3> across = across_of(d, (*tree_)[node].neighbour.data());
  for_cells(cells_of(d), [&](int i, int j, int k) {
    boundary_cell(by, {i, j, k}, d, across, tree_->centre(node, i, j, k), out);
  });
}

}  // namespace rednova::exchange
