#include "output/later_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <utility>

#include "output/numbered_files.hpp"

namespace rednova::output {

namespace fs = std::filesystem;

namespace {

/// Appends the paths of those with numbers from `first` on.
void append(std::vector<std::string>& to, std::vector<numbered_file> files, std::int64_t first) {
  for (numbered_file& file : files)
    if (file.number >= first) to.push_back(std::move(file.path));
}

std::vector<std::string> snapshots_from(const std::string& directory, std::int64_t next) {
  std::vector<std::string> found;
  for (const char* ending : {".phdf", ".xdmf"}) append(found, numbered_files(directory, "snapshot", ending), next);
  std::ranges::sort(found);
  return found;
}

/// Files with their step in the name, such as slices_000120.h5.
std::vector<std::string> files_after(const std::string& directory, const char* kind, std::int64_t step) {
  std::vector<std::string> found;
  append(found, numbered_files(directory, kind, ".h5"), step + 1);
  return found;
}

std::int64_t rows_after(const std::string& table, std::int64_t step) {
  std::ifstream in(table);
  std::int64_t rows = 0;
  for (std::string line; std::getline(in, line);) {
    std::int64_t of_row = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), of_row);
    if (error == std::errc() && of_row > step) ++rows;
  }
  return rows;
}

/// "a", "a and b", "a, b and c".
std::string enumeration(const std::vector<std::string>& words) {
  if (words.size() < 2) return words.empty() ? "" : words.front();
  return fmt::format("{} and {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

std::vector<std::string> names(const std::vector<std::string>& paths) {
  std::vector<std::string> all;
  for (const std::string& path : paths) all.push_back(fs::path(path).filename().string());
  return all;
}

}  // namespace

later_files find_later_files(const std::string& directory, std::int64_t step, const file_counters& counters) {
  return {rows_after((fs::path(directory) / "history.csv").string(), step),
          snapshots_from(directory, counters.snapshots), files_after(directory, "slices", step),
          files_after(directory, "tracers", counters.tracers ? step : -1), files_after(directory, "checkpoint", step)};
}

std::string describe(const later_files& files, std::int64_t step) {
  if (files.none()) return "";
  std::vector<std::string> at_once = names(files.snapshots);
  for (const auto* list : {&files.slices, &files.tracers})
    for (const std::string& name : names(*list)) at_once.push_back(name);
  if (files.rows > 0)
    at_once.insert(at_once.begin(), fmt::format("{} row{} of history.csv", files.rows, files.rows == 1 ? "" : "s"));
  std::string what = enumeration(at_once);
  if (!files.checkpoints.empty())
    what += fmt::format("{}{} as soon as there is a new checkpoint", what.empty() ? "" : " now, and ",
                        enumeration(names(files.checkpoints)));
  return fmt::format("Of what this run wrote after step {} the restart removes {}.", step, what);
}

}  // namespace rednova::output
