#include "command/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "core/check.hpp"
#include "exchange/gather.hpp"
#include "exec/for_each.hpp"
#include "hydro/primitives.hpp"

namespace rednova::command {

model load(config::input& in) {
  model m;
  m.par = in.read_parameters();
  m.problem = problem::make(in, m.par);
  in.expect_all_read();
  const config::run& run = m.par.run;
  const bool ends =
      run.end_time > 0 || run.end_orbits > 0 || run.max_hours > 0 || run.max_steps != config::run{}.max_steps;
  if (!ends)
    core::fail("{}: nothing ends this run: set run.end_time, run.end_orbits or run.max_steps",
               in.place("run", "end_time"));
  return m;
}

void warn_of_low_ceiling(const step::simulation& s) {
  const auto largest = [&](const auto& of_cell) {
    const auto larger = [](double a, double b) { return std::max(a, b); };
    const std::array<int, 2> own = s.own_leaves();
    const double mine = exec::reduce(
        *s.where, "initial model", own[1] - own[0], 0.0,
        [&](int i) {
          double most = 0;
          for (int c = 0; c < mesh::cells; ++c) most = std::max(most, of_cell(own[0] + i, c));
          return most;
        },
        larger);
    return exchange::fold_ranks(*s.where, mine, larger);
  };
  const double densest = largest([&](int leaf, int c) { return s.density(leaf, c); });
  const double hottest = largest([&](int leaf, int c) {
    const double rho = s.density(leaf, c);
    if (rho < 1e-3 * densest) return 0.0;
    const hydro::gas_state<double> gas = hydro::gas_from_conserved<double>(s.u.at(leaf) + c, mesh::cells, s.fields,
                                                                           s.par.hydro.dual_energy_pressure, s.eos);
    return s.eos.internal_energy(rho, gas.p) / rho;
  });
  if (hottest <= s.par.hydro.heat_ceiling || !s.where->leads()) return;
  fmt::print(
      "warning: hydro.heat_ceiling = {:g} is below the {:.3g} that the initial model's dense gas has: it will cool the "
      "model; {:.2g} would leave it alone\n",
      s.par.hydro.heat_ceiling, hottest, 1.5 * hottest);
  std::fflush(stdout);
}

}  // namespace rednova::command
