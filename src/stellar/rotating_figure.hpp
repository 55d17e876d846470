// A single star in rigid rotation, flattened as asked.
#pragma once

#include "stellar/effective_potential.hpp"
#include "stellar/figure.hpp"
#include "stellar/star_fit.hpp"

namespace rednova::stellar {

struct rotating_request {
  double mass = 1;
  double equatorial_radius = 1;
  double axis_ratio = 1;  ///< polar radius over equatorial radius, at most 1; 1: no rotation
  composition made_of;
};

/// Hachisu (1986): the surface passes through a point of the equator and through the pole, which fixes the angular
/// velocity and the surface's potential in each iteration. The star is centred at the origin and is star 0.
class rotating_figure final : public figure {
 public:
  explicit rotating_figure(const rotating_request& r);

  double size() const override { return r_.equatorial_radius * r_.axis_ratio; }
  bool touches(core::vec3d lower, double width) const override;
  void guess(exec::context& context, model& m) const override;
  bool find(exec::context& context, const mesh::block_data& gravity, model& m) override;

 private:
  rotating_request r_;
  star_fit star_;
};

}  // namespace rednova::stellar
