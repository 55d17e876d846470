#include "config/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rednova::config {

int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t columns = b.size() + 1;
  std::vector<int> d((a.size() + 1) * columns);
  const auto at = [&](std::size_t i, std::size_t j) -> int& { return d[i * columns + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        at(i, j) = static_cast<int>(i + j);
        continue;
      }
      const int replace = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, replace});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return d.back();
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  const auto closer = [&](const std::string& a, const std::string& b) {
    return edit_distance(word, a) < edit_distance(word, b);
  };
  const auto best = std::min_element(candidates.begin(), candidates.end(), closer);
  return best == candidates.end() ? std::string() : *best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 200;  // of a word that somebody means; the distance takes time and memory with it
  if (word.size() > longest) return {};
  const std::string best = nearest(word, candidates);
  // Two messages in six are a slip; a word that differs in more is another word.
  const int most = static_cast<int>(std::max<std::size_t>(std::max(word.size(), best.size()) / 3, 1));
  return best.empty() || edit_distance(word, best) > most ? std::string() : fmt::format(" Did you mean '{}'?", best);
}

}  // namespace rednova::config
