// How a configuration struct describes its own members: one visit() serves reading, checking and the manual.
#pragma once

#include <array>
#include <limits>
#include <string_view>
#include <utility>

namespace rednova::config {

/// The closed or half-open interval that a number must lie in.
struct bounds {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool lower_open = false;
};
constexpr bounds any_number() { return {}; }
constexpr bounds positive() { return {0, std::numeric_limits<double>::infinity(), true}; }
constexpr bounds not_negative() { return {0}; }
constexpr bounds between(double lower, double upper) { return {lower, upper}; }

/// Names of an enum's values, in order: specialise with `static constexpr std::array value{"a", "b"}`.
template <class Enum>
struct enum_names;

}  // namespace rednova::config
