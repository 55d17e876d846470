#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "command/command.hpp"
#include "core/check.hpp"
#include "output/checkpoint.hpp"
#include "output/describe.hpp"

namespace rednova::command {

int info(const std::string& path, info_kind kind) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    core::fail("{}: {}", path, error ? error.message() : "there is no such file");
  const auto show = [kind](const std::string& file) {
    fmt::print("{}", kind == info_kind::digest ? output::digest(file) + '\n' : output::describe(file));
  };
  if (!std::filesystem::is_directory(path)) {
    show(path);
    return success;
  }
  const std::vector<std::string> all = output::checkpoints(path);
  if (all.empty())
    core::fail("{}: this directory holds no checkpoint; name a snapshot (.phdf) or a checkpoint (.h5)", path);
  if (kind == info_kind::digest) {
    show(all.back());
    return success;
  }
  for (const std::string& checkpoint : all) show(checkpoint);
  return success;
}

}  // namespace rednova::command
