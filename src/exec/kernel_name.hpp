// What a kernel is called for people.
#pragma once

#include <string>

namespace rednova::exec {

/// From the linker's name of a kernel: the functor where it is a launcher of ours (exec/cuda), else the function;
/// without `rednova::`, arguments and return type, and no longer than a line of a table.
std::string kernel_name(const char* symbol);

}  // namespace rednova::exec
