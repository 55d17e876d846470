// A solve for gravity on a device, with the objects that it refers to.
#pragma once

#include "gravity/device_solve.hpp"
#include "gravity/interaction_lists.hpp"
#include "gravity/operators.hpp"
#include "step/simulation.hpp"

namespace rednova::step {

/// Of a rank's share of a simulation's tree. Place: as device_step's.
template <class Place>
struct device_gravity {
  device_gravity(const Place& where, const simulation& s)
      : lists(s.tree),
        by(s.par.gravity.order),
        all(where, s.tree, lists, by, s.par.gravity.cell_mass, where.interactions(s.par.gravity, s.tree, by),
            s.where->ranks() != nullptr ? s.where : nullptr, s.links->share()) {}
  gravity::interaction_lists lists;
  gravity::operators by;
  gravity::device_solve<Place> all;
};

}  // namespace rednova::step
