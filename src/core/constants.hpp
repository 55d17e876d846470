// Physical constants and astronomical units in cgs (CODATA 2018, IAU 2015).
#pragma once

namespace rednova::core {

inline constexpr double pi = 3.14159265358979323846;
inline constexpr double newton_g = 6.67430e-8;    // cm^3 g^-1 s^-2
inline constexpr double solar_mass = 1.98841e33;  // g
inline constexpr double solar_radius = 6.957e10;  // cm
inline constexpr double day = 86400.0;            // s

inline constexpr double boltzmann = 1.380649e-16;          // erg/K
inline constexpr double planck = 6.62607015e-27;           // erg s
inline constexpr double light_speed = 2.99792458e10;       // cm/s
inline constexpr double electron_mass = 9.1093837015e-28;  // g
inline constexpr double atomic_mass = 1.66053906660e-24;   // g, the unit u
inline constexpr double electron_volt = 1.602176634e-12;   // erg
inline constexpr double bohr_radius = 5.29177210903e-9;    // cm
/// Radiation: energy per volume over T^4.
inline constexpr double radiation_constant =
    8.0 * pi * pi * pi * pi * pi * boltzmann * boltzmann * boltzmann * boltzmann /
    (15.0 * light_speed * light_speed * light_speed * planck * planck * planck);

}  // namespace rednova::core
