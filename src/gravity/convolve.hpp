// The pair operators as convolutions with constant coefficients: the hot spot of the solver.
//
// For moments M of the sources at offset d:  L_a += sum_b D_(a+b)(d) M_b,  n + m <= p  (n, m: orders of a, b).
// The same loop is M2L (all orders), P2L (m = 0), M2P (n <= 1) and P2P (n <= 1, m = 0).
#pragma once

#include <array>
#include <utility>

#include "exec/tile.hpp"
#include "gravity/operator_shape.hpp"
#include "gravity/shape_part.hpp"
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

/// The sources of a pack of targets. Row: doubles from a row to the next.
template <int Row>
REDNOVA_FN exec::pack load_sources(const double* p) {
  if constexpr (W <= H) {
    return exec::load<exec::pack>(p);
  } else {
    return exec::load_rows<exec::pack>(p, p + Row);
  }
}

/// Index of the cell in a slab that is so many of a class's after its first.
constexpr int place_in_slab(int cell, int row) { return cell / H * row + cell % H; }

/// The sources of a tile of targets; p: of its first pack.
template <int Row>
REDNOVA_FN void load_tile(const double* p, std::array<exec::pack, tile_packs>& x) {
  for (int t = 0; t < tile_packs; ++t) {
    x[index(t)] = load_sources<Row>(p + place_in_slab(t * W, Row));
    exec::keep(x[index(t)]);
  }
}

/// Adds the fields of `count` offsets to some of the sums of a tile of targets: sums[pack][Part::numbers][W]. Part: of
/// a shape (shape_part).
template <class Part, class Slab>
inline void convolve(const offset* list, int count, const slab& from, const double* coefficients, double* sums_of) {
  using exec::pack;
  using tile = std::array<pack, tile_packs>;
  const auto place = [&](std::size_t s, int t) { return sums_of + (t * Part::numbers + Part::used[s]) * W; };
  std::array<tile, Part::used.size() + 1> sum;
  // Unrolled here, not by the compiler, which leaves long loops as they are, and then sums in memory.
  const auto for_sums = [&](const auto& body) __attribute__((always_inline)) {
    const auto of_packs = [&](std::size_t s) __attribute__((always_inline)) {
      for (int t = 0; t < tile_packs; ++t) body(sum[s][index(t)], place(s, t));
    };
    [&]<std::size_t... S>(std::index_sequence<S...>) __attribute__((always_inline)) { (of_packs(S), ...); }
    (std::make_index_sequence<Part::used.size()>{});
  };
  for_sums([](pack& s, const double* p) { s = exec::load<pack>(p); });
  sum.back().fill(pack(0.0));

  for (int i = 0; i < count; ++i) {
    const double* c = coefficients + list[i].coefficient;
    const std::array<const double*, 2> source{from.even + list[i].source, from.odd + list[i].source};
    tile x;
    const auto apply = [&]<std::size_t I>() __attribute__((always_inline)) {
      constexpr auto s = Part::steps[I];
      if constexpr (s.loads) {
        exec::forget(c);
        load_tile<Slab::row>(source[s.odd] + s.source * Slab::width, x);
      }
      const pack by(c[s.coefficient]);
      for (std::size_t t = 0; t < tile_packs; ++t) sum[Part::slot(s)][t] += by * x[t];
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      (apply.template operator()<I>(), ...);
    }
    (std::make_index_sequence<Part::steps.size()>{});
  }

  if constexpr (Part::second_potential)
    for (std::size_t t = 0; t < tile_packs; ++t) sum[0][t] += sum.back()[t];
  for_sums([](const pack& s, double* p) { exec::store(p, s); });
}

/// The same for `Together` classes of targets from class `first` on, which meet the same sources: each is read once for
/// all. sums[class][pack][Part::numbers][W], of which sums_of is the tile of the first class.
template <class Part, class Slab, int Together>
inline void convolve_together(const joint_offset* list, int count, const slab& from, const double* coefficients,
                              int first, double* sums_of) {
  using exec::pack;
  using tile = std::array<pack, tile_packs>;
  std::array<std::array<tile, Together>, Part::used.size()> sum;
  const auto for_sums = [&](const auto& body) {
    for (std::size_t s = 0; s < sum.size(); ++s)
      for (int of = 0; of < Together; ++of)
        for (int t = 0; t < tile_packs; ++t)
          body(sum[s][index(of)][index(t)], sums_of + ((of * packs_of_class + t) * Part::numbers + Part::used[s]) * W);
  };
  for_sums([](pack& s, const double* p) { s = exec::load<pack>(p); });
  for (int i = 0; i < count; ++i) {
    const std::array<const double*, 2> source{from.even + list[i].source, from.odd + list[i].source};
    std::array<const double*, Together> c;
    for (std::size_t of = 0; of < Together; ++of) c[of] = coefficients + list[i].coefficient[index(first) + of];
    tile x;
    const auto apply = [&]<std::size_t I>() __attribute__((always_inline)) {
      constexpr auto s = Part::steps[I];
      if constexpr (s.loads) load_tile<Slab::row>(source[s.odd] + s.source * Slab::width, x);
      for (std::size_t of = 0; of < Together; ++of) {
        const pack by(c[of][s.coefficient]);
        for (std::size_t t = 0; t < tile_packs; ++t) sum[Part::slot(s)][of][t] += by * x[t];
      }
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      (apply.template operator()<I>(), ...);
    }
    (std::make_index_sequence<Part::steps.size()>{});
  }
  for_sums([](const pack& s, double* p) { exec::store(p, s); });
}

}  // namespace rednova::gravity
