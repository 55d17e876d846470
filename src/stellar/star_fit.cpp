#include "stellar/star_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/check.hpp"
#include "stellar/root.hpp"

namespace rednova::stellar {

namespace {

constexpr int chunk = 4096;  // sites that one thread sums as a part

int chunks(const std::vector<site>& sites) { return (static_cast<int>(sites.size()) + chunk - 1) / chunk; }

template <class F>
void over_chunk(const std::vector<site>& sites, int part, const F& f) {
  const std::size_t first = static_cast<std::size_t>(part) * chunk, last = std::min(sites.size(), first + chunk);
  for (std::size_t i = first; i < last; ++i) f(sites[i]);
}

/// A root of f between `lowest` and `highest`, looked for about `near` first; nothing if there is none.
template <class F>
std::optional<double> find_interface(const F& f, double near, double lowest, double highest) {
  double a = lowest, b = highest;
  if (near > 1.3 * lowest && near < 0.8 * highest && (f(near / 1.1) < 0) != (f(near * 1.1) < 0)) {
    a = near / 1.1;
    b = near * 1.1;
  }
  return find_root_if_any(f, a, b, 1e-12 * highest, 1e-11);
}

}  // namespace

double star_fit::lowest_potential() const {
  EXPECT(!sites.empty());
  return std::ranges::min(sites, {}, &site::potential).potential;
}

/// rho = S H^n and p = S H^(n+1) / (n+1) give K = S^(-1/n) / (n+1).
double star_fit::entropy() const {
  if (made_of_.given) return pressure_factor_;
  const double n = made_of_.envelope_index;
  return std::pow(scale_, -1 / n) / (n + 1);
}

double star_fit::volume_below(exec::context& context, double potential) const {
  return exec::reduce(
      context, "stellar sums", chunks(sites), 0.0,
      [&](int part) {
        double sum = 0;
        over_chunk(sites, part, [&](const site& s) {
          sum += s.volume * std::clamp(0.5 * (potential - s.potential) / s.spread + 0.5, 0.0, 1.0);
        });
        return sum;
      },
      [](double a, double b) { return a + b; });
}

/// {mass, core mass, sum of m x} for unit scale.
std::array<double, 3> star_fit::sums(exec::context& context, double interface) const {
  using sum = std::array<double, 3>;
  const stratification layers(made_of_, interface, pressure_factor_);
  return exec::reduce(
      context, "stellar sums", chunks(sites), sum{},
      [&](int part) {
        sum t{};
        over_chunk(sites, part, [&](const site& s) {
          const double part_spread = 0.5 * s.spread;
          const double core = s.volume * mean_over(s, [&](double potential) {
                                return layers.core_density(constant - potential, part_spread);
                              });
          const double all = core + s.volume * mean_over(s, [&](double potential) {
                                      return layers.envelope_density(constant - potential, part_spread);
                                    });
          t[0] += all;
          t[1] += core;
          t[2] += all * s.x;
        });
        return t;
      },
      [](const sum& a, const sum& b) {
        return sum{a[0] + b[0], a[1] + b[1], a[2] + b[2]};
      });
}

void star_fit::adopt(exec::context& context, double interface) {
  interface_ = interface;
  const std::array<double, 3> t = sums(context, interface);
  scale_ = mass_ / t[0];
  centre_ = t[2] / t[0];
}

void star_fit::fit_surface(exec::context& context, double highest) {
  const auto excess = [&](double potential) {
    constant = potential;
    return sums(context, std::numeric_limits<double>::infinity())[0] / mass_ - 1;
  };
  const double lowest = lowest_potential();
  constant = find_root_if_any(excess, lowest, highest, 1e-15 * std::fabs(lowest), 1e-13).value_or(highest);
}

bool star_fit::overfull() const {
  constexpr double close = 1e-9;  // of the mass, far above what fit_surface leaves
  return !has_scale() && scale_ > 1 + close;
}

/// The higher the pressures, the lighter the star.
bool star_fit::fit_pressure(exec::context& context) {
  constexpr double outside = std::numeric_limits<double>::infinity();
  const auto excess = [&](double log_stiffness) {
    pressure_factor_ = std::exp(-log_stiffness);
    return std::log(std::max(sums(context, outside)[0], 1e-300 * mass_) / mass_);
  };
  const double start = -std::log(pressure_factor_);
  const std::optional<double> found = find_root_of_rising(excess, start, 0.02, 400, 1e-13, 1e-12);
  if (!found) return false;
  pressure_factor_ = std::exp(-*found);
  adopt(context, outside);
  return true;
}

bool star_fit::fit_mass(exec::context& context) {
  if (made_of_.given && has_scale()) return fit_pressure(context);
  double interface = std::numeric_limits<double>::infinity();
  if (made_of_.has_core()) {
    const double highest = constant - lowest_potential();
    const auto excess = [&](double h) {
      const std::array<double, 3> t = sums(context, h);
      return t[1] / t[0] - made_of_.core_fraction;
    };
    const std::optional<double> found = find_interface(excess, interface_, 1e-4 * highest, 1.1 * highest);
    if (!found) return false;
    interface = *found;
  }
  adopt(context, interface);
  return scale_ > 0 && std::isfinite(scale_);
}

bool star_fit::fit_core(exec::context& context, double scale, double& excess) {
  const double highest = constant - lowest_potential(), lowest = 1e-4 * highest;
  const auto surplus = [&](double h) { return scale * sums(context, h)[0] / mass_ - 1; };
  excess = surplus(1.1 * highest);
  if (excess > 0) return false;
  excess = surplus(lowest);
  if (excess < 0) return false;
  const std::optional<double> found = find_interface(surplus, interface_, lowest, 1.1 * highest);
  ENSURE(found.has_value());  // the signs at the ends are those above
  adopt(context, *found);
  return true;
}

void star_fit::write(exec::context& context, int star, model& m) const {
  const stratification layers(made_of_, interface_, pressure_factor_);
  exec::for_each(context, "stellar density", chunks(sites), [&](int part) {
    over_chunk(sites, part, [&](const site& s) {
      const double part_spread = 0.5 * s.spread;
      const auto core = [&](double potential) {
        return scale_ * layers.core_density(constant - potential, part_spread);
      };
      const auto envelope = [&](double potential) {
        return scale_ * layers.envelope_density(constant - potential, part_spread);
      };
      // A barotrope is scaled as long as it finds no room in its lobe; its pressure is that of its density all the
      // same.
      const auto pressure = [&](double potential) {
        return has_scale() ? scale_ * layers.pressure(constant - potential, part_spread)
                           : made_of_.given->pressure_of(core(potential) + envelope(potential));
      };
      const double mean_core = mean_over(s, core), mean_envelope = mean_over(s, envelope);
      if (!(mean_core + mean_envelope > 0)) return;
      m.cells.at(s.leaf, core_of_0 + 2 * star)[s.cell] = mean_core;
      m.cells.at(s.leaf, envelope_of_0 + 2 * star)[s.cell] = mean_envelope;
      m.cells.at(s.leaf, model_pressure)[s.cell] = mean_over(s, pressure);
    });
  });
}

}  // namespace rednova::stellar
