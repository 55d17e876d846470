// Physical constants and astronomical units in cgs (CODATA 2018, IAU 2015).
#pragma once

namespace rednova::core {

inline constexpr double pi = 3.14159265358979323846;
inline constexpr double newton_g = 6.67430e-8;    // cm^3 g^-1 s^-2
inline constexpr double solar_mass = 1.98841e33;  // g
inline constexpr double solar_radius = 6.957e10;  // cm
inline constexpr double day = 86400.0;            // s

}  // namespace rednova::core
