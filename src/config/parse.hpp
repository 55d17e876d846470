// From TOML text and --set overrides to a document; the only place that knows the TOML library.
#pragma once

#include <string>
#include <vector>

#include "config/value.hpp"

namespace rednova::config {

/// Parses TOML text; `name` stands for the file in messages. Every value must stand in a section.
document parse(const std::string& text, const std::string& name);

/// Applies "section.key=value". The value is TOML; words that TOML would not take are strings.
void apply_override(document& d, const std::string& assignment);

}  // namespace rednova::config
