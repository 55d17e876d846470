#include "scaling/model.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace rednova::scaling {

namespace {

constexpr int most_ranks = 100000;

/// Collects mean and maximum over ranks.
void add(prediction::share& s, double value, int ranks) {
  s.mean += value / ranks;
  s.most = std::max(s.most, value);
}

/// The first number of ranks at which `below` holds, between one where it does not and one where it does.
int bisect(int low, int high, const std::function<bool(int)>& below) {
  while (high - low > 0.03 * low && high - low > 1) {
    const int middle = low + (high - low) / 2;
    (below(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

prediction predict(const mesh::tree& t, const block_costs& costs, const message_sizes& sizes, const network& net,
                   int ranks) {
  std::vector<double> of_nodes(static_cast<std::size_t>(t.size()), costs.refined);
  std::fill_n(of_nodes.begin(), t.leaves(), costs.leaf);
  const std::vector<double> of_leaves = mesh::costs_of_leaves(t, of_nodes);
  const mesh::partition p = mesh::balanced(t, ranks, of_leaves);
  const std::vector<double> load = mesh::loads(p, t, of_leaves);
  const traffic sent = count_traffic(t, p, sizes);

  prediction found;
  found.ranks = ranks;
  found.imbalance = mesh::imbalance(p, t, of_leaves);
  double all = 0;
  for (int r = 0; r < ranks; ++r) {
    const auto i = static_cast<std::size_t>(r);
    const amount in = sent.received(r, costs.stages), out = sent.sent(r, costs.stages);
    add(found.neighbours, sent.neighbours[i], ranks);
    add(found.messages, static_cast<double>(in.messages), ranks);
    add(found.bytes, static_cast<double>(in.bytes), ranks);
    for (std::size_t k = 0; k < message_kinds; ++k) {
      const double times = exchanges(static_cast<message_kind>(k), costs.stages);
      add(found.messages_by_kind[k], times * static_cast<double>(sent.in[i][k].messages), ranks);
      add(found.bytes_by_kind[k], times * static_cast<double>(sent.in[i][k].bytes), ranks);
    }
    const double talk = net.latency * static_cast<double>(in.messages) +
                        static_cast<double>(std::max(in.bytes, out.bytes)) / net.bandwidth;
    all += load[i];
    found.work = std::max(found.work, load[i]);
    found.step = std::max(found.step, load[i] + talk);
    found.overlapped = std::max({found.overlapped, load[i], talk});
  }
  if (ranks > 1) {
    const int sweeps = costs.stages + (sizes.multipole_numbers > 0 ? 2 : 0);  // restriction; moments, expansions
    const int doublings = std::bit_width(static_cast<unsigned>(ranks - 1));
    const double waits = t.max_level() * (costs.sweep + sweeps * net.latency) + doublings * net.latency;
    found.step += waits;
    found.overlapped += waits;
  }
  found.efficiency = all / (ranks * found.step);
  found.best_efficiency = all / (ranks * found.overlapped);
  return found;
}

std::vector<int> rank_ladder(int most) {
  std::vector<int> ladder;
  for (int decade = 1; decade <= most; decade *= 10) {
    for (const int step : {1, 2, 5}) {
      if (decade * step <= most) ladder.push_back(decade * step);
    }
  }
  return ladder;
}

saturation find_saturation(const mesh::tree& t, const block_costs& costs, const message_sizes& sizes,
                           const network& net) {
  const auto at = [&](int ranks) { return predict(t, costs, sizes, net, ranks); };
  const auto low = [&](int ranks) { return at(ranks).efficiency < 0.5; };
  const auto best_low = [&](int ranks) { return at(ranks).best_efficiency < 0.5; };
  saturation found;
  int before = 1;
  for (const int ranks : rank_ladder(most_ranks)) {
    const prediction here = at(ranks);
    if (found.ranks == 0 && here.efficiency < 0.5) found.ranks = bisect(before, ranks, low);
    if (found.overlapped == 0 && here.best_efficiency < 0.5) found.overlapped = bisect(before, ranks, best_low);
    if (found.ranks > 0 && found.overlapped > 0) break;
    before = ranks;
  }
  return found;
}

}  // namespace rednova::scaling
