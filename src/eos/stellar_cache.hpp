// Tables of the equation of state on disk, so that each is made once.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "eos/stellar_table.hpp"

namespace rednova::eos {

/// Where tables are kept: $XDG_CACHE_HOME/rednova, or ~/.cache/rednova; empty if there is neither variable.
std::string default_cache_directory();

/// The file of a table in a directory: its name has a hash of all parameters and of the format.
std::string cache_file(const std::string& directory, const stellar_parameters& of);

/// What a user is told, one sentence at a time.
using message = std::function<void(std::string_view)>;

/// The table from the cache, or made and put there. A file that is damaged, or not of these parameters, is told of and
/// replaced. If the directory cannot be written this is told too, and the table is only in memory. Several processes
/// may do this at once: one makes the table, the others wait for it. An empty directory name means no cache.
stellar_table cached_stellar_table(const stellar_parameters& of, const std::string& directory, exec::context& context,
                                   const message& say, const progress& tell = {});

}  // namespace rednova::eos
