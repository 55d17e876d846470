#include "config/outside_strings.hpp"

#include <algorithm>

namespace rednova::config {

namespace {

/// The first byte behind a string that begins at `at`; behind its line if it does not end there.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string_view three = quote == '"' ? "\"\"\"" : "'''";
  const bool long_one = text.substr(at, 3) == three;
  at += long_one ? 3 : 1;
  while (at < text.size()) {
    if (quote == '"' && text[at] == '\\') {
      at += 2;
    } else if (long_one ? text.substr(at, 3) == three : text[at] == quote) {
      at += long_one ? 3 : 1;
      // Up to two quotes more belong to the text of a long string.
      for (int more = 0; long_one && more < 2 && at < text.size() && text[at] == quote; ++more) ++at;
      return at;
    } else if (!long_one && text[at] == '\n') {
      return at;
    } else {
      ++at;
    }
  }
  return text.size();
}

/// Whether a quote behind this byte is where a value or a key may begin. Elsewhere, as in `1."x"`, the library takes it
/// for a part of a value that it reads on, and looks the characters behind it up.
bool may_begin_string(char before) { return std::string_view(" \t\r\n=[{,").find(before) != std::string_view::npos; }

}  // namespace

std::size_t find_outside_strings(std::string_view text) {
  constexpr std::string_view byte_order = "\xEF\xBB\xBF";
  const std::size_t begin = text.starts_with(byte_order) ? byte_order.size() : 0;
  std::size_t at = begin;
  while (at < text.size()) {
    if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if ((text[at] == '"' || text[at] == '\'') && (at == begin || may_begin_string(text[at - 1]))) {
      at = end_of_string(text, at);
    } else if ((static_cast<unsigned char>(text[at]) & 0x80) != 0) {
      return at;
    } else {
      ++at;
    }
  }
  return std::string_view::npos;
}

}  // namespace rednova::config
