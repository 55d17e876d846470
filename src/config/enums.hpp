// What the user can choose by name.
#pragma once

#include <array>

#include "config/parameter.hpp"

namespace rednova::config {

enum class unit_system { code, solar };
enum class boundary { outflow, zero_gradient, reflecting, periodic, fixed };
enum class reconstruction { constant, plm, ppm };
enum class riemann_solver { hllc, kt };
enum class integrator { rk2, rk3 };
enum class cell_mass { smooth, point };
enum class gas_model { ideal, white_dwarf, stellar };
enum class number_precision { double_precision, single_precision };
enum class opacity_law { constant, analytic, table };
enum class followed { nothing, orbit };

template <>
struct enum_names<unit_system> {
  static constexpr std::array value{"code", "solar"};
};
template <>
struct enum_names<boundary> {
  static constexpr std::array value{"outflow", "zero_gradient", "reflecting", "periodic", "fixed"};
};
template <>
struct enum_names<reconstruction> {
  static constexpr std::array value{"constant", "plm", "ppm"};
};
template <>
struct enum_names<riemann_solver> {
  static constexpr std::array value{"hllc", "kt"};
};
template <>
struct enum_names<integrator> {
  static constexpr std::array value{"rk2", "rk3"};
};
template <>
struct enum_names<gas_model> {
  static constexpr std::array value{"ideal", "white_dwarf", "stellar"};
};
template <>
struct enum_names<number_precision> {
  static constexpr std::array value{"double", "single"};
};
template <>
struct enum_names<followed> {
  static constexpr std::array value{"nothing", "orbit"};
};
template <>
struct enum_names<opacity_law> {
  static constexpr std::array value{"constant", "analytic", "table"};
};
template <>
struct enum_names<cell_mass> {
  static constexpr std::array value{"smooth", "point"};
};

}  // namespace rednova::config
