// What profile and trace cost in a step: simulations of one input in one process, without either, with the profile, and
// with both, take the same steps in turns, so that each ratio is of neighbours in time on one machine. A second one
// without either is the control: its cost is what such ratios are off by.
//
// Usage: profile_cost INPUT DIRECTORY TURNS THREADS, or so many ranks of it under mpirun; prints JSON. bench/profile.py
// runs it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "exec/transport.hpp"
#include "model.hpp"
#include "output/profile_file.hpp"
#include "output/trace_file.hpp"
#include "step/driver.hpp"

namespace {

using namespace rednova;

enum form { without, control, with_profile, with_trace };
constexpr std::array names{"without", "control", "profile", "trace"};

volatile std::sig_atomic_t nothing_asked = 0;

/// A simulation with what is measured.
class contestant {
 public:
  contestant(form f, const std::string& input, const std::string& directory, int threads, exec::transport& ranks)
      : ranks_(ranks), context_(threads, ranks), model_(input, {}, context_) {
    const std::string own = directory + '/' + names[f];
    if (context_.leads()) std::filesystem::create_directories(own);
    ranks.barrier();
    if (f == without || f == control) {
      context_.times().switch_off();
    } else {
      profile_.emplace(*model_.s, nullptr, own, output::provenance{}, nothing_asked);
    }
    if (f == with_trace) trace_.emplace(context_, own, output::provenance{}, 1);
  }

  double seconds_of_step() {
    if (context_.ranks() != nullptr) ranks_.note_messages_in(&context_.times());
    ranks_.barrier();
    const auto begin = std::chrono::steady_clock::now();
    step::advance(*model_.s, step::largest_step(*model_.s));
    ranks_.barrier();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  void close() {
    if (profile_) profile_->close();
    if (trace_) trace_->close();
  }

 private:
  exec::transport& ranks_;
  exec::context context_;
  model model_;
  std::optional<output::profile_file> profile_;
  std::optional<output::trace_file> trace_;
};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t n = values.size();
  return 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}

/// Median of the ratios less 1, and its standard error, as of a normal distribution with their median deviation.
nlohmann::ordered_json cost(const std::vector<double>& seconds, const std::vector<double>& base) {
  std::vector<double> ratios, deviations;
  for (std::size_t i = 0; i < seconds.size(); ++i) ratios.push_back(seconds[i] / base[i]);
  const double middle = median(ratios);
  for (const double r : ratios) deviations.push_back(std::fabs(r - middle));
  const double error = 1.2533 * 1.4826 * median(deviations) / std::sqrt(static_cast<double>(ratios.size()));
  return {{"cost", middle - 1}, {"standard_error", error}};
}

int run(const std::vector<std::string>& arguments) {
  const std::string &input = arguments[0], &directory = arguments[1];
  const int turns = std::stoi(arguments[2]), threads = std::stoi(arguments[3]);
  const auto ranks = exec::transport::connect({});
  std::vector<std::unique_ptr<contestant>> all;
  for (const form f : {without, control, with_profile, with_trace})
    all.push_back(std::make_unique<contestant>(f, input, directory, threads, *ranks));
  std::array<std::vector<double>, names.size()> seconds;
  std::array<int, names.size()> order{without, control, with_profile, with_trace};
  constexpr int warm_up = 2;
  for (int turn = -warm_up; turn < turns; ++turn) {
    for (const int f : order) {
      const double time = all[static_cast<std::size_t>(f)]->seconds_of_step();
      if (turn >= 0) seconds[static_cast<std::size_t>(f)].push_back(time);
    }
    // Each comes after each of the others as often.
    std::ranges::next_permutation(order);
  }
  for (const auto& c : all) c->close();
  if (ranks->rank() == 0) {
    nlohmann::ordered_json result{{"ranks", ranks->size()}, {"threads", threads}, {"turns", turns}};
    result["seconds_of_step"] = median(seconds[without]);
    for (const form f : {control, with_profile, with_trace}) result[names[f]] = cost(seconds[f], seconds[without]);
    fmt::print("{}\n", result.dump(1));
  }
  all.clear();
  ranks->process_ends_with(0);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() == 4) return run(arguments);
    fmt::print(stderr, "usage: profile_cost INPUT DIRECTORY TURNS THREADS\n");
    return 2;
  } catch (const std::exception& e) {
    fmt::print(stderr, "profile_cost: {}\n", e.what());
    return 1;
  }
}
