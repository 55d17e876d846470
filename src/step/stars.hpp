// The two stars of a binary: which gas each brought along, where it is, and how often they have gone around each other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "exec/macros.hpp"
#include "hydro/grid_motion.hpp"
#include "mesh/block.hpp"
#include "step/block_sums.hpp"

namespace rednova::step {

/// Which star each species belongs to: 0 accretor, 1 donor, -1 neither, by whether its name begins with "accretor" or
/// "donor". Unless both occur all gas is one star, 0.
std::vector<int> star_of_species(const std::vector<std::string>& species);

/// The species of accretor and donor as bits, species 0 the lowest; none of both where there are no two stars.
struct star_species {
  std::array<std::uint64_t, 2> bits{};

  star_species() = default;
  /// Contract: 64 species at most.
  explicit star_species(const std::vector<std::string>& names);
  REDNOVA_FN bool two() const { return bits[0] != 0 && bits[1] != 0; }
};

/// Numbers of one star in a sum: of w = V rho_i², rho_i the partial density of the star's species, sum w, sum w x (3)
/// and sum w |x|². The square makes them those of the star's dense parts, wherever its thin gas has gone.
inline constexpr int numbers_of_star = 5, numbers_of_stars = 2 * numbers_of_star;

/// What a row of cells along x contributes; row: j + N k. to: [star][numbers_of_star], is set.
REDNOVA_FN void sum_row_of_stars(const summed_block& b, int species, const star_species& of, int row, double* to) {
  constexpr int N = mesh::N;
  const double volume = b.h * b.h * b.h;
  const double y = hydro::centre(b.corner.y, b.h, row % N), z = hydro::centre(b.corner.z, b.h, row / N);
  for (std::size_t star = 0; star < 2; ++star) {
    double rho[N] = {};
    for (int k = 0; k < species; ++k) {
      if ((of.bits[star] >> k & 1) == 0) continue;
      for (int i = 0; i < N; ++i) rho[i] += b.u[k * mesh::cells + row * N + i];
    }
    double weight = 0, along = 0, square = 0;
    for (int i = 0; i < N; ++i) {
      const double x = hydro::centre(b.corner.x, b.h, i), w = volume * (rho[i] * rho[i]);
      weight += w;
      along += w * x;
      square += w * (x * x);
    }
    double* numbers = to + star * std::size_t{numbers_of_star};
    numbers[0] = weight;
    numbers[1] = along;
    numbers[2] = weight * y;
    numbers[3] = weight * z;
    numbers[4] = square + weight * (y * y + z * z);
  }
}

/// The rows of a block, in their order. to: [numbers_of_stars], is added to.
void sum_stars(const summed_block& b, int species, const star_species& of, double* to);

/// The stars' dense parts, in the frame of the grid.
struct star_pair {
  std::array<core::vec3d, 2> centre{};  ///< mean position, weighted with the square of the star's own density
  std::array<double, 2> radius{};       ///< rms distance from it, with the same weights
  /// Whether there are two stars: both have gas, and the distance of their centres exceeds the sum of the radii. If
  /// not, they have merged, or there never were two.
  bool apart = false;

  star_pair() = default;
  /// sums: [numbers_of_stars]
  explicit star_pair(const double* sums);
  /// Angle of the line from the first to the second about z.
  double angle() const;
};

/// How far a binary has turned in the frame of the grid, which itself turns by simulation::grid_angle().
struct orbit_count {
  /// Angle by which the line of centres has turned on the grid since time 0, as long as there were two stars.
  double slip = 0;
  /// Angle of the line at the last look; NaN where there were not two stars.
  double angle = std::numeric_limits<double>::quiet_NaN();
  double rate = 0;  ///< change of slip per time in the last step
  /// The last time at which there were two stars; NaN: never.
  double last_apart = std::numeric_limits<double>::quiet_NaN();

  /// Call it after each step, dt > 0, and after a change of the mesh, dt = 0; time: after it. No step turns the line by
  /// half a circle unseen: gas moves at most cfl cells on the grid, and stars that are apart are cells apart. Where the
  /// stars are not apart, slip stays as it is, and the orbits go on with the turns of the grid.
  void follow(const star_pair& stars, double time, double dt);
};

}  // namespace rednova::step
