// Files that an input names, and that a run keeps in its directory so that a restart needs no others.
#pragma once

#include <map>
#include <string>

#include "config/reader.hpp"

namespace rednova::command {

/// Of files, as the input names them: their names in the directory of a run. Those that are not here keep theirs.
using kept_names = std::map<std::string, std::string>;

/// Names for files that do not lie beside the input or below: in files/, where no other file has them. Of what a run
/// that goes on does not need, as its model's, there may be none.
kept_names names_of_foreign_files(const config::input& in, const std::string& directory);

/// Copies all files that the input names. A run that goes on does not need its model's.
/// @throws core::user_error where one cannot be copied.
void keep_files(const config::input& in, const kept_names& names, const std::string& directory);

}  // namespace rednova::command
