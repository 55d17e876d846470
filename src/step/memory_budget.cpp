#include "step/memory_budget.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/check.hpp"
#include "exchange/collective_error.hpp"
#include "exchange/gather.hpp"
#include "exec/transport.hpp"

namespace rednova::step {

namespace {

/// "1.2e+09 blocks (6e+11 cells) need at least 4e+05 GB of memory, but there are 24 GB". memory: for a rank.
std::string complaint(const config::parameters& p, double leaves, int ranks, double memory) {
  return fmt::format("{:.3g} blocks ({:.3g} cells) need at least {:.3g} GB of memory{}, but there are {:.3g} GB{}",
                     leaves, leaves * mesh::cells, least_memory(p, leaves, ranks) * 1e-9,
                     ranks > 1 ? fmt::format(" on each of {} ranks", ranks) : "", memory * 1e-9,
                     ranks > 1 ? " for each" : "");
}

}  // namespace

double physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || size <= 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(pages) * static_cast<double>(size);
}

double least_memory(const config::parameters& p, double leaves, int ranks) {
  // Measured by `rednova check` on 512 blocks, less what the program has without them: 4.5 times the state of a cell,
  // and with gravity 300 bytes more. Light keeps 48 numbers by cell (radiation::solver).
  constexpr double states = 4, gravity = 200, light = 300;
  const double state = mesh::fields::of(p).size() * static_cast<double>(sizeof(double));
  const double cell = states * state + (p.gravity.enabled ? gravity : 0) + (p.radiation.enabled ? light : 0);
  // Every rank has the whole tree.
  return leaves * (sizeof(mesh::node) + mesh::cells * cell / ranks);
}

double likely_memory(const config::parameters& p, double leaves) {
  // Fitted to the peaks that `rednova check` found for the ready inputs, of 15 to 3000 leaves, initial models included.
  // Light: what `rednova check` finds for problems/shining_star.toml with it and without (docs/radiation.md).
  constexpr double program = 17e6, states = 3.5, gravity = 390, light = 470, with_refined = 8.0 / 7;
  const double state = mesh::fields::of(p).size() * static_cast<double>(sizeof(double));
  const double cell = states * state + (p.gravity.enabled ? gravity : 0) + (p.radiation.enabled ? light : 0);
  return program + leaves * (with_refined * sizeof(mesh::node) + mesh::cells * cell);
}

void expect_memory(const config::parameters& p, int ranks, double memory,
                   const std::function<std::string(const std::string&)>& place) {
  const auto& base = p.mesh.base_blocks;
  const double leaves = std::ldexp(static_cast<double>(base[0]) * base[1] * base[2], 3 * p.mesh.min_level);
  if (least_memory(p, leaves, ranks) <= memory) return;
  const char* key = p.mesh.min_level > 0 ? "mesh.min_level" : "mesh.base_blocks";
  core::fail("{}: {}: lower mesh.min_level or mesh.base_blocks, and refine where it matters ([refine])", place(key),
             complaint(p, leaves, ranks, memory));
}

memory_budget::memory_budget(const simulation& s) : par_(s.par()) {
  const exec::transport* const ranks = s.context().ranks();
  if (ranks != nullptr) ranks_ = ranks->size();
  const double mine = physical_memory() / (ranks == nullptr ? 1 : ranks->ranks_of_host());
  memory_ = exchange::fold_ranks(s.context(), mine, [](double a, double b) { return std::min(a, b); });
}

void memory_budget::expect(int leaves) const {
  if (least_memory(par_, leaves, ranks_) <= memory_) return;
  throw exchange::collective_error(
      fmt::format("while the initial model is made: {}: lower mesh.max_level, or raise the thresholds of [refine]",
                  complaint(par_, leaves, ranks_, memory_)));
}

}  // namespace rednova::step
