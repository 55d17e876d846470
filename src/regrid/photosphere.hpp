// Where light gets free: the rule of config::refine::photosphere_level.
#pragma once

#include <algorithm>

#include "eos/gas.hpp"
#include "mesh/fields.hpp"
#include "radiation/gas_place.hpp"
#include "regrid/gas_rules.hpp"

namespace rednova::regrid {

/// Opaque gas beside transparent gas, by the optical depth over a length that is the same on all levels: the width of
/// the cells that are asked for. So what is asked for does not hang on the level that a block has.
class photosphere {
 public:
  explicit photosphere(const config::parameters& par);

  /// Whether that depth passes through one between two cells that share a face, of a block and the layer beyond its
  /// faces; to keep a level, whether it comes as near to one as the hysteresis. u: [field][ghosted cell].
  bool within(const double* u, const mesh::field_numbers& fields, const eos::gas& eos, purpose why) const;
  /// The depth of gas over that length.
  double depth(const eos::gas& eos, double rho, double energy, double hydrogen) const {
    return radiation::opacities_of(by_, eos, rho, energy, hydrogen).flux * width_;
  }
  /// Whether two neighbours have these depths.
  bool between(double here, double next, purpose why) const {
    const double share = threshold_factor(hysteresis_, why);
    return std::max(here, next) > share && share * std::min(here, next) < 1;
  }

 private:
  radiation::scheme by_;
  double width_, hysteresis_, pressure_share_;
};

}  // namespace rednova::regrid
