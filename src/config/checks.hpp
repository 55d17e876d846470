// What must hold between sections of the input.
#pragma once

#include <functional>
#include <string>

#include "config/parameters.hpp"

namespace rednova::config {

/// Largest number of passive species.
inline constexpr int max_species = 8;

/// The largest Courant number at which no linear wave grows by more than a hundredth in 200 of its periods, whatever
/// its direction and the velocity of its gas (docs/step.md; the analysis is python/rednova/reference/stability.py).
///
/// dt counts the fastest direction alone, so diagonal waves, and a checkerboard of pressure in gas at rest, see three
/// times cfl. With cell averages at the faces, which any limiter may choose, Runge-Kutta 3 bears a sum of 1.25 and
/// Runge-Kutta 2 one of 1. Quartic edges damp long waves with the sixth power of k h where Runge-Kutta 2 amplifies them
/// with the fourth of omega dt: some wave grows at any cfl, by less than a hundredth in 200 periods below 0.077.
double largest_stable_cfl(integrator scheme, reconstruction edges);

/// Throws core::user_error where eos.hydrogen has neither one number nor one for each species. check() asks for it
/// where the input names the species; else the problem may.
void check_hydrogen_of_species(const parameters& p, const std::function<std::string(const std::string&)>& place);

/// Throws core::user_error where parameters contradict each other. place("section.key") says where a key was
/// set, for the message; gives("section.key"), whether it was.
void check(const parameters& p, const std::function<std::string(const std::string&)>& place,
           const std::function<bool(const std::string&)>& gives);

}  // namespace rednova::config
