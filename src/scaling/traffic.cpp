#include "scaling/traffic.hpp"

#include <algorithm>
#include <set>

#include "core/index.hpp"
#include "exchange/face_plan.hpp"

namespace rednova::scaling {

namespace {

using core::index;
using mesh::N;

constexpr int own_side = mesh::side(0, 0, 0);
constexpr std::int64_t octant_cells = mesh::cells / 8;
constexpr std::int64_t number_bytes = sizeof(double);

std::array<int, 3> offset(int side) { return {side % 3 - 1, side / 3 % 3 - 1, side / 9 - 1}; }

/// Layers of ghost cells that an update reads beyond a side (ghosts.hpp).
int layers(int side) {
  const auto d = offset(side);
  const int across = std::abs(d[0]) + std::abs(d[1]) + std::abs(d[2]);
  return across == 1 ? mesh::ghosts : across == 2 ? 1 : 0;
}

int ghost_cells(int side) {
  int count = layers(side);
  for (const int d : offset(side)) count *= d == 0 ? N : 1;
  return layers(side) > 1 ? count : layers(side) * count;
}

/// The side of the parent on which the block behind a side of its child lies.
int side_of_parent(int octant, int side) {
  auto d = offset(side);
  for (int a = 0; a < 3; ++a) {
    const int outward = (octant >> a & 1) == 1 ? 1 : -1;
    if (d[index(a)] != outward) d[index(a)] = 0;
  }
  return mesh::side(d[0], d[1], d[2]);
}

/// Whether a child touches the block that lies at this side of its parent.
bool touches(int octant, int side) {
  const auto d = offset(side);
  for (int a = 0; a < 3; ++a) {
    if (d[index(a)] != 0 && (octant >> a & 1) != (d[index(a)] > 0 ? 1 : 0)) return false;
  }
  return true;
}

/// How many cells of which neighbour of its parent a block's ghost cells on a side are prolonged from:
/// [octant][side] lists of (side of the parent, cells), those for slopes included.
class prolongation_reads {
 public:
  struct part {
    int parent_side, cells;
  };

  prolongation_reads() {
    for (int octant = 0; octant < 8; ++octant) {
      for (int side = 0; side < mesh::sides; ++side) parts_[index(octant)][index(side)] = parts_of(octant, side);
    }
  }
  const std::vector<part>& of(int octant, int side) const { return parts_[index(octant)][index(side)]; }

 private:
  static std::vector<part> parts_of(int octant, int side) {
    std::array<int, 3> first, last;  // coarse cells, counted from the parent
    const auto d = offset(side);
    const int depth = layers(side);
    for (int a = 0; a < 3; ++a) {
      const int origin = (octant >> a & 1) * N;
      const int begin = d[index(a)] < 0 ? -depth : d[index(a)] == 0 ? 0 : N;
      const int end = d[index(a)] < 0 ? 0 : d[index(a)] == 0 ? N : N + depth;
      first[index(a)] = (begin + origin) >> 1;
      last[index(a)] = depth == 0 ? first[index(a)] : ((end - 1 + origin) >> 1) + 1;
    }
    std::set<std::array<int, 3>> cells;
    for (int k = first[2]; k < last[2]; ++k) {
      for (int j = first[1]; j < last[1]; ++j) {
        for (int i = first[0]; i < last[0]; ++i) {
          cells.insert(
              {{i, j, k}, {i - 1, j, k}, {i + 1, j, k}, {i, j - 1, k}, {i, j + 1, k}, {i, j, k - 1}, {i, j, k + 1}});
        }
      }
    }
    std::array<int, mesh::sides> count{};
    const auto beyond = [](int x) { return x < 0 ? -1 : x >= N ? 1 : 0; };
    for (const auto& c : cells) ++count[index(mesh::side(beyond(c[0]), beyond(c[1]), beyond(c[2])))];
    std::vector<part> parts;
    for (int s = 0; s < mesh::sides; ++s) {
      if (count[index(s)] > 0) parts.push_back({s, count[index(s)]});
    }
    return parts;
  }

