// Speed, phases and memory of whole steps of an input, as one JSON object on standard output.
//
// Usage: bench_step INPUT [steps [threads [NAME=VALUE ...]]]   (2 steps on 1 thread if not given; settings of the
// input)
#include "work.hpp"  // first: formulas take its numbers only if they know them

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "../tests/gravity/system.hpp"
#include "model.hpp"
#include "step/cores.hpp"
#include "step/driver.hpp"
#include "step/step.hpp"

namespace {

using namespace rednova;
using nlohmann::json;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The most memory that this process has held so far, in bytes.
double peak_memory() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return 1024.0 * static_cast<double>(used.ru_maxrss);
}

/// A rate in cells per second and core, and the share of the cores' time that the program had: well below 1 on one
/// thread means that others used the machine and the rate is too low.
struct rate {
  double cells;
  double share;
};

/// The rate of `count` calls of a work on all cells.
template <class Work>
rate rate_of(const model& m, int count, const Work& work) {
  const std::clock_t cpu = std::clock();
  const auto start = std::chrono::steady_clock::now();
  for (int n = 0; n < count; ++n) work();
  const double cores = seconds_since(start) * m.s->context().threads();
  return {m.cells() * count / cores, static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC / cores};
}

/// Cell-steps per second and core over some steps, after one that warms caches up.
rate step_rate(model& m, int steps) {
  step::advance(*m.s, step::largest_step(*m.s));
  m.s->context().times().clear();
  return rate_of(m, steps, [&] { step::advance(*m.s, step::largest_step(*m.s)); });
}

/// Cells per second and core of one solve for gravity.
rate gravity_rate(model& m, int solves) {
  mesh::block_data density(m.s->tree().leaves(), 1);
  for (int leaf = 0; leaf < m.s->tree().leaves(); ++leaf) {
    for (int c = 0; c < mesh::cells; ++c) density.at(leaf)[c] = m.s->density(leaf, c);
  }
  const auto solve = [&] { step::cores_of(*m.s).solver()->solve(m.s->context(), density, m.s->gravity()); };
  solve();
  return rate_of(m, solves, solve);
}

/// Errors of the acceleration in percent against the sum over all leaf cells, on some thousand of them. Both take cells
/// for points, so that the sum is the truth.
json gravity_error(const model& m, config::gravity par) {
  int next = 0;
  const gravity::test::system sample(m.s->tree(), [&](core::vec3d) {
    const int cell = next++;
    return m.s->density(cell / mesh::cells, cell % mesh::cells);
  });
  par.cell_mass = config::cell_mass::point;
  mesh::block_data result(m.s->tree().leaves(), gravity::result_fields);
  gravity::solver(par, sample.tree).solve(m.s->context(), sample.rho, result);
  const gravity::test::errors found = gravity::test::error_of(sample, result, 257);
  return {{"rms_percent", 100 * found.g}, {"bias_percent", 100 * found.bias}};
}

/// Seconds of each phase of the measured steps, the mean over the threads; "other" is what no phase claims.
json phases(const exec::profile& times, int threads, double total) {
  json seconds;
  double claimed = 0;
  for (const auto& [name, entry] : times.entries()) {
    seconds[name] = entry.seconds / threads;
    claimed += entry.seconds / threads;
  }
  seconds["other"] = total - claimed;
  return seconds;
}

json measure(const std::string& file, int steps, int threads, std::vector<std::string> overrides) {
  const bool with_errors = overrides.empty();  // else the caller varies the mesh or the scheme, and only asks for speed
  exec::context context(threads);
  json result;
  {
    model m(file, overrides, context);
    result["cells"] = m.cells();
    result["blocks_by_level"] = m.s->tree().leaves_by_level();
    result["threads"] = threads;
    result["steps"] = steps;
    const rate full = step_rate(m, steps);
    result["full_step"] = full.cells;
    result["core_share"]["full_step"] = full.share;
    result["phase_seconds"] = phases(context.times(), threads, m.cells() * steps / full.cells / threads);
    for (const auto& [name, work] : bench::step_work(*m.s)) {
      result["work"][name] = {{"flops_per_cell_step", work.flops}, {"bytes_per_cell_step", work.bytes}};
    }
    result["bytes_per_cell"] = peak_memory() / m.cells();
    if (m.s->par().gravity.enabled) {
      const rate gravity = gravity_rate(m, 2 * steps);
      result["gravity"] = gravity.cells;
      result["core_share"]["gravity"] = gravity.share;
      if (with_errors) result["gravity_error"] = gravity_error(m, m.s->par().gravity);
    } else {
      result["hydro"] = full.cells;
      result["core_share"]["hydro"] = full.share;
      return result;
    }
  }
  overrides.emplace_back("gravity.enabled=false");
  model m(file, overrides, context);
  const rate hydro = step_rate(m, steps);
  result["hydro"] = hydro.cells;
  result["core_share"]["hydro"] = hydro.share;
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 2) core::fail("usage: bench_step INPUT [steps [threads [NAME=VALUE ...]]]");
    const std::vector<std::string> settings(argv + std::min(argc, 4), argv + argc);
    const json result =
        measure(argv[1], argc > 2 ? std::stoi(argv[2]) : 2, argc > 3 ? std::stoi(argv[3]) : 1, settings);
    fmt::print("{}\n", result.dump(2));
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "bench_step: {}\n", e.what());
    return 2;
  }
}
