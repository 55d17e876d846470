#include "regrid/transfer.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "regrid/transfer_cells.hpp"

namespace rednova::regrid {

namespace {

origin origin_of(const mesh::tree& from, const mesh::tree& to, int leaf, int place) {
  const mesh::block_id id = to[leaf].id;
  const int same = from.find(id);
  if (same >= 0) return {place, same, origin::whole};
  const int parent = from.find(id.parent());
  ENSURE(parent >= 0 && parent < from.leaves());
  return {place, parent, id.octant()};
}

}  // namespace

std::vector<origin> origins(const mesh::tree& from, const mesh::tree& to, const mesh::share& own) {
  std::vector<origin> all;
  for (int leaf = own.leaves()[0]; leaf < own.leaves()[1]; ++leaf)
    all.push_back(origin_of(from, to, leaf, leaf - own.leaves()[0]));
  return all;
}

mesh::block_data transfer(exec::context& where, const mesh::tree& from, const mesh::tree& to, const mesh::share& own,
                          const mesh::fields& fields, const mesh::block_data& old) {
  mesh::block_data u(mesh::slots::of_leaves(own), fields.size());
  const mesh::tree_view there = mesh::view(from);
  exec::for_each(where, "transfer", own.leaf_count(), [&](int i) {
    const int leaf = own.leaves()[0] + i;
    const origin of = origin_of(from, to, leaf, i);
    if (of.octant == origin::whole) {
      std::copy_n(old.at(of.node), fields.size() * mesh::cells, u.at(leaf));
      return;
    }
    for (int cell = 0; cell < octant_cells; ++cell) prolong_cell(there, fields, mesh::view(old), of, cell, u.at(leaf));
  });
  return u;
}

}  // namespace rednova::regrid
