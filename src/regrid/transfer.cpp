#include "regrid/transfer.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "exchange/prolong.hpp"

namespace rednova::regrid {

namespace {

using mesh::N;

// A field on the cells of an old leaf and, one cell around, of its same-level neighbours. Where there is none of
// the same level (coarser or beyond the domain) the nearest cell stands in, which only flattens the slope.
class around {
 public:
  around(const mesh::tree& t, const mesh::block_data& u, int leaf) : tree_(&t), u_(&u), leaf_(leaf) {}
  exchange::stencil stencil(int field, int i, int j, int k) const {
    const double centre = u_->at(leaf_, field)[mesh::cell(i, j, k)];
    return {centre,
            {at(field, i - 1, j, k, centre), at(field, i, j - 1, k, centre), at(field, i, j, k - 1, centre)},
            {at(field, i + 1, j, k, centre), at(field, i, j + 1, k, centre), at(field, i, j, k + 1, centre)}};
  }

 private:
  double at(int field, int i, int j, int k, double otherwise) const {
    const auto d = [](int x) { return x < 0 ? -1 : x >= N ? 1 : 0; };
    const int m = (*tree_)[leaf_].neighbour[static_cast<std::size_t>(mesh::side(d(i), d(j), d(k)))];
    return m < 0 ? otherwise : u_->at(m, field)[mesh::cell(i - d(i) * N, j - d(j) * N, k - d(k) * N)];
  }
  const mesh::tree* tree_;
  const mesh::block_data* u_;
  int leaf_;
};

void prolong_octant(const mesh::tree& from, const mesh::fields& fields, const mesh::block_data& old, int parent,
                    int octant, mesh::block_data& u, int leaf) {
  const around view(from, old, parent);
  const double h = from.cell_width(parent);
  const int o[3] = {(octant & 1) * N / 2, (octant >> 1 & 1) * N / 2, (octant >> 2) * N / 2};
  for (int k = 0; k < N / 2; ++k) {
    for (int j = 0; j < N / 2; ++j) {
      for (int i = 0; i < N / 2; ++i) {
        core::vec3d momentum[3];
        for (int d = 0; d < 3; ++d) {
          momentum[d] = exchange::limited_slopes(view.stencil(fields.momentum(d), o[0] + i, o[1] + j, o[2] + k));
        }
        const core::vec3d orbital = exchange::children_orbital(momentum, h);
        for (int f = 0; f < fields.size(); ++f) {
          const bool spin = fields[f].kind == mesh::field_kind::spin;
          const exchange::stencil s = view.stencil(f, o[0] + i, o[1] + j, o[2] + k);
          const core::vec3d slope = spin ? core::vec3d{} : exchange::limited_slopes(s);
          const double centre = spin ? s.centre - orbital[f - fields.spin()] : s.centre;
          for (int c = 0; c < 8; ++c) {
            const int fine = mesh::cell(2 * i + (c & 1), 2 * j + (c >> 1 & 1), 2 * k + (c >> 2));
            u.at(leaf, f)[fine] = exchange::child_value(centre, slope, c);
          }
        }
      }
    }
  }
}

void fill_leaf(const mesh::tree& from, const mesh::tree& to, const mesh::fields& fields, const mesh::block_data& old,
               int leaf, mesh::block_data& u) {
  const mesh::block_id id = to[leaf].id;
  const int same = from.find(id);
  if (same >= 0) {
    std::copy_n(old.at(same), fields.size() * mesh::cells, u.at(leaf));
    return;
  }
  const int parent = from.find(id.parent());
  ENSURE(parent >= 0 && parent < from.leaves());
  prolong_octant(from, fields, old, parent, id.octant(), u, leaf);
}

}  // namespace

mesh::block_data transfer(exec::context& where, const mesh::tree& from, const mesh::tree& to,
                          const mesh::fields& fields, const mesh::block_data& old) {
  mesh::block_data u(to.size(), fields.size());
  exec::for_each(where, "transfer", to.leaves(), [&](int leaf) { fill_leaf(from, to, fields, old, leaf, u); });
  return u;
}

mesh::block_data transfer(exec::context& where, const mesh::tree& from, const mesh::tree& to, const mesh::share& own,
                          const mesh::fields& fields, const mesh::block_data& old) {
  mesh::block_data u(mesh::slots::of_leaves(own), fields.size());
  exec::for_each(where, "transfer", own.leaf_count(),
                 [&](int i) { fill_leaf(from, to, fields, old, own.leaves()[0] + i, u); });
  return u;
}

}  // namespace rednova::regrid
