// One star in a given potential: the scale and core size that give it its mass.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "exec/for_each.hpp"
#include "stellar/model.hpp"
#include "stellar/structure.hpp"

namespace rednova::stellar {

/// A cell that may hold a part of a star.
struct site {
  double potential;  ///< effective, the cell's mean
  double spread;     ///< half its range within the cell
  core::vec3d rise;  ///< by which it is higher at Gauss's points of the cell, along each direction
  double volume;
  double x;
  int leaf, cell;

  /// slope: of the potential; h: the cell's width.
  site(double mean, const core::vec3d& slope, double h, double place, int l, int c)
      : potential(mean),
        spread(0.5 * h * std::sqrt(dot(slope, slope))),
        rise((h / std::sqrt(12.0)) * slope),
        volume(h * h * h),
        x(place),
        leaf(l),
        cell(c) {}
};

/// Mean over a cell of what depends on the potential: of(potential) at Gauss's eight points. Exact to fourth order in h
/// without the curvature of the potential, whose isotropic part has no share at these points.
template <class F>
double mean_over(const site& s, const F& of) {
  double sum = 0;
  for (int p = 0; p < 8; ++p) {
    sum += of(s.potential + (p & 1 ? s.rise.x : -s.rise.x) + (p & 2 ? s.rise.y : -s.rise.y) +
              (p & 4 ? s.rise.z : -s.rise.z));
  }
  return 0.125 * sum;
}

class star_fit {
 public:
  star_fit(const composition& made_of, double mass) : made_of_(made_of), mass_(mass) {}

  std::vector<site> sites;  ///< of the star's basin, up to its surface at least
  double constant = 0;      ///< potential C of the surface: H = C - Phi

  double lowest_potential() const;
  /// Volume below an equipotential; cells at the surface count by their share below it.
  double volume_below(exec::context& context, double potential) const;
  bool has_scale() const { return made_of_.has_scale(); }
  /// Of a star without scale: finds the surface that gives it its mass, none above the `highest` potential.
  void fit_surface(exec::context& context, double highest);
  /// Whether a star without scale has less than its mass, since its surface would have to lie higher.
  bool overfull() const;
  /// Finds scale and core size from mass and core fraction; false if the cells are too few for that.
  [[nodiscard]] bool fit_mass(exec::context& context);
  /// Finds the core size that gives the mass with an envelope of this scale; false if none does, and then
  /// `excess` says whether the star would be too heavy at best (> 0) or too light.
  bool fit_core(exec::context& context, double scale, double& excess);

  double scale() const { return scale_; }  ///< S: rho = S times the stratification's
  double entropy() const;  ///< K = p / rho^(1 + 1/n) of the envelope; of a barotrope the factor of its pressures
  double centre() const { return centre_; }  ///< x of the mass centre
  /// Writes densities and pressure into the model's cells.
  void write(exec::context& context, int star, model& m) const;

 private:
  std::array<double, 3> sums(exec::context& context, double interface) const;
  void adopt(exec::context& context, double interface);
  bool fit_pressure(exec::context& context);

  composition made_of_;
  double mass_;
  double scale_ = 0, interface_ = 0, centre_ = 0;
  double pressure_factor_ = 1;
};

}  // namespace rednova::stellar
