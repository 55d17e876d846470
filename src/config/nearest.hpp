// The known name that a mistyped one most likely meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rednova::config {

/// Fewest insertions, deletions, replacements and swaps of adjacent messages between two words
/// (optimal string alignment, Damerau 1964).
int edit_distance(std::string_view a, std::string_view b);

/// The candidate at the smallest edit distance, the first of equals; empty if there are none.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// " Did you mean 'x'?" with the nearest candidate; nothing if none is near: a third of the messages may differ, and
/// one always.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace rednova::config
