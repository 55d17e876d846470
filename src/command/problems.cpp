#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "command/command.hpp"
#include "config/manual.hpp"
#include "problem/problem.hpp"

namespace rednova::command {

namespace {

/// The keys that a problem reads, found by making it from its defaults.
std::vector<config::parameter_row> rows_of(const problem::entry& e) {
  config::input in = config::input::from_text(fmt::format("[problem]\nname = \"{}\"\n", e.name), e.name, {});
  config::parameters par;
  e.make(in, par);
  return in.rows();
}

/// The folder of ready inputs: of the installation, or of the sources beside whose build the program lies; else empty.
std::string ready_inputs() {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path above = fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path();
  for (const fs::path& folder : {above / "share" / "rednova" / "problems", above / "problems"}) {
    if (fs::is_directory(folder, ignored)) return folder.string();
  }
  return "";
}

}  // namespace

int problems() {
  std::size_t width = 0;
  for (const problem::entry& e : problem::registry()) width = std::max(width, std::strlen(e.name));
  for (const problem::entry& e : problem::registry()) fmt::print("{:<{}}  {}\n", e.name, width, e.summary);
  if (const std::string inputs = ready_inputs(); !inputs.empty())
    fmt::print("\nInputs to begin with are in {}\n", inputs);
  return success;
}

int parameters() {
  std::vector<config::problem_rows> all;
  for (const problem::entry& e : problem::registry()) all.push_back({e.name, e.summary, rows_of(e)});
  fmt::print("{}", config::manual(all));
  return success;
}

}  // namespace rednova::command
