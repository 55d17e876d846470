#include "gravity/neighbourhood.hpp"

#include <algorithm>
#include <cstring>

namespace rednova::gravity {

namespace {

/// Where a row of a neighbour's cells is read from: its first number, doubles to the next number and to the next row.
struct row_source {
  const double* first;
  int number_stride, row_stride;
};
constexpr std::array<double, index(H)> nothing{};

/// even = above + below, odd = above - below, for `count` doubles.
void add_and_subtract(const double* above, const double* below, int count, double* even, double* odd) {
  using exec::pack;
  int i = 0;
  for (; i + W <= count; i += W) {
    const pack a = exec::load<pack>(above + i), b = exec::load<pack>(below + i);
    exec::store(even + i, a + b);
    exec::store(odd + i, a - b);
  }
  for (; i < count; ++i) {
    even[i] = above[i] + below[i];
    odd[i] = above[i] - below[i];
  }
}

}  // namespace

void neighbourhood::gather(const std::array<source_block, mesh::sides>& sources, int numbers, int reach) {
  numbers_ = numbers;
  reach_ = reach;
  const int planes = mesh::N + 4 * reach;
  const auto slab_doubles = index(slab_size(numbers, reach));
  values_.resize(std::max(values_.size(), index(planes * classes) * slab_doubles));
  for (auto* a : {&zero_, &even_, &odd_}) a->resize(std::max(a->size(), classes * slab_doubles));
  full_.assign(index(planes), 0);
  masses_.assign(index(planes), 0);
  for (int plane = -2 * reach; plane < mesh::N + 2 * reach; ++plane) {
    const int layer = plane < 0 ? 0 : plane >= mesh::N ? 2 : 1;
    for (int s = 0; s < 9; ++s) {
      const source_block& from = sources[index(9 * layer + s)];
      if (from.values == nullptr) continue;
      (from.numbers == numbers ? full_ : masses_)[plane_index(plane)] |= 1 << s;
    }
    if (empty(plane)) continue;
    if (slab_width(reach) == slab_widths[0]) {
      copy_plane<slab_widths[0]>(sources, plane);
    } else {
      copy_plane<slab_widths[1]>(sources, plane);
    }
  }
}

template <int Width>
void neighbourhood::copy_plane(const std::array<source_block, mesh::sides>& sources, int plane) {
  const int layer = plane < 0 ? 0 : plane >= mesh::N ? 2 : 1, z = plane - (layer - 1) * mesh::N;
  for (int c = 0; c < classes; ++c) {
    double* to = values_.data() + (static_cast<int>(plane_index(plane)) * classes + c) * slab_size(numbers_, reach_);
    for (int ny = 0; ny < 3; ++ny) {
      const int rows = ny == 1 ? H : reach_, y = ny == 0 ? H - reach_ : 0;
      const source_block* from = &sources[index(9 * layer + 3 * ny)];
      copy_rows<Width>(from, z, c, y, rows, 0, 1, to);
      if (numbers_ > 1) copy_rows<Width>(from, z, c, y, rows, 1, numbers_, to);
      to += rows * slab_row(numbers_, Width);
    }
  }
}

template <int Width>
void neighbourhood::copy_rows(const source_block* from, int z, int c, int y, int rows, int first, int last,
                              double* to) const {
  constexpr int margin = slab_margin(Width);
  std::array<row_source, 3> at;
  for (std::size_t nx = 0; nx < 3; ++nx) {
    const source_block& b = from[nx];
    const int place = (z >> b.plane_shift) * b.plane_stride + c * b.class_stride + first * HH + y * H;
    at[nx] = b.values == nullptr || b.numbers < last ? row_source{nothing.data(), 0, 0}
                                                     : row_source{b.values + place, HH, H};
  }
  for (int n = first; n < last; ++n) {
    for (int row = 0; row < rows; ++row) {
      const auto copy = [&]<int Cells>(const row_source& r, int cell, int x) {
        std::memcpy(to + row * slab_row(numbers_, Width) + n * Width + x,
                    r.first + (n - first) * r.number_stride + row * r.row_stride + cell, Cells * sizeof(double));
      };
      copy.template operator()<margin>(at[0], H - margin, 0);
      copy.template operator()<H>(at[1], 0, margin);
      copy.template operator()<margin>(at[2], 0, margin + H);
    }
  }
}

const double* neighbourhood::raw(int plane, int source_class) const {
  if (empty(plane)) return zero_.data();
  return values_.data() + (static_cast<int>(plane_index(plane)) * classes + source_class) * slab_size(numbers_, reach_);
}

slab neighbourhood::fetch(int z, const stencil& by, const stencil_plane& plane, int group, int numbers) {
  const int first_class = group * by.grouped_classes();
  if (plane.folded != fold::both) {
    const double* one = raw(plane.folded == fold::above ? z + plane.c : z - plane.c, first_class);
    return {one, one};
  }
  const double *above = raw(z + plane.c, first_class), *below = raw(z - plane.c, first_class);
  if (empty(z - plane.c)) return {above, above};
  double *even = even_.data(), *odd = odd_.data();
  const int width = slab_width(reach_), row = slab_row(numbers_, width), first_row = reach_ - plane.rows_reach,
            rows = H + 2 * plane.rows_reach;
  for (int c = 0; c < by.grouped_classes(); ++c) {
    const int first = c * slab_size(numbers_, reach_) + first_row * row;
    if (numbers == numbers_) {  // the rows follow each other
      add_and_subtract(above + first, below + first, rows * row, even + first, odd + first);
    } else {
      for (int r = first; r < first + rows * row; r += row) {
        add_and_subtract(above + r, below + r, numbers * width, even + r, odd + r);
      }
    }
  }
  return {even, odd};
}

}  // namespace rednova::gravity