  std::array<std::array<std::vector<part>, mesh::sides>, 8> parts_;
};

/// Gathers what one rank after the other needs of others.
class counter {
 public:
  counter(const mesh::tree& t, const mesh::partition& p, const message_sizes& sizes)
      : t_(t), p_(p), sizes_(sizes), owner_(p.owners(t)) {
    result_.in.resize(index(p.ranks()));
    result_.out.resize(index(p.ranks()));
    result_.neighbours.resize(index(p.ranks()));
  }

  traffic count() {
    for (rank_ = 0; rank_ < p_.ranks(); ++rank_) count_rank();
    return std::move(result_);
  }

 private:
  /// A message: whose, of which kind, of which level (0 where levels do not wait).
  struct message {
    int from;
    message_kind kind;
    int level;
    auto operator<=>(const message&) const = default;
  };

  bool gravity() const { return sizes_.multipole_numbers > 0; }

  void count_rank() {
    messages_.clear();
    halo_.clear();
    const auto [first, last] = p_.leaves(t_, rank_);
    for (int leaf = first; leaf < last; ++leaf) count_leaf(leaf);
    for (int level = 0; level < t_.max_level(); ++level) {
      const auto [begin, end] = p_.refined(t_, level, rank_);
      for (int n = begin; n < end; ++n) count_refined(n);
    }
    count_halo();
    sort_unique(messages_);
    int last_peer = -1;
    for (const message& m : messages_) {
      ++result_.in[index(rank_)][index(static_cast<int>(m.kind))].messages;
      ++result_.out[index(m.from)][index(static_cast<int>(m.kind))].messages;
      if (m.from != last_peer) ++result_.neighbours[index(rank_)];
      last_peer = m.from;
    }
  }

  void count_leaf(int leaf) {
    const mesh::node& me = t_[leaf];
    for (int s = 0; s < mesh::sides; ++s) {
      if (s == own_side) continue;
      const int m = me.neighbour[index(s)];
      if (m == mesh::outside) continue;
      if (m >= 0) {
        need(m, message_kind::ghosts, std::int64_t{ghost_cells(s)} * sizes_.fields);
      } else {
        for (const auto& part : reads_.of(me.id.octant(), s)) {
          const int coarse = t_[me.parent].neighbour[index(part.parent_side)];
          if (coarse >= 0) need(coarse, message_kind::ghosts, std::int64_t{part.cells} * sizes_.fields);
        }
      }
      if (gravity()) count_gravity_side(leaf, s);
    }
    for (int face = 0; face < mesh::faces; ++face) {
      const int m = me.neighbour[index(exchange::side_of_face(face))];
      if (m < t_.leaves()) continue;
      for (int octant = 0; octant < 8; ++octant) {
        if (!touches(octant, mesh::sides - 1 - exchange::side_of_face(face))) continue;
        need(t_[m].child[index(octant)], message_kind::fluxes,
             std::int64_t{N * N} * (sizes_.fields + (gravity() ? 1 : 0)));
        if (gravity()) need(t_[m].child[index(octant)], message_kind::potentials, 2 * N * N);
      }
    }
    count_expansions(leaf);
  }

  /// Masses and multipoles around a leaf, and density and potential behind its faces.
  void count_gravity_side(int leaf, int s) {
    const mesh::node& me = t_[leaf];
    const int m = me.neighbour[index(s)];
    const int coarse =
        m == mesh::no_block ? t_[me.parent].neighbour[index(side_of_parent(me.id.octant(), s))] : mesh::no_block;
    halo_from(m >= 0 ? m : coarse);
    if (m >= t_.leaves()) {  // this leaf's virtual children meet those of m that touch it
      for (int octant = 0; octant < 8; ++octant) {
        if (touches(octant, mesh::sides - 1 - s)) halo_from(t_[m].child[index(octant)]);
      }
    } else if (layers(s) > 1) {
      need(m >= 0 ? m : coarse, message_kind::potentials, 2 * (m >= 0 ? 2 * N * N : N * N / 4));
    }
  }

