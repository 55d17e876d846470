// What an installation has besides the program, made from the program's own options.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace rednova::command {

/// The manual page rednova(1) in roff, with all subcommands and options that --help shows.
std::string man_page(const CLI::App& app, const std::string& version);

/// Completion of subcommands and options for bash.
std::string bash_completion(const CLI::App& app);

}  // namespace rednova::command
