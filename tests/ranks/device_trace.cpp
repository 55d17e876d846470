// A trace of two ranks whose steps a device takes, here the checking device (tests/exec/checking_device.hpp): every
// kernel and copy has the task that launched it, every message the kernel that unpacks it, and no arrow runs backwards.
//
// Usage: ranks_device_trace DIRECTORY, on two ranks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "exec/checking_device.hpp"
#include "exec/transport.hpp"
#include "output/trace_file.hpp"
#include "reported.hpp"
#include "step/step.hpp"
#include "step/steppers/like_devices.hpp"
#include "trace/causes.hpp"
#include "trace/critical_path.hpp"

namespace {

using namespace rednova;
using place = trace::message::place;

constexpr int steps = 3;

/// Gas with gravity and light in a turning frame, on a mesh that changes from step to step.
config::parameters gas() {
  config::parameters p;
  p.mesh.lower = {-1, -1, -1};
  p.mesh.base_width = 2;
  p.mesh.rotation = 0.3;
  p.mesh.min_level = 1;
  p.mesh.max_level = 2;
  p.gravity.enabled = true;
  p.hydro.spin = true;
  p.radiation.enabled = true;
  p.radiation.substeps = 16;
  p.radiation.light_speed = 6;
  p.radiation.radiation_constant = 0.1;
  p.radiation.gas_constant = p.radiation.mean_weight = 1;
  p.radiation.absorption = 30;
  p.radiation.extinction = 60;
  return p;
}

void fill(step::simulation& s) {
  for (int n = s.own_leaves()[0]; n < s.own_leaves()[1]; ++n) {
    for (int c = 0; c < mesh::cells; ++c) {
      const core::vec3d x = s.tree().centre(n, c % mesh::N, c / mesh::N % mesh::N, c / mesh::N / mesh::N);
      const double rho = std::exp(-4 * dot(x - core::vec3d{0.1, 0.2, 0}, x - core::vec3d{0.1, 0.2, 0}));
      s.u().at(n, s.fields().species(0))[c] = rho;
      s.u().at(n, s.fields().momentum(0))[c] = 0.1 * rho * std::sin(3 * x.y);
      s.u().at(n, s.fields().energy())[c] = rho;
      s.u().at(n, s.fields().entropy())[c] = s.eos().ideal.tracer_of_heat(rho);
    }
  }
  step::prepare(s);
}

void take_steps(exec::context& context) {
  config::parameters p = gas();
  step::simulation s(p, context);
  s.step_with(step::test::on_checking_device(5));
  fill(s);
  for (int n = 0; n < steps; ++n) {
    p.refine.region_level = n % 2 == 0 ? 2 : 0;
    for (std::size_t d = 0; d < 3; ++d) {
      p.refine.region_lower[d] = -0.5;
      p.refine.region_upper[d] = 0.5;
    }
    s.set_parameters(p);
    step::adapt(s);
    step::advance(s, 1e-3);
  }
  s.stepper().fetch();
}

class checked_trace {
 public:
  explicit checked_trace(const std::string& run) : t_(trace::read_trace(run)), made_(t_) {
    if (!t_.complete || t_.lost > 0) throw std::runtime_error("the trace is not complete");
    check_kernels();
    check_messages();
    check_paths();
  }

 private:
  using key = std::pair<std::size_t, std::size_t>;
  static key key_of(const place& at) { return {at.thread, at.record}; }
  std::string words(const place& at) const {
    return fmt::format("{} of rank {}, record {} ({})", t_.threads[at.thread].label(), t_.threads[at.thread].rank,
                       at.record, t_.name(t_.at(at)));
  }
  /// What made it, which began before it.
  place cause_of(const place& at) const {
    const auto cause = made_.of(at);
    if (!cause) throw std::runtime_error(fmt::format("{}: nothing is its cause", words(at)));
    if (t_.at(*cause).start > t_.at(at).start)
      throw std::runtime_error(fmt::format("{}: its cause, {}, comes after it", words(at), words(*cause)));
    return *cause;
  }
  place task_of(const place& at) const {
    const place cause = cause_of(at);
    if (t_.at(cause).message() || t_.threads[cause.thread].on_device())
      throw std::runtime_error(fmt::format("{}: its cause, {}, is no task", words(at), words(cause)));
    return cause;
  }
  template <class Body>
  void for_records(bool on_devices, const Body& body) const {
    for (std::size_t thread = 0; thread < t_.threads.size(); ++thread) {
      if (t_.threads[thread].on_device() != on_devices) continue;
      for (std::size_t i = 0; i < t_.threads[thread].records.size(); ++i) body(place{thread, i});
    }
  }

