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

std::vector<origin> origins(const mesh::tree& from, const mesh::tree& to, const mesh::local_partition& own) {
  std::vector<origin> all;
  for (int leaf = own.leaves()[0]; leaf < own.leaves()[1]; ++leaf)
    all.push_back(origin_of(from, to, leaf, leaf - own.leaves()[0]));
  return all;
}

mesh::block_data transfer(exec::context& context, const mesh::tree& from, const mesh::tree& to,
                          const mesh::local_partition& own, const mesh::fields& fields, const mesh::block_data& old) {
  mesh::block_data u(mesh::slots::of_leaves(own), fields.size());
  const transfer_cells cells{mesh::view(from), fields, mesh::view(old), u.data()};
  exec::for_each(context, "transfer", own.leaf_count(), [&](int i) {
    const origin of = origin_of(from, to, own.leaves()[0] + i, i);
    if (of.octant == origin::whole) {
      for (int number = 0; number < cells.numbers(); ++number) cells.copy(of, number);
    } else {
      for (int cell = 0; cell < octant_cells; ++cell) cells.prolong(of, cell);
    }
  });
  return u;
}

}  // namespace rednova::regrid
