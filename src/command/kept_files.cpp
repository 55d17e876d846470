#include "command/kept_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <vector>

#include "core/check.hpp"

namespace rednova::command {

namespace fs = std::filesystem;

namespace {

bool same_content(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (fs::file_size(a, error) != fs::file_size(b, error) || error) return false;
  std::ifstream first(a, std::ios::binary), second(b, std::ios::binary);
  using bytes = std::istreambuf_iterator<char>;
  return std::equal(bytes(first), bytes(), bytes(second));
}

}  // namespace

kept_names names_of_foreign_files(const config::input& in, const std::string& directory) {
  kept_names names;
  std::set<std::string> taken;
  std::vector<std::string> foreign;
  for (const std::string& file : in.files()) {
    const fs::path path = fs::path(file).lexically_normal();
    const bool own = path.is_relative() && *path.begin() != "..";
    if (own) taken.insert(path.string());
    std::error_code error;
    if (!own && fs::exists(in.beside(file), error)) foreign.push_back(file);
  }
  for (const std::string& file : foreign) {
    const std::string base = fs::path(file).filename().string();
    std::string name = "files/" + base;
    const auto is_another = [&] {
      std::error_code error;
      const fs::path there = fs::path(directory) / name;
      return taken.contains(name) || (fs::exists(there, error) && !same_content(in.beside(file), there));
    };
    for (int n = 2; is_another(); ++n) name = fmt::format("files/{}_{}", n, base);
    taken.insert(name);
    names.emplace(file, name);
  }
  return names;
}

void keep_files(const config::input& in, const kept_names& names, const std::string& directory) {
  for (const std::string& file : in.files()) {
    const auto named = names.find(file);
    const fs::path from = in.beside(file), to = fs::path(directory) / (named == names.end() ? file : named->second);
    std::error_code error;
    if (in.goes_on() && !fs::exists(from, error)) continue;
    if (fs::equivalent(from, to, error)) continue;
    fs::create_directories(to.parent_path(), error);
    fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
    if (error) core::fail("{}: cannot be copied to {}: {}", from.string(), directory, error.message());
  }
}

}  // namespace rednova::command
