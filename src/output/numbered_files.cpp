#include "output/numbered_files.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>

namespace rednova::output {

namespace fs = std::filesystem;

namespace {

std::optional<std::int64_t> number_in(std::string_view name, std::string_view kind, std::string_view ending) {
  if (!name.starts_with(kind) || !name.ends_with(ending) || name.size() <= kind.size() + 1 + ending.size()) return {};
  if (name[kind.size()] != '_') return {};
  const char* const end = name.data() + name.size() - ending.size();
  std::int64_t number = 0;
  const auto [read, error] = std::from_chars(name.data() + kind.size() + 1, end, number);
  if (error != std::errc() || read != end || number < 0) return {};
  return number;
}

}  // namespace

std::vector<numbered_file> numbered_files(const std::string& directory, std::string_view kind,
                                          std::string_view ending) {
  std::vector<numbered_file> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory.empty() ? "." : directory, ignored)) {
    const std::string name = entry.path().filename().string();
    if (const auto number = number_in(name, kind, ending))
      found.push_back({*number, (fs::path(directory) / name).string()});
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace rednova::output
