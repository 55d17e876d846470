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

/// Rows of a slab with `count` numbers each, from three neighbours in X; `stride`: doubles from a row to the next.
template <int Width>
void copy_rows(const std::array<row_source, 3>& from, int rows, int count, double* to, int stride) {
  constexpr int margin = slab_margin(Width);
  const auto copy = [](double* t, const double* f, int cells) {
    std::memcpy(t, f, static_cast<std::size_t>(cells) * sizeof(double));
  };
  for (int row = 0; row < rows; ++row) {
    const double *left = from[0].first + row * from[0].row_stride + H - margin,
                 *middle = from[1].first + row * from[1].row_stride, *right = from[2].first + row * from[2].row_stride;
    double* t = to + row * stride;
    for (int n = 0; n < count; ++n) {
      copy(t, left, margin);
      copy(t + margin, middle, H);
      copy(t + margin + H, right, margin);
      left += from[0].number_stride;
      middle += from[1].number_stride;
      right += from[2].number_stride;
      t += Width;
    }
  }
}

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
  const int layer = plane < 0 ? 0 : plane >= mesh::N ? 2 : 1;
  const int z = plane - (layer - 1) * mesh::N, stride = slab_row(numbers_, Width);
  for (int c = 0; c < classes; ++c) {
    double* to = values_.data() + (static_cast<int>(plane_index(plane)) * classes + c) * slab_size(numbers_, reach_);
    for (int ny = 0; ny < 3; ++ny) {
      const int rows = ny == 1 ? H : reach_, y = ny == 0 ? H - reach_ : 0;
      // Numbers first … last - 1 of each cell; neighbours that have not so many give zeros.
      const auto copy = [&](int first, int last) {
        std::array<row_source, 3> from;
        for (int nx = 0; nx < 3; ++nx) {
          const source_block& b = sources[index(9 * layer + 3 * ny + nx)];
          const int place = (z >> b.plane_shift) * b.plane_stride + c * b.class_stride + first * HH + y * H;
          from[index(nx)] = b.values == nullptr || b.numbers < last ? row_source{nothing.data(), 0, 0}
                                                                    : row_source{b.values + place, HH, H};
        }
        copy_rows<Width>(from, rows, last - first, to + first * Width, stride);
      };
      copy(0, 1);
      if (numbers_ > 1) copy(1, numbers_);
      to += rows * stride;
    }
  }
}

const double* neighbourhood::raw(int plane, int source_class) const {
  if (empty(plane)) return zero_.data();
  return values_.data() + (static_cast<int>(plane_index(plane)) * classes + source_class) * slab_size(numbers_, reach_);
}

slab neighbourhood::fetch(int z, const stencil& of, const stencil_plane& plane, int group, int numbers) {
  const int first_class = group * of.grouped_classes();
  if (plane.folded != fold::both) {
    const double* one = raw(plane.folded == fold::above ? z + plane.c : z - plane.c, first_class);
    return {one, one};
  }
  const double *above = raw(z + plane.c, first_class), *below = raw(z - plane.c, first_class);
  if (empty(z - plane.c)) return {above, above};  // what is even and what is odd are both the plane above
  double *even = even_.data(), *odd = odd_.data();
  const int width = slab_width(reach_), row = slab_row(numbers_, width), first_row = reach_ - plane.rows_reach,
            rows = H + 2 * plane.rows_reach;
  for (int c = 0; c < of.grouped_classes(); ++c) {
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
