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
  /// The same with an opacity's tables elsewhere.
  photosphere with(const radiation::scheme& by) const {
    photosphere other = *this;
    other.by_ = by;
    return other;
  }
  /// The depth of gas over that length. u: the cell's first field, others mesh::ghosted_cells apart.
  REDNOVA_FN double depth_at(const double* u, const mesh::field_numbers& fields, const eos::gas& eos) const {
    const radiation::gas_rules rules{.eos = eos, .pressure_share = pressure_share_, .rotation = 0, .spin = false};
    const radiation::place_of_gas at(u, mesh::ghosted_cells, fields, rules);
    return depth(eos, at.density, at.energy, at.hydrogen);
  }
  /// Of a cell (i, j, k) of a block or the layer beyond its faces, and those after it along each direction that are,
  /// too: whether light gets free between two. depths: [ghosted cell].
  REDNOVA_FN bool free_above(const double* depths, int i, int j, int k, purpose why) const {
    const auto with = [&](int a, int b, int c) {
      return hydro::in_cross(a, b, c, 1, 0) &&
             between(depths[mesh::ghosted(i, j, k)], depths[mesh::ghosted(a, b, c)], why);
    };
    return hydro::in_cross(i, j, k, 1, 0) && (with(i + 1, j, k) || with(i, j + 1, k) || with(i, j, k + 1));
  }
  REDNOVA_FN double depth(const eos::gas& eos, double rho, double energy, double hydrogen) const {
    return radiation::opacities_of(by_, eos, rho, energy, hydrogen).flux * width_;
  }
  /// Whether two neighbours have these depths.
  REDNOVA_FN bool between(double here, double next, purpose why) const {
    const double share = threshold_factor(hysteresis_, why);
    return exec::max(here, next) > share && share * exec::min(here, next) < 1;
  }

 private:
  radiation::scheme by_;
  double width_, hysteresis_, pressure_share_;
};

}  // namespace rednova::regrid
