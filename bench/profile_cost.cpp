// What profile and trace cost in a step: one simulation takes its steps in turns with and without them, so that memory,
// machine and gas are the same. Of four neighbouring steps the first and the last are without, the two between them
// with it (ABBA): what drifts slowly drops out. The same with nothing in the middle, too, is the control: its cost is
// what such ratios are off by.
//
// Usage: profile_cost INPUT DIRECTORY TURNS THREADS [KEY=VALUE…], or so many ranks of it under mpirun; prints JSON.
// bench/profile.py runs it.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "exec/transport.hpp"
#include "model.hpp"
#include "output/profile_file.hpp"
#include "output/trace_file.hpp"
#include "step/driver.hpp"

namespace {

using namespace rednova;
using detail = exec::profile::detail;
using json = nlohmann::ordered_json;

struct form {
  const char* name;
  detail kept;
};
constexpr std::array forms{form{"control", detail::nothing}, form{"profile", detail::times},
                           form{"trace", detail::records}};

volatile std::sig_atomic_t nothing_asked = 0;

double processor_seconds(clockid_t of) {
  timespec t{};
  clock_gettime(of, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Of a step on this rank.
struct seconds {
  double wall = 0;
  double processor = 0;  ///< of the main thread, whom the system may stop for another program meanwhile
};

/// Ratios of steps with a form to the steps beside them without, one for four steps.
struct ratios {
  std::vector<double> wall, processor;
};

double ratio(double with, double without, double with_too, double without_too) {
  return std::sqrt(with / without * with_too / without_too);
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t n = values.size();
  return 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}

/// Median of the ratios less 1, and its standard error, as of a normal distribution with their median deviation.
json cost(const std::vector<double>& ratios) {
  std::vector<double> deviations;
  const double middle = median(ratios);
  for (const double r : ratios) deviations.push_back(std::fabs(r - middle));
  const double error = 1.2533 * 1.4826 * median(deviations) / std::sqrt(static_cast<double>(ratios.size()));
  return {{"cost", middle - 1}, {"standard_error", error}};
}

class measurement {
 public:
  measurement(step::simulation& s, exec::transport& ranks) : s_(s), ranks_(ranks) {}

  void take_turns(int turns) {
    constexpr int warm_up = 2;
    const std::int64_t before = scopes();
    for (int turn = -warm_up; turn < turns; ++turn) {
      for (const form& f : forms) {
        const seconds a = step(detail::nothing), b = step(f.kept), c = step(f.kept), d = step(detail::nothing);
        if (turn < 0) continue;
        of_[f.name].wall.push_back(ratio(b.wall, a.wall, c.wall, d.wall));
        of_[f.name].processor.push_back(ratio(b.processor, a.processor, c.processor, d.processor));
        without_.wall.push_back(a.wall);
        without_.processor.push_back(a.processor);
      }
    }
    scopes_of_a_step_ = static_cast<double>(scopes() - before) / static_cast<double>(steps_with_scopes_);
  }
  json results() const {
    json j{{"seconds_of_step", median(without_.wall)},
           {"processor_seconds_of_step", median(without_.processor)},
           {"scopes_of_a_step", scopes_of_a_step_}};
    for (const auto& [name, r] : of_) j[name] = {{"wall", cost(r.wall)}, {"processor", cost(r.processor)}};
    return j;
  }

 private:
  /// That have ended on this rank's threads.
  std::int64_t scopes() const {
    std::int64_t sum = 0;
    for (const auto& [name, phase] : s_.context().times().entries()) sum += phase.calls;
    return sum;
  }
  seconds step(detail kept) {
    s_.context().times().switch_to(kept);
    if (kept != detail::nothing) ++steps_with_scopes_;
    ranks_.barrier();
    const auto begin = std::chrono::steady_clock::now();
    const double before = processor_seconds(CLOCK_THREAD_CPUTIME_ID);
    step::advance(s_, step::largest_step(s_));
    const double after = processor_seconds(CLOCK_THREAD_CPUTIME_ID);
    ranks_.barrier();
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), after - before};
  }

  step::simulation& s_;
  exec::transport& ranks_;
  std::map<std::string, ratios> of_;
  struct {
    std::vector<double> wall, processor;
  } without_;
  std::int64_t steps_with_scopes_ = 0;
  double scopes_of_a_step_ = 0;
};

int run(const std::vector<std::string>& arguments) {
  const std::string &input = arguments[0], &directory = arguments[1];
  const int turns = std::stoi(arguments[2]), threads = std::stoi(arguments[3]);
  const auto ranks = exec::transport::connect({});
  exec::context context(threads, *ranks);
  const model m(input, {arguments.begin() + 4, arguments.end()}, context);
  output::profile_file profile(m.s->context(), nullptr, directory, output::provenance{}, nothing_asked);
  profile.begin_steps(m.s->step());
  output::trace_file trace(context, directory, output::provenance{}, 1);
  measurement all(*m.s, *ranks);
  all.take_turns(turns);
  context.times().switch_to(detail::records);
  profile.close();
  trace.close();
  if (ranks->rank() == 0) {
    json result{{"ranks", ranks->size()}, {"threads", threads}, {"turns", turns}, {"cells", m.cells()}};
    result.update(all.results());
    fmt::print("{}\n", result.dump(1));
  }
  ranks->process_ends_with(0);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() >= 4) return run(arguments);
    fmt::print(stderr, "usage: profile_cost INPUT DIRECTORY TURNS THREADS [KEY=VALUE...]\n");
    return 2;
  } catch (const std::exception& e) {
    fmt::print(stderr, "profile_cost: {}\n", e.what());
    return 1;
  }
}
