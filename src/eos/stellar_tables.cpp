#include "eos/stellar_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <mutex>
#include <vector>

#include "eos/stellar_cache.hpp"

namespace rednova::eos {

namespace {

constexpr double widest_step = 0.07;  // of the root of hydrogen's fraction, between tables (docs/eos.md)

void say(std::string_view text) { fmt::print(stderr, "rednova: {}\n", text); }

stellar_table read_or_make(const stellar_parameters& of) {
  exec::context all_cores;
  int told = -1;  // tenths
  return cached_stellar_table(of, default_cache_directory(), all_cores, say, [&](double part) {
    const int tenths = static_cast<int>(10 * part);
    if (tenths == told) return;
    told = tenths;
    say(fmt::format("the table of the equation of state is made, once for this composition: {} %", 10 * tenths));
  });
}

}  // namespace

stellar_parameters table_parameters(const config::eos& par) {
  stellar_parameters of;
  of.carbon = par.carbon;
  of.oxygen = par.oxygen;
  const auto [least, most] = std::ranges::minmax(par.hydrogen);
  of.hydrogen_min = least;
  of.hydrogen_max = most;
  // Panels of three tables.
  const double range = std::sqrt(most) - std::sqrt(least);
  of.hydrogen_tables = most > least ? 2 * static_cast<int>(std::ceil(range / (2 * widest_step) - 1e-9)) + 1 : 1;
  of.with_radiation = par.radiation ? radiation::included : radiation::none;
  of.with_molecules = par.molecules ? molecules::hydrogen : molecules::none;
  return of;
}

const stellar_table& table_of(const config::eos& par) {
  static std::mutex guard;
  static std::map<std::vector<double>, stellar_table> tables;
  const stellar_parameters of = table_parameters(par);
  const std::scoped_lock lock(guard);
  auto found = tables.find(of.numbers());
  if (found == tables.end()) found = tables.emplace(of.numbers(), read_or_make(of)).first;
  return found->second;
}

}  // namespace rednova::eos
