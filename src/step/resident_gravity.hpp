// A solve for gravity where the numbers stay, with what it needs as long as it lives.
#pragma once

#include "gravity/device_solve.hpp"
#include "gravity/operators.hpp"
#include "gravity/plan.hpp"
#include "step/simulation.hpp"

namespace rednova::step {

/// Of a rank's share of a simulation's tree. Place: as resident_step's.
template <class Place>
struct resident_gravity {
  resident_gravity(const Place& where, const simulation& s)
      : who(s.tree),
        by(s.par.gravity.order),
        all(where, s.tree, who, by, s.par.gravity.cell_mass, where.across(s.par.gravity, s.tree, by),
            s.where->ranks() != nullptr ? s.where : nullptr, s.links->share()) {}
  gravity::plan who;
  gravity::operators by;
  gravity::device_solve<Place> all;
};

}  // namespace rednova::step