  void count_refined(int n) {
    const mesh::node& me = t_[n];
    for (const int child : me.child) {
      need(child, message_kind::restricted, octant_cells * sizes_.fields, me.level);
      if (!gravity()) continue;
      const bool leaf = child < t_.leaves();
      need(child, message_kind::moments, leaf ? mesh::cells : octant_cells * sizes_.multipole_numbers, me.level);
    }
    if (!gravity()) return;
    for (int s = 0; s < mesh::sides; ++s) {
      if (s != own_side && me.neighbour[index(s)] >= 0) halo_from(me.neighbour[index(s)]);
    }
    count_expansions(n);
  }

  void count_expansions(int n) {
    constexpr int torque_and_mass = 4;
    const int parent = t_[n].parent;
    if (!gravity() || parent == mesh::no_block) return;
    need(parent, message_kind::expansions, octant_cells * (sizes_.multipole_numbers + torque_and_mass), t_[n].level);
  }

  void count_halo() {
    sort_unique(halo_);
    for (const int n : halo_) {
      need(n, message_kind::halos, std::int64_t{mesh::cells} * (n < t_.leaves() ? 1 : sizes_.multipole_numbers));
    }
  }

  void halo_from(int node) {
    if (owner_[index(node)] != rank_) halo_.push_back(node);
  }

  /// This rank needs so many numbers of a node, if it is another rank's.
  void need(int node, message_kind kind, std::int64_t numbers, int level = 0) {
    const int from = owner_[index(node)];
    if (from == rank_) return;
    result_.in[index(rank_)][index(static_cast<int>(kind))].bytes += numbers * number_bytes;
    result_.out[index(from)][index(static_cast<int>(kind))].bytes += numbers * number_bytes;
    const message m{from, kind, level};
    if (messages_.empty() || messages_.back() != m) messages_.push_back(m);
  }

  template <class T>
  static void sort_unique(std::vector<T>& list) {
    std::ranges::sort(list);
    list.erase(std::ranges::unique(list).begin(), list.end());
  }

  const mesh::tree& t_;
  const mesh::partition& p_;
  message_sizes sizes_;
  std::vector<int> owner_;
  prolongation_reads reads_;
  int rank_ = 0;
  std::vector<message> messages_;
  std::vector<int> halo_;  // nodes of other ranks
  traffic result_;
};

amount sum(const traffic::by_kind& all, int stages) {
  amount total;
  for (int kind = 0; kind < message_kinds; ++kind) {
    const std::int64_t times = exchanges(static_cast<message_kind>(kind), stages);
    const amount& a = all[index(kind)];
    total += {times * a.messages, times * a.bytes};
  }
  return total;
}

}  // namespace

const char* name_of(message_kind kind) {
  switch (kind) {
    case message_kind::restricted:
      return "restricted";
    case message_kind::ghosts:
      return "ghosts";
    case message_kind::fluxes:
      return "fluxes";
    case message_kind::moments:
      return "moments";
    case message_kind::halos:
      return "halos";
    case message_kind::expansions:
      return "expansions";
    case message_kind::potentials:
      return "potentials";
  }
  return "";
}

int exchanges(message_kind kind, int stages) {
  switch (kind) {
    case message_kind::restricted:
    case message_kind::ghosts:
    case message_kind::fluxes:
    case message_kind::potentials:
      return stages;
    case message_kind::moments:
    case message_kind::halos:
    case message_kind::expansions:
      return 1;
  }
  return 0;
}

amount traffic::received(int rank, int stages) const { return sum(in[index(rank)], stages); }
amount traffic::sent(int rank, int stages) const { return sum(out[index(rank)], stages); }

traffic count_traffic(const mesh::tree& t, const mesh::partition& p, const message_sizes& sizes) {
  return counter(t, p, sizes).count();
}

}  // namespace rednova::scaling
