#include "mesh/partition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/check.hpp"

namespace rednova::mesh {

namespace {

// Beyond every block.
constexpr std::uint64_t end_of_curve = std::numeric_limits<std::uint64_t>::max();

/// The position on the curve that decides who owns a node.
std::uint64_t place_of(const node& n) { return (n.leaf() ? n.id : n.id.child(4)).curve(); }

/// Cuts of a chain of n leaves into p pieces, each with a leaf: piece r is cut[r] … cut[r+1]-1.
class chain {
 public:
  /// Contract: at least as many costs as pieces.
  chain(std::span<const double> costs, int pieces) : n_(static_cast<int>(costs.size())), pieces_(pieces) {
    sums_.reserve(costs.size() + 1);
    for (double c : costs) {
      EXPECT(c >= 0 && std::isfinite(c));
      largest_ = std::max(largest_, c);
      sums_.push_back(sums_.back() + c);
    }
  }

  /// The smallest load that the heaviest piece can have.
  double least_load() const {
    // A single leaf's cost as a difference of sums may be a rounding above the cost itself.
    double low = largest_;
    for (int i = 0; i < n_; ++i) low = std::max(low, load(i, i + 1));
    low = std::max(low, sums_.back() / pieces_);
    double high = low;
    while (!probe(high).feasible) high *= 1.5;
    high = probe(high).load;
    while (low < high) {
      double middle = low + 0.5 * (high - low);
      if (middle >= high) middle = low;
      const attempt a = probe(middle);
      if (a.feasible) {
        high = a.load;
      } else {
        low = a.load;
      }
    }
    return high;
  }

  /// Cuts that give each piece an even share of what is left, no piece heavier than `most`.
  std::vector<int> cuts(double most) const {
    // The earliest cuts from which on the rest can still be carried, from the end.
    std::vector<int> cut(static_cast<std::size_t>(pieces_) + 1);
    cut.back() = n_;
    for (int r = pieces_ - 1; r > 0; --r) {
      const int end = cut[static_cast<std::size_t>(r) + 1];
      int first = std::max(static_cast<int>(std::ranges::lower_bound(sums_, sums_[at(end)] - most) - sums_.begin()), r);
      while (load(first, end) > most) ++first;  // the difference above was rounded
      cut[static_cast<std::size_t>(r)] = std::min(first, end - 1);
    }
    cut.front() = 0;
    for (int r = 1; r < pieces_; ++r) {
      int& here = cut[static_cast<std::size_t>(r)];
      const int before = cut[static_cast<std::size_t>(r) - 1];
      const double share = sums_[at(before)] + (sums_.back() - sums_[at(before)]) / (pieces_ - r + 1);
      here = std::clamp(nearest(share), std::max(here, before + 1), last_of(before, r - 1, most));
    }
    return cut;
  }

 private:
  struct attempt {
    bool feasible;
    double load;  ///< the largest that was needed; or the least that would change anything
  };

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  double load(int first, int last) const { return sums_[at(last)] - sums_[at(first)]; }

  /// The end of piece r if it begins at `first` and is filled up to `most`, with a leaf left for each later one.
  int last_of(int first, int r, double most) const {
    const int end = n_ - (pieces_ - 1 - r);
    auto it = std::upper_bound(sums_.begin() + first + 1, sums_.begin() + end + 1, sums_[at(first)] + most);
    int last = std::max(static_cast<int>(it - sums_.begin()) - 1, first + 1);
    while (last > first + 1 && load(first, last) > most) --last;  // the sum above was rounded
    while (last < end && load(first, last + 1) <= most) ++last;
    return last;
  }

  /// Fills each piece up to `most` before the next begins.
  attempt probe(double most) const {
    double needed = 0, least_more = std::numeric_limits<double>::infinity();
    int first = 0;
    for (int r = 0; r < pieces_; ++r) {
      const int last = last_of(first, r, most);
      needed = std::max(needed, load(first, last));
      if (last < n_ - (pieces_ - 1 - r)) least_more = std::min(least_more, load(first, last + 1));
      first = last;
    }
    return first == n_ ? attempt{true, needed} : attempt{false, least_more};
  }

  /// The cut at which the sum is nearest to a share of the load.
  int nearest(double share) const {
    const auto it = std::ranges::lower_bound(sums_, share);
    const int above = std::min(static_cast<int>(it - sums_.begin()), n_);
    if (above == 0) return 0;
    return sums_[at(above)] - share < share - sums_[at(above - 1)] ? above : above - 1;
  }