  void check_kernels() {
    std::size_t number = 0;
    for_records(true, [&](const place& at) {
      launched_.insert(key_of(task_of(at)));
      ++number;
    });
    constexpr std::size_t expected = 10000;  // of 18500
    if (number < expected) throw std::runtime_error(fmt::format("{} kernels are too few", number));
  }
  void check_messages() {
    std::set<key> unpacked;
    for_records(false, [&](const place& at) {
      const exec::trace_record& r = t_.at(at);
      if (r.message() || r.id == 0 || !launched_.contains(key_of(at)) || r.cause == 0) return;
      const place cause = cause_of(at);
      if (t_.at(cause).what == exec::trace_record::kind::received) unpacked.insert(key_of(cause));
    });
    std::size_t received = 0, in_steps = 0;
    for (const trace::message& m : t_.messages) {
      task_of(m.from);
      if (t_.at(m.to).start < t_.at(m.from).start)
        throw std::runtime_error(fmt::format("{}: came before it was sent", words(m.to)));
      if (!in_a_step(m.to)) continue;  // the fields go over the host from one mesh to the next
      ++in_steps;
      if (!unpacked.contains(key_of(m.to)))
        throw std::runtime_error(fmt::format("{}: no kernel reads that message", words(m.to)));
    }
    for_records(false, [&](const place& at) { received += t_.at(at).what == exec::trace_record::kind::received; });
    constexpr std::size_t expected = 600;  // of 1100
    if (received != t_.messages.size() || in_steps < expected)
      throw std::runtime_error(
          fmt::format("{} messages of {} that came, {} in steps", t_.messages.size(), received, in_steps));
  }
  bool in_a_step(const place& at) const {
    const std::int64_t t = t_.at(at).start;
    return std::ranges::any_of(t_.threads[at.thread].records, [&](const exec::trace_record& r) {
      return !r.message() && t_.name(r) == exec::phases::step && r.start <= t && t <= r.end;
    });
  }
  void check_paths() const {
    if (t_.steps.size() != steps) throw std::runtime_error(fmt::format("{} steps", t_.steps.size()));
    for (const trace::step& of : t_.steps) {
      const auto path = trace::critical_path(t_, made_, of);
      if (std::ranges::none_of(path, [](const auto& p) { return p.what == trace::path_piece::kind::message; }))
        throw std::runtime_error(fmt::format("a path without a message:\n{}", describe(path, of, 50)));
    }
  }

  trace::trace t_;
  trace::causes made_;
  std::set<key> launched_;  // tasks of kernels
};

void run(const std::string& directory) {
  const auto ranks = exec::transport::connect({});
  if (ranks->size() != 2) throw std::runtime_error("this needs two ranks");
  exec::context context(1, *ranks);
  if (context.leads()) std::filesystem::create_directories(directory);
  output::trace_file file(context, directory, {}, 1);
  auto& device = exec::test::checking_device::get();
  device.trace_to(&context.times());
  take_steps(context);
  device.trace_to(nullptr);
  file.close();
  if (context.leads()) checked_trace{directory};
  ranks->barrier();
}

}  // namespace

int main(int arguments, char** argument) {
  const std::string directory = arguments > 1 ? argument[1] : "device_trace";
  return test::reported([&] { run(directory); });
}
