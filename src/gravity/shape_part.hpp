// The sums of a pair operator that are kept in registers together: where all are too many, it is done in parts.
#pragma once

#include <algorithm>
#include <array>

#include "gravity/operator_shape.hpp"
#include "gravity/tiles.hpp"

namespace rednova::gravity {

/// Sums of a tile that fit into the registers, beside its sources and a coefficient.
inline constexpr int sums_at_once = exec::registers >= 32 ? 28 : 12 / tile_packs;

/// How the sums of a shape are shared out to parts: those to which most sources add come first, so that few parts read
/// all sources. Parts have the same number of registers, but for the last.
template <class Shape>
struct shape_parts {
  static constexpr int all = static_cast<int>(Shape::used.size());
  /// The sums by falling number of steps.
  static constexpr auto order = [] {
    std::array<int, index(all)> steps{};
    for (const auto& s : Shape::steps) ++steps[Shape::place_of(s.sum)];
    auto sums = Shape::used;
    const auto before = [&](int a, int b) { return steps[Shape::place_of(a)] > steps[Shape::place_of(b)]; };
    for (std::size_t i = 1; i < sums.size(); ++i)
      for (std::size_t j = i; j > 0 && before(sums[j], sums[j - 1]); --j) std::swap(sums[j], sums[j - 1]);
    return sums;
  }();
  /// The potential has two registers where every source adds to it, and comes first then.
  static constexpr int registers = all + (Shape::second_potential ? 1 : 0);
  static constexpr int count = (registers + sums_at_once - 1) / sums_at_once;
  static constexpr int registers_of_part = (registers + count - 1) / count;
  /// Of the sums in `order`: the first of a part.
  static constexpr int first(int part) {
    return part == 0 ? 0 : std::min(part * registers_of_part - (Shape::second_potential ? 1 : 0), all);
  }
  template <int Part>
  static constexpr auto sums = [] {
    std::array<int, index(first(Part + 1) - first(Part))> some{};
    std::copy_n(order.begin() + first(Part), some.size(), some.begin());
    return some;
  }();
};

/// The steps of a shape that write some of its sums; members as operator_shape has them. SecondPotential: the first
/// sum, the potential, is kept in two registers.
template <class Shape, std::array Used, bool SecondPotential = false>
struct some_sums {
  static constexpr int numbers = Shape::numbers;
  static constexpr auto used = Used;
  static constexpr bool second_potential = SecondPotential;
  static constexpr std::size_t place_of(int sum) {
    return static_cast<std::size_t>(std::find(used.begin(), used.end(), sum) - used.begin());
  }
  static constexpr bool has(const typename Shape::step& s) { return place_of(s.sum) < used.size(); }
  static constexpr auto steps = [] {
    constexpr auto count = std::count_if(Shape::steps.begin(), Shape::steps.end(), has);
    std::array<typename Shape::step, index(static_cast<int>(count))> mine{};
    std::size_t n = 0;
    for (auto s : Shape::steps) {
      if (!has(s)) continue;
      s.loads = n == 0 || mine[n - 1].source != s.source || mine[n - 1].odd != s.odd;
      mine[n++] = s;
    }
    return mine;
  }();
  /// Register of a step's sum; every other source adds to the last, where there is a second potential.
  static constexpr std::size_t slot(const typename Shape::step& s) {
    return second_potential && s.sum == 0 && s.source % 2 != 0 ? used.size() : place_of(s.sum);
  }
};

/// A part of a shape, of shape_parts<Shape>::count.
template <class Shape, int Part>
using shape_part = some_sums<Shape, shape_parts<Shape>::template sums<Part>, Shape::second_potential && Part == 0>;

}  // namespace rednova::gravity
