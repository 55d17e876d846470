// How a user goes on where a run came to a stop.
#pragma once

#include <string>

namespace rednova::output {

/// A path as a shell takes it: in quotes where it has blanks or other special characters.
std::string shell_word(const std::string& path);

/// "go on with: rednova restart DIR", or where the directory holds no checkpoint that the run starts anew.
std::string how_to_go_on(const std::string& directory);

}  // namespace rednova::output
