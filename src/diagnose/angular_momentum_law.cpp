#include "diagnose/angular_momentum_law.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace rednova::diagnose {

angular_momentum_law law_of_angular_momentum(const config::parameters& p) {
  angular_momentum_law law;
  std::vector<char> periodic, without;
  for (std::size_t d = 0; d < 3; ++d) {
    if (p.mesh.boundaries[2 * d] != config::boundary::periodic) continue;
    periodic.push_back("xyz"[d]);
    for (std::size_t other = 0; other < 3; ++other) {
      if (other != d) law.holds[other] = false;
    }
  }
  for (std::size_t d = 0; d < 3; ++d) {
    if (!law.holds[d]) without.push_back("xyz"[d]);
  }
  if (!without.empty()) {
    law.why_not = fmt::format(
        "the box is periodic in {}: gas that comes back in has another lever arm, so the components {} have no "
        "conservation law",
        fmt::join(periodic, ", "), fmt::join(without, ", "));
  }
  if (!p.hydro.spin) {
    law.loss =
        "hydro.spin = false: the torque of the momentum fluxes about the cells' centres is lost, and in the first step "
        "the spin of the initial model; the remainder of the angular momentum is this loss";
  }
  return law;
}

}  // namespace rednova::diagnose
