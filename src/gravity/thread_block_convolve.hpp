// The pair operators for a device (convolve.hpp is the processor's): a block of threads works on a block.
//
// The sources of one class of parities stand in shared memory, so a warp's 32 parents read 32 different ones with the
// same coefficients; the sums of a parent's children stay in registers until all sources are done.
#pragma once

#include <bit>
#include <utility>

#include "exec/thread_block.hpp"
#include "gravity/operator_shape.hpp"
#include "gravity/records.hpp"
#include "gravity/source_block.hpp"
#include "mesh/block.hpp"

namespace rednova::gravity {

/// What becomes of the numbers that are there already.
enum class write_mode { set, add };

/// Shape: the operators (operator_shape). Together: children of a parent, Parents: parents, that a thread holds; the
/// parents of a thread share coefficients, its children sources.
template <class Shape, int Reach, int Together, int Parents, int TeamsAtOnce>
struct thread_block_convolve {
  static constexpr int thread_blocks_at_once = TeamsAtOnce;
  static constexpr int groups = parities / Together;
  static constexpr int warps = groups * 2 / Parents;
  static constexpr int threads = warps * exec::warp;
  static_assert(threads * Parents == groups * H * HH, "a warp holds half or all of a block's 4³ parents");

  using stage = stage_shape<Reach>;
  static constexpr int numbers = basis_size(Shape::source_order);  ///< of a source that take part
  /// Sources with more numbers are staged in parts: with these 3³ more parents still fit into 227 KiB.
  static constexpr int most_staged = Reach == 2 ? 36 : 25;
  static constexpr int staged = numbers < most_staged ? numbers : most_staged;
  static constexpr int parts = (numbers + staged - 1) / staged;

  static constexpr int coefficients_of_target = coefficients(Shape::p);
  static constexpr int record = record_size(Together, coefficients_of_target);
  /// Records that a warp reads ahead at once: short ones in company, so that each lane has something to load.
  static constexpr int ahead = record >= 32 ? 1 : 4;
  static constexpr int loads = (ahead * record + exec::warp - 1) / exec::warp;
  static constexpr int buffer = loads * exec::warp;
  static_assert((ahead - 1) * record + buffer <= records::read_ahead * record);
  /// Doubles of shared memory.
  static constexpr int memory = staged * stage::size + warps * 2 * buffer;

  const source_block* sources;  ///< [block][mesh::sides]
  const records::span* ranges;
  const double* values;
  double* sums;  ///< [block] of Shape::numbers, as in layout.hpp
  write_mode mode;

  static constexpr std::size_t registers = Shape::used.size();
  using accumulators = double[registers][Together][Parents];

  REDNOVA_THREAD_BLOCK_FN void operator()(const exec::thread_block& thread_block, int block) const {
    const int w = thread_block.thread() / exec::warp, lane = thread_block.thread() % exec::warp;
    const int group = w / (2 / Parents), half = w % (2 / Parents);
    // X and Z in a half-warp, Y in its number: see stage_shape::plane.
    const int x = lane % H, z = lane / H % H, y = lane / HH + 2 * half;
    double* buffers = thread_block.memory + staged * stage::size + w * 2 * buffer;
    accumulators sum = {};
    for (int source_class = 0; source_class < parities; ++source_class) {
      [&]<int... Part>(std::integer_sequence<int, Part...>) {
        (one_part<Part>(thread_block, block, source_class, group, stage::lane(x, y, z), buffers, sum), ...);
      }
      (std::make_integer_sequence<int, parts>{});
    }
    write(block, group, x, y, z, sum);
  }

 private:
  /// Numbers first = Part * staged … of the sources of a class: to shared memory, and from there to the sums.
  template <int Part>
  REDNOVA_THREAD_BLOCK_FN void one_part(const exec::thread_block& thread_block, int block, int source_class, int group,
                                        int lane_place, double* buffers, accumulators& sum) const {
    constexpr int first = Part * staged, last = first + staged < numbers ? first + staged : numbers;
    thread_block.sync();
    fill_stage(thread_block, block, source_class, first, last);
    thread_block.sync();
    const double* here = thread_block.memory + lane_place;
    run<true, first, last>(thread_block, ranges[records::range(group, source_class, 1)], here, buffers, sum);
    run<false, first, last>(thread_block, ranges[records::range(group, source_class, 0)], here, buffers, sum);
  }

