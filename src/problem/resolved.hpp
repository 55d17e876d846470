// Whether the mesh can hold what a problem asks for.
#pragma once

#include "problem/problem.hpp"

namespace rednova::problem {

/// A user_error where a problem's one star has no gravity, or fewer than 2 cells to a radius on the finest level; a
/// warning of the input below 8.
void expect_resolved(config::input& in, const config::parameters& par, const single_star_asked& star);

/// Warnings of the input where stars have few cells: of two stars below 8 to a radius, and of all less than half a one
/// to a scale height of the pressure, p / (rho g), where nine tenths of the mass lie within.
void warn_of_stars(config::input& in, const config::parameters& par, const sketch& s);

/// Compares the mass on the mesh of all species but the last with what the star was asked to have. Off by more than a
/// hundredth: a warning for people, which blames what is off, gas about the star or the atmosphere beyond
/// 1.5 radii; else empty. All ranks call it.
std::string warning_of_mass(const step::simulation& s, const single_star_asked& star);

}  // namespace rednova::problem
