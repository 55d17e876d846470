// The code's units, as the input chooses them.
#pragma once

#include "config/parameters.hpp"
#include "core/constants.hpp"
#include "core/units.hpp"

namespace rednova::config {

inline core::units units_of(unit_system system) {
  return system == unit_system::solar ? core::units::self_gravitating(core::solar_radius, core::solar_mass)
                                      : core::units{};
}

}  // namespace rednova::config
