#include "diagnose/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace rednova::diagnose {

namespace {

// Often enough to look alive on a terminal, seldom enough to leave a log readable.
constexpr double terminal_seconds = 0.2;
constexpr double log_seconds = 10;

/// Columns of the terminal, or 0 if they are not known.
std::size_t columns(std::FILE* out) {
  winsize size{};
  return ioctl(fileno(out), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/// A rate with the prefix that leaves it between 1 and 1000.
std::string rate(double per_second) {
  if (per_second >= 1e9) return fmt::format("{:.2f}G", per_second * 1e-9);
  if (per_second >= 1e6) return fmt::format("{:.2f}M", per_second * 1e-6);
  if (per_second >= 1e3) return fmt::format("{:.1f}k", per_second * 1e-3);
  return fmt::format("{:.0f}", per_second);
}

std::string blocks(const std::vector<int>& by_level) {
  std::string text;
  for (std::size_t level = 0; level < by_level.size(); ++level)
    if (by_level[level] > 0) text += fmt::format("{}L{}:{}", text.empty() ? "" : " ", level, by_level[level]);
  return text;
}

}  // namespace

std::string duration(double seconds) {
  const auto s = static_cast<std::int64_t>(std::llround(seconds));
  if (s < 60) return fmt::format("{}s", s);
  if (s < 3600) return fmt::format("{}m{:02}s", s / 60, s % 60);
  if (s < 86400) return fmt::format("{}h{:02}m", s / 3600, s % 3600 / 60);
  return fmt::format("{}d{:02}h", s / 86400, s % 86400 / 3600);
}

std::string progress_line(const progress_state& p, std::size_t width) {
  const drift& d = p.remainders;
  const std::string angular = d.angular_momentum ? fmt::format("{:.0e}", *d.angular_momentum) : "-";
  const double largest = std::max({d.mass, d.momentum, d.angular_momentum.value_or(0.0), d.energy});
  const bool ends = p.seconds_left >= 0 && std::isfinite(p.seconds_left);
  const int all = std::accumulate(p.leaves_by_level.begin(), p.leaves_by_level.end(), 0);

  const std::string step = fmt::format("step {}  t {:.6g}", p.step, p.time);
  const std::string orbits = p.counts_orbits ? fmt::format(" ({:.4f} orbits)", p.orbits) : "";
  std::string dt = p.dt > 0 ? fmt::format("  dt {:.2e}", p.dt) : "";  // none before the first step
  std::string mesh = fmt::format("  blocks {}", blocks(p.leaves_by_level));
  std::string speed =
      p.cell_steps_per_second > 0 ? fmt::format("  {} cell-steps/s", rate(p.cell_steps_per_second)) : "";
  const std::string left = ends ? fmt::format("  {} left", duration(p.seconds_left)) : "";
  const std::string flow = d.flow ? fmt::format("  flow's J {:.0e}", *d.flow) : "";
  std::string remainder = fmt::format("  drift m {:.0e} p {:.0e} J {} E {:.0e}", d.mass, d.momentum, angular, d.energy);

  const auto line = [&] { return step + orbits + dt + mesh + speed + left + remainder + flow; };
  // The least important first; what is left of the time and of the conservation is kept.
  const std::pair<std::string*, std::string> shorter[] = {{&mesh, fmt::format("  {} blocks", all)},
                                                          {&remainder, fmt::format("  drift {:.0e}", largest)},
                                                          {&speed, ""},
                                                          {&mesh, ""},
                                                          {&dt, ""}};
  for (const auto& [part, form] : shorter) {
    if (width == 0 || line().size() <= width) break;
    *part = form;
  }
  std::string text = line();
  if (width > 0 && text.size() > width) text.resize(width);
  return text;
}

void progress::start(const step::simulation& s) {
  const exec::profile::scope timed(s.context().times(), "progress");
  started_ = shown_ = clock::now();
  start_time_ = s.time();
  start_step_ = s.step();
  cell_steps_ = cell_steps_total_ = 0;
  show(s, started_);
}

void progress::after_step(const step::simulation& s) {
  const exec::profile::scope timed(s.context().times(), "progress");
  cell_steps_ += static_cast<double>(s.tree().leaves()) * mesh::cells;
  const auto now = clock::now();
  const double since = std::chrono::duration<double>(now - shown_).count();
  if (since >= (where_ == display::terminal ? terminal_seconds : log_seconds)) show(s, now);
}

void progress::finish(const step::simulation& s, step::stop_reason why) {
  const exec::profile::scope timed(s.context().times(), "progress");
  const auto now = clock::now();
  show(s, now);
  const double wall = std::chrono::duration<double>(now - started_).count();
  const auto steps = s.step() - start_step_;
  fmt::print(out_, "{}{}: {} steps in {}", where_ == display::terminal ? "\n" : "", step::describe(why), steps,
             duration(wall));
  if (steps > 0) fmt::print(out_, ", {} cell-steps/s", rate(cell_steps_total_ / wall));
  fmt::print(out_, "\n\n{}", ledger_table(s.ledger(), s.par().hydro.species, law_of_angular_momentum(s.par())));
  std::fflush(out_);
}

/// Time until the run ends at its mean pace so far, by time or by steps, whichever comes first.
double progress::seconds_left(const step::simulation& s, double wall) const {
  double left = std::numeric_limits<double>::infinity();
  if (s.step() == start_step_) return left;
  const double end = step::end_time(s);
  if (s.time() > start_time_) left = std::min(left, wall * (end - s.time()) / (s.time() - start_time_));
  const double steps_left = static_cast<double>(s.par().run.max_steps - s.step());
  left = std::min(left, wall * steps_left / static_cast<double>(s.step() - start_step_));
  if (s.par().run.max_hours > 0) left = std::min(left, s.par().run.max_hours * 3600 - s.context().seconds());
  return std::max(left, 0.0);
}

void progress::show(const step::simulation& s, clock::time_point now) {
  const double since = std::chrono::duration<double>(now - shown_).count();
  progress_state p;
  p.step = s.step();
  p.time = s.time();
  p.orbits = s.orbits();
  p.counts_orbits = step::counts_orbits(s);
  p.dt = s.dt();
  p.leaves_by_level = s.tree().leaves_by_level();
  if (since > 0) p.cell_steps_per_second = cell_steps_ / since;
  p.seconds_left = seconds_left(s, std::chrono::duration<double>(now - started_).count());
  p.remainders = relative_drift(s.ledger(), law_of_angular_momentum(s.par()));

  if (where_ == display::terminal) {
    // A line that wraps cannot be rewritten.
    const std::size_t width = columns(out_);
    fmt::print(out_, "\r{}\x1b[K", progress_line(p, width > 1 ? width - 1 : 0));
  } else {
    fmt::print(out_, "{}\n", progress_line(p));
  }
  std::fflush(out_);
  shown_ = now;
  cell_steps_total_ += cell_steps_;
  cell_steps_ = 0;
}

}  // namespace rednova::diagnose
