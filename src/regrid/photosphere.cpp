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
  std::vector<double> depths(mesh::ghosted_cells);
  const auto for_cells = [](const auto& body) {
    for (int k = -1; k <= N; ++k)
      for (int j = -1; j <= N; ++j)
        for (int i = -1; i <= N; ++i)
          if (hydro::in_cross(i, j, k, 1, 0)) body(i, j, k);
  };
  for_cells([&](int i, int j, int k) {
    const int n = mesh::ghosted(i, j, k);
    depths[static_cast<std::size_t>(n)] = depth_at(u + n, fields, eos);
  });
  bool any = false;
  for_cells([&](int i, int j, int k) { any = any || free_above(depths.data(), i, j, k, why); });
  return any;
}

}  // namespace rednova::regrid
