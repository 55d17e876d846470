#include "scaling/report.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <string>

#include "scaling/deep_tree.hpp"
#include "step/stage.hpp"

namespace rednova::scaling {

namespace {

constexpr double mega = 1e-6;

void print_header() {
  fmt::print("{:>7} {:>8} {:>6} {:>11} {:>13} {:>15} {:>10} {:>6} {:>6}\n", "ranks", "blocks", "imbal.", "neighbours",
             "messages", "MB", "step", "effic.", "hidden");
}

void print_row(const mesh::tree& t, const prediction& p) {
  const auto both = [](const prediction::share& s, double unit) {
    return fmt::format("{:.3g}/{:.3g}", s.mean * unit, s.most * unit);
  };
  fmt::print("{:>7} {:>8.4g} {:>6.3f} {:>11} {:>13} {:>15} {:>8.3g} s {:>6.3f} {:>6.3f}\n", p.ranks,
             static_cast<double>(t.leaves()) / p.ranks, p.imbalance, both(p.neighbours, 1), both(p.messages, 1),
             both(p.bytes, mega), p.step, p.efficiency, p.best_efficiency);
  std::fflush(stdout);
}

void print_kinds(const prediction& p) {
  fmt::print("\non {} ranks, by kind:\n{:<12}{:>20}{:>20}\n", p.ranks, "", "messages", "MB");
  for (std::size_t k = 0; k < message_kinds; ++k) {
    const prediction::share &m = p.messages_by_kind[k], &b = p.bytes_by_kind[k];
    if (m.most == 0) continue;
    fmt::print("{:<12}{:>20}{:>20}\n", name_of(static_cast<message_kind>(k)),
               fmt::format("{:.3g}/{:.3g}", m.mean, m.most),
               fmt::format("{:.3g}/{:.3g}", b.mean * mega, b.most * mega));
  }
}

void print_saturation(const saturation& s) {
  const auto words = [](int ranks) { return ranks > 0 ? fmt::format("at {} ranks", ranks) : "not up to 100000 ranks"; };
  fmt::print("\nefficiency below one half: {}; with messages hidden behind work: {}\n", words(s.ranks),
             words(s.overlapped));
}

void print_tree(const step::simulation& s, const mesh::tree& t, const block_costs& costs, const outlook& asked) {
  const message_sizes sizes{
      .fields = s.fields().size(),
      .multipole_numbers = s.par().gravity.enabled ? (s.par().gravity.order + 1) * (s.par().gravity.order + 1) : 0};
  print_header();
  prediction last;
  for (const int ranks : asked.ranks.empty() ? rank_ladder(100000) : asked.ranks) {
    prediction p = predict(t, costs, sizes, asked.net, ranks);
    print_row(t, p);
    if (ranks > 1 && (last.ranks == 1 || p.efficiency >= 0.5)) last = p;
  }
  if (last.ranks > 1) print_kinds(last);
  print_saturation(find_saturation(t, costs, sizes, asked.net));
}

}  // namespace

double peak_memory() {
  // Not getrusage alone: what it says begins with the memory of the program that started this one.
  constexpr double kibibyte = 1024;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return kibibyte * std::stod(line.substr(std::strlen("VmHWM:")));
  }
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return kibibyte * static_cast<double>(used.ru_maxrss);
}

void print_levels(const mesh::tree& t) {
  fmt::print("{:<10}{:>10}{:>14}{:>16}\n", "level", "blocks", "cells", "cell width");
  const std::vector<int> by_level = t.leaves_by_level();
  for (std::size_t level = 0; level < by_level.size(); ++level) {
    if (by_level[level] == 0) continue;
    fmt::print("{:<10}{:>10}{:>14}{:>16.6g}\n", level, by_level[level], std::int64_t{by_level[level]} * mesh::cells,
               t.box().cell_width(static_cast<int>(level)));
  }
  fmt::print("{:<10}{:>10}{:>14}\n", "all", t.leaves(), std::int64_t{t.leaves()} * mesh::cells);
}

block_costs costs_of(const step::simulation& s, double seconds) {
  const auto times = s.context().times().entries();
  const auto sum = [&](std::initializer_list<const char*> phases) {
    double all = 0;
    for (const char* phase : phases) {
      const auto found = times.find(phase);
      all += found == times.end() ? 0 : found->second.seconds / s.context().threads();
    }
    return std::min(all, seconds);
  };
  const double sweep = sum({"gravity upward pass", "gravity downward pass", "restrict"});
  const double refined = std::min(sweep + sum({"gravity M2L"}), seconds);
  const int nodes = s.tree().size() - s.tree().leaves();
  return {.leaf = (seconds - refined) / s.tree().leaves(),
          .refined = nodes > 0 ? refined / nodes : 0,
          .sweep = nodes > 0 ? sweep / nodes : 0,
          .stages = static_cast<int>(step::stages(s.par().hydro.time_integrator).size())};
}

void print_outlook(const step::simulation& s, const block_costs& costs, const outlook& asked) {
  fmt::print(
      "\nRanks of {} threads; a step costs {:.3g} ms a leaf and {:.3g} ms a refined node, {:.3g} ms of it in turn by "
      "levels, "
      "as measured.\n",
      s.context().threads(), 1e3 * costs.leaf, 1e3 * costs.refined, 1e3 * costs.sweep);
  fmt::print("Network: {:g} s a message, {:g} bytes/s. Messages and MB are those that a rank receives in a step.\n",
             asked.net.latency, asked.net.bandwidth);
  fmt::print("a/b: mean and maximum over ranks. hidden: efficiency if work hides the messages.\n");
  if (asked.trees.empty()) {
    fmt::print("\n");
    print_tree(s, s.tree(), costs, asked);
  }
  for (const int level : asked.trees) {
    const auto start = std::chrono::steady_clock::now();
    const mesh::tree t = deepened(s, level);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    fmt::print("\nmesh.max_level = {}: tree built in {:.3g} s, {:.3g} GB of memory at most\n", level, took.count(),
               peak_memory() * 1e-9);
    print_levels(t);
    fmt::print("\n");
    print_tree(s, t, costs, asked);
  }
}

}  // namespace rednova::scaling
