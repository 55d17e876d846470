// The pair operators as convolutions with constant coefficients: the hot spot of the solver.
//
// For moments M of the sources at offset d:  L_a += sum_b D_(a+b)(d) M_b,  n + m <= p  (n, m: orders of a, b).
// The same loop is M2L (all orders), P2L (m = 0), M2P (n <= 1) and P2P (n <= 1, m = 0).
#pragma once

#include <array>
#include <utility>

#include "exec/tile.hpp"
#include "gravity/operator_shape.hpp"
#include "gravity/stencil.hpp"
#include "gravity/tiles.hpp"

namespace rednova::gravity {

/// Source planes: those even and odd in z, for one class; the same plane twice if it is not folded.
struct slab {
  const double* even;
  const double* odd;
};

/// What the compiler knows of a slab, so that addresses are constants: the numbers of each cell and the cells of a row.
template <int Numbers, int Width>
struct slab_shape {
  static constexpr int width = Width;
  static constexpr int row = slab_row(Numbers, Width);  ///< doubles from a row to the next
};

/// The sources of a tile of targets. Row: doubles from a row to the next.
template <int Row>
REDNOVA_FN exec::pack load_tile(const double* p) {
  if constexpr (W <= H) {
    return exec::load<exec::pack>(p);
  } else {
    return exec::load_rows<exec::pack>(p, p + Row);
  }
}

/// Index of a tile's first cell in a slab, relative to the first tile's.
constexpr int tile_start(int tile, int row) { return tile * W / H * row + tile * W % H; }

/// Adds the fields of `count` offsets to the sums of a tile of targets: sums[Shape::numbers][W].
template <class Shape, class Slab>
inline void convolve(const offset* list, int count, const slab& from, const double* coefficients, double* sums_of) {
  using exec::pack;
  constexpr auto each_sum = std::make_index_sequence<Shape::used.size()>{};
  std::array<pack, Shape::used.size() + 1> sum;
  [&]<std::size_t... S>(std::index_sequence<S...>) { ((sum[S] = exec::load<pack>(sums_of + Shape::used[S] * W)), ...); }
  (each_sum);
  sum.back() = pack(0.0);

  for (int i = 0; i < count; ++i) {
    const double* c = coefficients + list[i].coefficient;
    const std::array<const double*, 2> source{from.even + list[i].source, from.odd + list[i].source};
    pack x;
    const auto apply = [&]<std::size_t I>() __attribute__((always_inline)) {
      constexpr auto s = Shape::steps[I];
      if constexpr (s.loads) {
        exec::forget(c);
        x = load_tile<Slab::row>(source[s.odd] + s.source * Slab::width);
      }
      sum[Shape::slot(s)] += pack(c[s.coefficient]) * x;
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      (apply.template operator()<I>(), ...);
    }
    (std::make_index_sequence<Shape::steps.size()>{});
  }

  if constexpr (Shape::second_potential) sum[0] += sum.back();
  [&]<std::size_t... S>(std::index_sequence<S...>) { (exec::store(sums_of + Shape::used[S] * W, sum[S]), ...); }
  (each_sum);
}

/// The same for one tile of `Together` classes of targets from class `first` on, which meet the same sources: each is
/// read once for all. sums[class][tile][Shape::numbers][W], of which sums_of is the first class's tile.
template <class Shape, class Slab, int Together>
inline void convolve_together(const joint_offset* list, int count, const slab& from, const double* coefficients,
                              int first, double* sums_of) {
  using exec::pack;
  const auto sum_at = [&](std::size_t t, std::size_t n) {
    return sums_of + (t * tiles * index(Shape::numbers) + n) * W;
  };
  std::array<std::array<pack, Together>, Shape::numbers> sum;
  for (std::size_t n = 0; n < sum.size(); ++n) {
    for (std::size_t t = 0; t < Together; ++t) sum[n][t] = exec::load<pack>(sum_at(t, n));
  }
  for (int i = 0; i < count; ++i) {
    const std::array<const double*, 2> source{from.even + list[i].source, from.odd + list[i].source};
    std::array<const double*, Together> c;
    for (std::size_t t = 0; t < Together; ++t) c[t] = coefficients + list[i].coefficient[index(first) + t];
    pack x;
    const auto apply = [&]<std::size_t I, std::size_t... T>(std::index_sequence<T...>) __attribute__((always_inline)) {
      constexpr auto s = Shape::steps[I];
      if constexpr (s.loads) x = load_tile<Slab::row>(source[s.odd] + s.source * Slab::width);
      ((sum[index(s.sum)][T] += pack(c[T][s.coefficient]) * x), ...);
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      (apply.template operator()<I>(std::make_index_sequence<Together>{}), ...);
    }
    (std::make_index_sequence<Shape::steps.size()>{});
  }
  for (std::size_t n = 0; n < sum.size(); ++n) {
    for (std::size_t t = 0; t < Together; ++t) exec::store(sum_at(t, n), sum[n][t]);
  }
}

}  // namespace rednova::gravity
