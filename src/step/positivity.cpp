#include "step/positivity.hpp"

#include <algorithm>

#include "exchange/gather.hpp"

namespace rednova::step {

namespace {

/// Marks of a tree's leaves spread to whom they touch: the blocks whose fluxes change if a flagged one's cells are
/// updated to first order.
std::vector<std::uint8_t> touched(const mesh::tree& t, const std::vector<std::uint8_t>& flagged) {
  std::vector<std::uint8_t> node(static_cast<std::size_t>(t.size()), 0);
  std::copy(flagged.begin(), flagged.end(), node.begin());
  for (int n = t.leaves(); n < t.size(); ++n) {
    for (int c : t[n].child) node[static_cast<std::size_t>(n)] |= node[static_cast<std::size_t>(c)];
  }
  const auto near = [&](int n) {
    return std::ranges::any_of(t[n].neighbour, [&](int m) { return m >= 0 && node[static_cast<std::size_t>(m)]; });
  };
  std::vector<std::uint8_t> result(static_cast<std::size_t>(t.leaves()), 0);
  for (int n = 0; n < t.leaves(); ++n) {
    result[static_cast<std::size_t>(n)] = near(n) || (t[n].parent >= 0 && near(t[n].parent));
  }
  return result;
}

}  // namespace

bool any_flagged(const simulation& s, const std::vector<std::uint8_t>& own_leaves) {
  return exchange::on_any_rank(s.context(), std::ranges::any_of(own_leaves, [](std::uint8_t b) { return b != 0; }));
}

void repeat_while_invalid(const simulation& s, std::vector<std::uint8_t> flagged,
                          const std::function<std::vector<std::uint8_t>()>& find,
                          const std::function<void(const std::vector<std::uint8_t>& leaves)>& again) {
  // First-order fluxes beside a valid cell may drain it in its turn. Each round flags more cells, and one with
  // first-order fluxes at all of its faces keeps its mass, so this ends.
  for (std::vector<std::uint8_t> found = find(); any_flagged(s, found); found = find()) {
    for (std::size_t i = 0; i < flagged.size(); ++i) flagged[i] |= found[i];
    s.context().times().add("repeated stages", 0);
    // Twice: a coarse block takes the new fluxes of the finer ones that touch a troubled cell.
    again(touched(s.tree(), touched(s.tree(), exchange::gather_lists(s.context(), flagged))));
  }
}

}  // namespace rednova::step
