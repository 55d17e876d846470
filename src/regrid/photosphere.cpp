#include "regrid/photosphere.hpp"

#include <cmath>
#include <vector>

#include "hydro/primitives.hpp"

namespace rednova::regrid {

using mesh::N;

photosphere::photosphere(const config::parameters& par)
    : by_(radiation::scheme_of(par)),
      width_(std::ldexp(par.mesh.base_width / N, -par.refine.photosphere_level)),
      hysteresis_(par.refine.hysteresis),
      pressure_share_(par.hydro.dual_energy_pressure) {}

bool photosphere::within(const double* u, const mesh::field_numbers& fields, const eos::gas& eos, purpose why) const {
  const radiation::gas_rules rules{.eos = eos, .pressure_share = pressure_share_, .rotation = 0, .spin = false};
  std::vector<double> depths(mesh::ghosted_cells);
  const auto for_cells = [](const auto& body) {
    for (int k = -1; k <= N; ++k)
      for (int j = -1; j <= N; ++j)
        for (int i = -1; i <= N; ++i)
          if (hydro::in_cross(i, j, k, 1, 0)) body(static_cast<std::size_t>(mesh::ghosted(i, j, k)), i, j, k);
  };
  for_cells([&](std::size_t n, int, int, int) {
    const radiation::place_of_gas at(u + n, mesh::ghosted_cells, fields, rules);
    depths[n] = depth(eos, at.density, at.energy, at.hydrogen);
  });
  bool any = false;
  for_cells([&](std::size_t n, int i, int j, int k) {
    const auto with = [&](int a, int b, int c) {
      if (hydro::in_cross(a, b, c, 1, 0))
        any = any || between(depths[n], depths[static_cast<std::size_t>(mesh::ghosted(a, b, c))], why);
    };
    with(i + 1, j, k);
    with(i, j + 1, k);
    with(i, j, k + 1);
  });
  return any;
}

}  // namespace rednova::regrid
