// Small geometry that problems share: directions, periodic images, the turning grid.
#pragma once

#include <array>

#include "config/reader.hpp"
#include "core/vec3.hpp"

namespace rednova::problem {

inline core::vec3d to_vec(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }

/// `direction` made of length 1; a user_error naming `key` of [problem] and its place if it has none.
core::vec3d unit_vector(const config::input& in, const std::array<double, 3>& direction, const char* key);

/// Edges of the domain.
core::vec3d extent(const config::mesh& m);

/// A user_error unless a function of n·x with this period (0: none) fits the periodic sides of the domain.
void expect_fits(const config::input& in, const config::mesh& m, core::vec3d n, double period, const char* key);

/// A user_error unless a star's ball lies in the domain; it may reach over faces that are mirrors or periodic.
/// key: of [problem], to be changed.
void expect_star_inside(const config::input& in, const config::mesh& m, core::vec3d centre, double radius,
                        const char* key);

/// A user_error unless x lies in the domain in the first `dimensions` directions. key: of [problem].
void expect_inside(const config::input& in, const config::mesh& m, const std::array<double, 3>& x, int dimensions,
                   const char* key);

/// x - centre, moved by whole domain edges to within half an edge of 0 in the periodic directions.
core::vec3d nearest_image(const config::mesh& m, core::vec3d x, core::vec3d centre);

/// A vector turned about z by an angle: components along inertial axes from those along axes turned by the angle.
core::vec3d turned(core::vec3d a, double angle);

}  // namespace rednova::problem
