// Where a TOML file has characters that may only stand in strings and comments.
#pragma once

#include <cstddef>
#include <string_view>

namespace rednova::config {

/// The first byte that is not ASCII and stands outside of strings and comments, where nothing but ASCII is TOML; npos
/// if there is none. A mark of the byte order at the beginning is allowed.
std::size_t find_outside_strings(std::string_view text);

}  // namespace rednova::config
