#include <fmt/format.h>

#include <algorithm>
#include <cstring>

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

}  // namespace

int problems() {
  std::size_t width = 0;
  for (const problem::entry& e : problem::registry()) width = std::max(width, std::strlen(e.name));
  for (const problem::entry& e : problem::registry()) fmt::print("{:<{}}  {}\n", e.name, width, e.summary);
  return success;
}

int parameters() {
  std::vector<config::problem_rows> all;
  for (const problem::entry& e : problem::registry()) all.push_back({e.name, e.summary, rows_of(e)});
  fmt::print("{}", config::manual(all));
  return success;
}

}  // namespace rednova::command
