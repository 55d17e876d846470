// Fields from one mesh to the next on a device: in an execution space's memory.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "exec/space.hpp"
#include "regrid/migrate.hpp"
#include "regrid/transfer_cells.hpp"

namespace rednova::regrid {

/// transfer() in the memory of a Space (exec/space.hpp): [own leaf of `to`][field][cell]. Launches are not waited for.
///
/// there: the tree `from` in the execution space's memory; old: as in transfer().
template <class Space>
typename Space::template array<double> device_transfer(const Space& space, const mesh::tree& from,
                                                       const mesh::tree_view& there, const mesh::tree& to,
                                                       const mesh::local_partition& own,
                                                       const mesh::field_numbers& fields,
                                                       const mesh::block_view<const double>& old) {
  std::vector<origin> kept, made;
  for (const origin& of : origins(from, to, own)) (of.octant == origin::whole ? kept : made).push_back(of);
  const int width = fields.size() * mesh::cells;
  typename Space::template array<double> u(static_cast<std::size_t>(own.leaf_count()) *
                                           static_cast<std::size_t>(width));
  const transfer_cells transfer{there, fields, old, u.data()};
  const auto launch = [&](const std::vector<origin>& list, int threads_each, const auto& kernel_of) {
    if (list.empty()) return;
    const auto there_list = space.copy_of(list);
    exec::for_each_of(space, static_cast<int>(list.size()), threads_each,
                      [&](int first) { return kernel_of(there_list.data() + first); });
  };
  launch(kept, width, [&](const origin* list) { return copy_leaves{transfer, list}; });
  launch(made, octant_cells, [&](const origin* list) { return prolong_leaves{transfer, list}; });
  return u;
}

/// migrate() of such an array: what goes to other ranks and what comes passes through the host.
template <class Array, class Space>
Array device_migrate(exec::context& ranks, const Space& space, const std::vector<mesh::migration>& moves,
                     const mesh::local_partition& had, const mesh::local_partition& own, int fields, const Array& u,
                     migration_counts& counts) {
  exec::profile::scope timed(ranks.times(), "migrate");
  const std::size_t width = static_cast<std::size_t>(fields) * mesh::cells;
  const auto count = [&](int first, int last) { return static_cast<std::size_t>(last - first) * width; };
  Array result(count(0, own.leaf_count()));
  const auto of = [&](const mesh::local_partition& s, int leaf) { return count(s.leaves()[0], leaf); };
  const auto [first, last] = kept_leaves(had, own);
  if (first < last)
    exec::copy_within(space, u.data() + of(had, first), result.data() + of(own, first), count(first, last));
  migrate(ranks, moves,
          {.bytes = width * sizeof(double),
           .take =
               [&](int a, int b, std::byte* message) {
                 space.download(u.data() + of(had, a), std::span(reinterpret_cast<double*>(message), count(a, b)));
               },
           .store =
               [&](int a, int b, const std::byte* message) {
                 const auto* const numbers = reinterpret_cast<const double*>(message);
                 space.upload(result.data() + of(own, a), std::span(numbers, count(a, b)));
               }},
          counts);
  return result;
}

}  // namespace rednova::regrid
