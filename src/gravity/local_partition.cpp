#include "gravity/local_partition.hpp"

#include <map>
#include <numeric>
#include <utility>

#include "gravity/layout.hpp"

namespace rednova::gravity {

namespace {

using exchange::request;

/// Marks the numbers of an octant's cells in a block of `numbers` that begins at `start` of a node's memory.
void flag_octant(std::vector<char>& flags, int start, int numbers, int octant) {
  for (int z = 0; z < H; ++z) {
    for (int y = 0; y < H; ++y) {
      for (int x = 0; x < H; ++x) {
        for (int n = 0; n < numbers; ++n) {
          flags[index(start + sorted_cell(numbers, n, (octant & 1) * H + x, (octant >> 1 & 1) * H + y,
                                          (octant >> 2) * H + z))] = 1;
        }
      }
    }
  }
}

/// Octants of nodes, by rank and node.
class octants {
 public:
  explicit octants(std::vector<int> numbers) : numbers_(std::move(numbers)) {}
  void add(int from, int node, int octant) {
    std::vector<char>& flags = flags_[{from, node}];
    flags.resize(index(block_size(std::accumulate(numbers_.begin(), numbers_.end(), 0))));
    int start = 0;
    for (const int n : numbers_) {
      flag_octant(flags, start, n, octant);
      start += block_size(n);
    }
  }
  std::vector<request> requests() const {
    std::vector<request> list;
    for (const auto& [key, flags] : flags_) list.push_back({key.first, key.second, exchange::runs_of(flags)});
    return list;
  }

 private:
  std::vector<int> numbers_;  // of the blocks that follow each other in a node's memory
  std::map<std::pair<int, int>, std::vector<char>> flags_;
};

}  // namespace

local_partition::local_partition(exec::context* context, const mesh::tree& t, const interaction_lists& lists,
                                 const mesh::local_partition& s, int numbers)
    : own(&s),
      places{.leaf = std::vector<int>(index(t.leaves()), -1),
             .refined = std::vector<int>(index(t.size() - t.leaves()), -1),
             .ghost = std::vector<int>(index(lists.ghost_blocks()), -1)},
      parents(mesh::parents_of(t, s)),
      upward(index(t.max_level() + 1)),
      downward(upward.size()),
      wanted_(index(t.size()), 0) {
  find_halo(lists);
  const auto place = [&](int node) {
    int& p = node < t.leaves() ? places.leaf[index(node)] : places.refined[index(node - t.leaves())];
    if (p < 0) p = node < t.leaves() ? places.leaves++ : places.refined_nodes++;
  };
  for (int n = s.leaves()[0]; n < s.leaves()[1]; ++n) place(n);
  for (const int n : s.refined()) place(n);
  for (const auto& level : parents) {
    for (const int n : level) place(n);
  }
  for (int n = 0; n < t.size(); ++n) {
    if (wanted_[index(n)] != 0) place(n);
  }
  for (int v = 0; v < lists.ghost_blocks(); ++v) {
    if (places.leaf[index(lists.ghost_at(v).leaf)] >= 0) places.ghost[index(v)] = places.ghosts++;
  }
  if (!s.alone()) open(*context, t, numbers);
}

void local_partition::find_halo(const interaction_lists& lists) {
  const auto read = [&](int n) {
    if (n == nobody) return;
    const int node = interaction_lists::is_ghost(n) ? lists.ghost_at(interaction_lists::ghost_number(n)).leaf : n;
    if (own->owns(node)) return;
    wanted_[index(node)] = 1;
  };
  for (int n = own->leaves()[0]; n < own->leaves()[1]; ++n) {
    for (int s = 0; s < mesh::sides; ++s) read(lists.neighbour(n, s));
    const auto [first, last] = lists.ghosts_of(n);
    for (int v = first; v < last; ++v) {
      for (const int m : lists.ghost_at(v).neighbour) read(m);
    }
  }
  for (const int n : own->refined()) {
    for (int s = 0; s < mesh::sides; ++s) read(lists.neighbour(n, s));
  }
}

void local_partition::open(exec::context& context, const mesh::tree& t, int numbers) {
  std::vector<request> of_leaves, of_refined;
  for (int n = 0; n < t.size(); ++n) {
    if (wanted_[index(n)] == 0) continue;
    const bool is_leaf = n < t.leaves();
    (is_leaf ? of_leaves : of_refined)
        .push_back({own->owner(n), n, {{0, is_leaf ? mesh::cells : block_size(numbers)}}});
  }
  const auto halo_of = [&](const char* name, std::vector<request> requests) {
    return exchange::block_exchange(
        context, name, std::make_shared<const exchange::communication_plan>(context, std::move(requests)), 1, 0);
  };
  masses = halo_of("masses", std::move(of_leaves));
  moments = halo_of("moments", std::move(of_refined));
  for (int level = 0; level < t.max_level(); ++level) {
    octants to_me({numbers}), from_above({numbers, 3});
    for (int n = own->refined(level)[0]; n < own->refined(level)[1]; ++n) {
      for (int o = 0; o < 8; ++o) {
        const int child = t[n].child[index(o)];
        if (!own->owns(child)) to_me.add(own->owner(child), n, o);
      }
    }
    for (const int n : parents[index(level)]) {
      if (own->owns(n)) continue;
      for (int o = 0; o < 8; ++o) {
        if (own->owns(t[n].child[index(o)])) from_above.add(own->owner(n), n, o);
      }
    }
    upward[index(level)] = halo_of("moments up", to_me.requests());
    downward[index(level)] = halo_of("expansions", from_above.requests());
  }
}

}  // namespace rednova::gravity
