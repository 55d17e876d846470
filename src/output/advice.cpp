#include "output/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "output/checkpoint.hpp"

namespace rednova::output {

std::string shell_word(const std::string& path) {
  const bool plain = !path.empty() && std::ranges::all_of(path, [](unsigned char c) {
    return std::isalnum(c) != 0 || c >= 0x80 ||
           std::string_view("/._-+=,:@%").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return path;
  std::string word(1, '\'');
  for (const char c : path) {
    if (c == '\'')
      word += "'\\''";
    else
      word += c;
  }
  word += '\'';
  return word;
}

std::string how_to_go_on(const std::string& directory) {
  const std::string name = directory.empty() ? "." : directory;
  if (!checkpoints(name).empty()) return fmt::format("go on with: rednova restart {}", shell_word(name));
  return fmt::format("start anew: {} holds no checkpoint, so remove it, or choose another directory with --out", name);
}

}  // namespace rednova::output