  int n_, pieces_;
  double largest_ = 0;
  std::vector<double> sums_{0.0};  // of the leaves before each cut
};

}  // namespace

partition::partition(int ranks) {
  EXPECT(ranks > 0);
  splitters_.assign(static_cast<std::size_t>(ranks), end_of_curve);
  splitters_.front() = 0;
}

partition::partition(std::vector<std::uint64_t> splitters) : splitters_(std::move(splitters)) {
  EXPECT(!splitters_.empty() && splitters_.front() == 0 && std::ranges::is_sorted(splitters_));
}

partition partition::aligned(const tree& t) const {
  std::vector<std::uint64_t> places(splitters_);
  for (int r = 1; r < ranks(); ++r) {
    const int first = leaves(t, r)[0];
    places[static_cast<std::size_t>(r)] = first < t.leaves() ? t[first].id.curve() : end_of_curve;
  }
  return partition(std::move(places));
}

int partition::owner_at(std::uint64_t place) const {
  // Where several pieces begin at one position, all but the last are empty.
  return static_cast<int>(std::ranges::upper_bound(splitters_, place) - splitters_.begin()) - 1;
}

int partition::owner(const node& n) const { return owner_at(place_of(n)); }

std::vector<int> partition::owners(const tree& t) const {
  std::vector<int> owner_of(static_cast<std::size_t>(t.size()));
  // Leaves lie along the curve, and so do the refined nodes of a level: their pieces are walked through side by side.
  const auto walk = [&](std::array<int, 2> nodes) {
    std::size_t rank = 0;
    for (int n = nodes[0]; n < nodes[1]; ++n) {
      const std::uint64_t place = place_of(t[n]);
      while (rank + 1 < splitters_.size() && splitters_[rank + 1] <= place) ++rank;
      owner_of[static_cast<std::size_t>(n)] = static_cast<int>(rank);
    }
  };
  walk({0, t.leaves()});
  for (int level = 0; level <= t.max_level(); ++level) walk(t.refined(level));
  return owner_of;
}

std::array<int, 2> partition::piece(const tree& t, std::array<int, 2> nodes, int rank) const {
  EXPECT(rank >= 0 && rank < ranks());
  const auto first_from = [&](int r) {
    if (r == ranks()) return nodes[1];
    const std::uint64_t place = splitters_[static_cast<std::size_t>(r)];
    int low = nodes[0], high = nodes[1];
    while (low < high) {
      const int middle = low + (high - low) / 2;
      if (place_of(t[middle]) < place) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  return {first_from(rank), first_from(rank + 1)};
}

partition balanced(const tree& t, int ranks, std::span<const double> costs) {
  EXPECT(ranks > 0 && static_cast<int>(costs.size()) == t.leaves());
  std::vector<std::uint64_t> splitters(static_cast<std::size_t>(ranks), end_of_curve);
  splitters.front() = 0;
  const std::vector<double> equal(std::ranges::all_of(costs, [](double c) { return c == 0; }) ? costs.size() : 0, 1.0);
  const int pieces = std::min(ranks, t.leaves());
  const chain leaves(equal.empty() ? costs : equal, pieces);
  const std::vector<int> cut = leaves.cuts(leaves.least_load());
  for (int r = 1; r < pieces; ++r) {
    splitters[static_cast<std::size_t>(r)] = t[cut[static_cast<std::size_t>(r)]].id.curve();
  }
  return partition(std::move(splitters));
}

partition balanced(const tree& t, int ranks) {
  return balanced(t, ranks, std::vector<double>(static_cast<std::size_t>(t.leaves()), 1.0));
}

std::vector<double> costs_of_leaves(const tree& t, std::span<const double> of_nodes) {
  EXPECT(static_cast<int>(of_nodes.size()) == t.size());
  std::vector<double> costs(of_nodes.begin(), of_nodes.begin() + t.leaves());
  std::vector<int> first_leaf(static_cast<std::size_t>(t.size() - t.leaves()));
  const auto first_leaf_of = [&](int n) -> int& { return first_leaf[static_cast<std::size_t>(n - t.leaves())]; };
  for (int n = t.leaves(); n < t.size(); ++n) {  // finest first: the children's are known
    const auto first_leaf_in = [&](int child) { return child < t.leaves() ? child : first_leaf_of(child); };
    first_leaf_of(n) = first_leaf_in(t[n].child[0]);
    costs[static_cast<std::size_t>(first_leaf_in(t[n].child[4]))] += of_nodes[static_cast<std::size_t>(n)];
  }
  return costs;
}

std::vector<double> loads(const partition& p, const tree& t, std::span<const double> costs) {
  EXPECT(static_cast<int>(costs.size()) == t.leaves());
  std::vector<double> load(static_cast<std::size_t>(p.ranks()));
  for (int r = 0; r < p.ranks(); ++r) {
    const auto [first, last] = p.leaves(t, r);
    load[static_cast<std::size_t>(r)] = std::accumulate(costs.begin() + first, costs.begin() + last, 0.0);
  }
  return load;
}

double imbalance(const partition& p, const tree& t, std::span<const double> costs) {
  const std::vector<double> load = loads(p, t, costs);
  const double sum = std::accumulate(load.begin(), load.end(), 0.0);
  return sum > 0 ? *std::ranges::max_element(load) * p.ranks() / sum : 1.0;
}

std::optional<partition> rebalanced(const partition& now, const tree& t, std::span<const double> costs,
                                    double threshold) {
  EXPECT(threshold >= 0);
  partition best = balanced(t, now.ranks(), costs);
  const auto heaviest = [&](const partition& p) {
    const std::vector<double> load = loads(p, t, costs);
    return *std::ranges::max_element(load);
  };
  const double old_load = heaviest(now);
  if (!(old_load - heaviest(best) > threshold * old_load)) return std::nullopt;
  return best;
}

std::vector<migration> migrations(const tree& t, const partition& before, const partition& after) {
  EXPECT(before.ranks() == after.ranks());
  std::vector<migration> moves;
  for (int leaf = 0; leaf < t.leaves();) {
    const int from = before.owner(t[leaf].id), to = after.owner(t[leaf].id);
    const int end = std::min(before.leaves(t, from)[1], after.leaves(t, to)[1]);
    if (from != to) moves.push_back({leaf, end, from, to});
    leaf = end;
  }
  return moves;
}

}  // namespace rednova::mesh
