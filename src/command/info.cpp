#include <fmt/format.h>

#include <filesystem>

#include "command/command.hpp"
#include "core/check.hpp"
#include "output/checkpoint.hpp"
#include "output/describe.hpp"

namespace rednova::command {

int info(const std::string& path) {
  if (!std::filesystem::exists(path)) core::fail("{}: there is no such file", path);
  if (!std::filesystem::is_directory(path)) {
    fmt::print("{}", output::describe(path));
    return success;
  }
  const std::vector<std::string> all = output::checkpoints(path);
  if (all.empty())
    core::fail("{}: this directory holds no checkpoint; name a snapshot (.phdf) or a checkpoint (.h5)", path);
  for (const std::string& checkpoint : all) fmt::print("{}", output::describe(checkpoint));
  return success;
}

}  // namespace rednova::command
