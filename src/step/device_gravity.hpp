// A solve for gravity on a device, with the objects that it refers to.
#pragma once

#include "gravity/device_solve.hpp"
#include "gravity/interaction_lists.hpp"
#include "gravity/operators.hpp"
#include "step/simulation.hpp"

namespace rednova::step {

/// Of a rank's part of a simulation's tree. Space: as device_step's.
template <class Space>
struct device_gravity {
  device_gravity(const Space& space, const simulation& s)
      : lists(s.tree()),
        by(s.par().gravity.order),
        all(space, s.tree(), lists, by, s.par().gravity.cell_mass, space.interactions(s.par().gravity, s.tree(), by),
            s.context().ranks() != nullptr ? &s.context() : nullptr, s.halo().partition()) {}
  gravity::interaction_lists lists;
  gravity::operators by;
  gravity::device_solve<Space> all;
};

}  // namespace rednova::step
