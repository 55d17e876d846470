#include "output/planes.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

namespace rednova::output {

std::optional<plane> plane_of(const std::string& text) {
  constexpr std::string_view axes = "xyz";
  if (text.empty() || axes.find(text[0]) == std::string_view::npos) return std::nullopt;
  plane p{static_cast<int>(axes.find(text[0])), 0};
  if (text.size() == 1) return p;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data() + 2, last, p.at);
  if (text[1] != '=' || error != std::errc() || end != last || !std::isfinite(p.at)) return std::nullopt;
  return p;
}

}  // namespace rednova::output