  REDNOVA_THREAD_BLOCK_FN void fill_stage(const exec::thread_block& thread_block, int block, int source_class,
                                          int first, int last) const {
    constexpr int edge = stage::edge;
    for (int i = thread_block.thread(); i < edge * edge * edge; i += threads) {
      const int x = i % edge - Reach, y = i / edge % edge - Reach, z = i / (edge * edge) - Reach;
      const int nx = neighbour(x), ny = neighbour(y), nz = neighbour(z);
      const source_block from = sources[block * mesh::sides + mesh::side(nx, ny, nz)];
      const int plane = (2 * (z - H * nz) + (source_class >> 2)) >> from.plane_shift;
      const int cell =
          plane * from.plane_stride + (source_class & 3) * from.class_stride + (y - H * ny) * H + x - H * nx;
      double* to = thread_block.memory + stage::source(x, y, z);
      for (int n = first; n < last; ++n) {
        to[(n - first) * stage::size] = n < from.numbers ? from.values[cell + n * HH] : 0.0;
      }
    }
  }
  REDNOVA_THREAD_BLOCK_FN static int neighbour(int parent) { return parent < 0 ? -1 : parent >= H ? 1 : 0; }

  /// Adds what the records of a range do. While a warp works on some it loads the next.
  template <bool Folded, int First, int Last>
  REDNOVA_THREAD_BLOCK_FN void run(const exec::thread_block& thread_block, records::span range, const double* here,
                                   double* buffers, accumulators& sum) const {
    const int lane = thread_block.thread() % exec::warp;
    const double* from = values + range.first * record + lane;
    double next[loads];
    const auto fetch = [&] {
      for (int l = 0; l < loads; ++l) next[l] = from[l * exec::warp];
      from += ahead * record;
    };
    const auto keep = [&](double* to) {
      for (int l = 0; l < loads; ++l) to[l * exec::warp + lane] = next[l];
      thread_block.sync_warp();
    };
    if (range.count == 0) return;
    fetch();
    // The last reader of this buffer may still be at a record of the range before.
    thread_block.sync_warp();
    keep(buffers);
    for (int i = 0, which = 0; i < range.count; i += ahead, which ^= 1) {
      fetch();
      const double* at = buffers + which * buffer;
      for (int r = i; r < range.count && r < i + ahead; ++r, at += record) apply<Folded, First, Last>(at, here, sum);
      keep(buffers + (which ^ 1) * buffer);
    }
  }

  /// All multiply-adds of a record for the numbers First … Last-1 of its sources.
  template <bool Folded, int First, int Last>
  REDNOVA_THREAD_BLOCK_FN static void apply(const double* at, const double* here, accumulators& sum) {
    const auto places = std::bit_cast<record_header>(*at);
    const double *above = here + places.above, *below = here + places.below;
    double x[Parents];
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (step<Folded, First, Last, I>(at + 1, above, below, x, sum), ...);
    }
    (std::make_index_sequence<Shape::steps.size()>{});
  }

  template <bool Folded, int First, int Last, std::size_t I>
  REDNOVA_THREAD_BLOCK_FN static void step(const double* c, const double* above, const double* below, double* x,
                                           accumulators& sum) {
    constexpr auto s = Shape::steps[I];
    if constexpr (s.source >= First && s.source < Last) {
      if constexpr (s.loads) {
        for (int p = 0; p < Parents; ++p) {
          // A thread's second parent lies two rows further.
          constexpr int number = (s.source - First) * stage::size;
          const int place = number + p * 2 * stage::edge;
          const double a = above[place];
          x[p] = !Folded ? a : s.odd != 0 ? a - below[place] : a + below[place];
        }
      }
      constexpr std::size_t slot = Shape::place_of(s.sum);
      for (int t = 0; t < Together; ++t) {
        for (int p = 0; p < Parents; ++p) sum[slot][t][p] += c[t * coefficients_of_target + s.coefficient] * x[p];
      }
    }
  }

  REDNOVA_THREAD_BLOCK_FN void write(int block, int group, int x, int y, int z, const accumulators& sum) const {
    double* to = sums + static_cast<std::size_t>(block) * block_size(Shape::numbers);
    // Registers have no addresses: all that numbers them must be known to the compiler.
    [&]<int... T>(std::integer_sequence<int, T...>) {
      const auto child = [&]<int t>() {
        const int target = group * Together + t;
        double* cell = to + ((2 * z + (target >> 2)) * classes + (target & 3)) * Shape::numbers * HH + y * H + x;
        for (int p = 0; p < Parents; ++p) write_cell<t>(cell + p * 2 * H, p, sum);
      };
      (child.template operator()<T>(), ...);
    }
    (std::make_integer_sequence<int, Together>{});
  }
  template <int t>
  REDNOVA_THREAD_BLOCK_FN void write_cell(double* cell, int p, const accumulators& sum) const {
    [&]<std::size_t... S>(std::index_sequence<S...>) {
      const auto one = [&]<std::size_t s>() {
        constexpr int number = Shape::used[s] * HH;
        cell[number] = mode == write_mode::add ? cell[number] + sum[s][t][p] : sum[s][t][p];
      };
      (one.template operator()<S>(), ...);
    }
    (std::make_index_sequence<registers>{});
  }
};

}  // namespace rednova::gravity
