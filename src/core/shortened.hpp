// Long words in messages.
#pragma once

#include <string>
#include <string_view>

namespace rednova::core {

/// The text, or of a longer one its beginning and an ellipsis: `most` bytes of UTF-8 at most before that.
inline std::string shortened(std::string_view text, std::size_t most = 80) {
  if (text.size() <= most) return std::string(text);
  // Bytes that begin with 10 go on with a character: none is to be cut in two.
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return std::string(text.substr(0, most)) + "…";
}

}  // namespace rednova::core
