#include "exchange/halo_requests.hpp"

#include "exchange/face_plan.hpp"
#include "exchange/sides.hpp"

namespace rednova::exchange {

using mesh::N;

void halo_requests::cell(int node, int c) {
  if (!partition_->owns(node)) of(node).set(static_cast<std::size_t>(c));
}

void halo_requests::block(int node) {
  if (!partition_->owns(node)) of(node).set();
}

void halo_requests::octant_from(int child) {
  if (partition_->owns(child)) return;
  const mesh::node& from = (*tree_)[child];
  cell_set& set = sets_[{partition_->owner(child), from.parent}];
  const int octant = from.id.octant();
  cell_box b{};
  for (std::size_t a = 0; a < 3; ++a) {
    b.first[a] = (octant >> a & 1) * N / 2;
    b.last[a] = b.first[a] + N / 2;
  }
  for_cells(b, [&](int i, int j, int k) { set.set(static_cast<std::size_t>(mesh::cell(i, j, k))); });
}

void halo_requests::ghosts_of(int node) {
  const mesh::node& me = (*tree_)[node];
  for (int s = 0; s < mesh::sides; ++s) {
    const auto d = offset(s);
    const int m = me.neighbour[static_cast<std::size_t>(s)];
    if (m >= 0 && m != node) {
      if (partition_->owns(m)) continue;
      for_cells(cells_of(d), [&](int i, int j, int k) { cell(m, cell_in_neighbour(i, j, k)); });
    } else if (m == mesh::no_block) {
      const mesh::node& parent = (*tree_)[me.parent];
      const auto coarse = [&](int i, int j, int k) {
        const int from = parent.neighbour[static_cast<std::size_t>(side_of_cell(i, j, k))];
        if (from >= 0) cell(from, cell_in_neighbour(i, j, k));
      };
      // The cells and, for their slopes, the six around each.
      for_cells(coarse_cells_of(d, me.id.octant()), [&](int i, int j, int k) {
        coarse(i, j, k);
        for (const int side : {-1, 1}) {
          coarse(i + side, j, k);
          coarse(i, j + side, k);
          coarse(i, j, k + side);
        }
      });
    }
  }
}

void halo_requests::face(int node, int face, int layers) {
  if (partition_->owns(node)) return;
  cell_box b{{0, 0, 0}, {N, N, N}};
  const auto d = static_cast<std::size_t>(face / 2);
  (face % 2 ? b.first[d] : b.last[d]) = face % 2 ? N - layers : layers;
  for_cells(b, [&](int i, int j, int k) { cell(node, mesh::cell(i, j, k)); });
}

std::vector<request> halo_requests::requests() const {
  std::vector<request> list;
  for (const auto& [key, set] : sets_) {
    if (set.any()) list.push_back({key.first, key.second, runs_of(set)});
  }
  return list;
}

void halo_requests::add_nodes(std::vector<int>& nodes) const {
  for (const auto& [key, set] : sets_) nodes.push_back(key.second);
}

}  // namespace rednova::exchange
