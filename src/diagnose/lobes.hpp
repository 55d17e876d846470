// Which gas lies in which star's Roche lobe: shows mass transfer, which species do not.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "diagnose/star_sums.hpp"
#include "stellar/roche.hpp"
#include "step/simulation.hpp"

namespace rednova::diagnose {

/// The Roche lobes of two stars: the halves of the surface of the effective potential that touch at L1, for two point
/// masses on a circular orbit (Eggleton 1983, ApJ 268, 368, whose formula gives their volumes). The orbital plane holds
/// the line of centres and is as near to the plane x, y as that allows.
class roche_lobes {
 public:
  /// Contract: masses positive, centres apart.
  roche_lobes(const std::array<double, 2>& mass, const std::array<core::vec3d, 2>& centre);

  /// The star (0, 1) in whose lobe a point lies, or -1: on the star's side of the plane through L1, closer to its
  /// centre than L1, which is the lobe's farthest point, and below the potential of L1.
  int star_at(core::vec3d x) const;
  /// Whether a lobe may reach into a cube; false is certain.
  bool may_touch(core::vec3d lower, double width) const;

 private:
  std::array<core::vec3d, 2> centre_;
  core::vec3d origin_;  // the mass centre
  std::array<core::vec3d, 3> axis_;
  stellar::roche_model model_;
  double l1_, top_;
  std::array<double, 2> reach_squared_;
};

/// Sums over the gas in each star's lobe; received: what the other star's species brought.
using lobe_sums = std::array<star_sums<core::compensated>, 2>;

/// Measures what lies in the lobes, a cell being where its centre is. The lobes are those of the masses that they hold,
/// about the mass centres of these: found by iteration from a guess of masses and centres, until the set of cells stays
/// as it is (32 times at most; then the last set counts). Where stars are larger than their lobes there may be several
/// such sets, and the guess decides. None where there are no two lobes: a mass not positive or below 1e-6 of the other,
/// or no distance. Same bits on any number of threads and ranks.
///
/// star_of: for each species 0, 1 or -1, as star_of_species() gives it.
std::optional<lobe_sums> measure_lobes(const step::simulation& s, const std::vector<int>& star_of,
                                       std::array<double, 2> mass, std::array<core::vec3d, 2> centre);

}  // namespace rednova::diagnose
