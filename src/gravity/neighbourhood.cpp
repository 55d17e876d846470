#include "gravity/neighbourhood.hpp"

#include <algorithm>
#include <cstring>

namespace rednova::gravity {

namespace {

/// `count` rows of `Cells` cells from one array to another, with a stride each.
template <int Cells>
void copy_rows(double* to, int to_stride, const double* from, int from_stride, int count) {
  for (int n = 0; n < count; ++n) std::memcpy(to + n * to_stride, from + n * from_stride, Cells * sizeof(double));
}
template <int Cells>
void clear_rows(double* to, int to_stride, int count) {
  for (int n = 0; n < count; ++n) std::memset(to + n * to_stride, 0, Cells * sizeof(double));
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
    if ((full(plane) | masses(plane)) == 0) continue;
    if (slab_width(reach) == slab_widths[0]) {
      copy_plane<slab_widths[0]>(sources, plane);
    } else {
      copy_plane<slab_widths[1]>(sources, plane);
    }
  }
}

template <int Width>
void neighbourhood::copy_plane(const std::array<source_block, mesh::sides>& sources, int plane) {
  constexpr int margin = slab_margin(Width);
  const int layer = plane < 0 ? 0 : plane >= mesh::N ? 2 : 1, z = plane - (layer - 1) * mesh::N;
  for (int c = 0; c < classes; ++c) {
    double* to = values_.data() + (static_cast<int>(plane_index(plane)) * classes + c) * slab_size(numbers_, reach_);
    for (int row = -reach_; row < H + reach_; ++row, to += slab_row(numbers_, Width)) {
      const int ny = row < 0 ? 0 : row >= H ? 2 : 1, y = row - (ny - 1) * H;
      // Cells first … first + Cells - 1 of the neighbour nx in X to column x.
      const auto copy = [&]<int Cells>(int nx, int first, int x) {
        const source_block& from = sources[index(9 * layer + 3 * ny + nx)];
        const int numbers = from.values == nullptr ? 0 : from.numbers;
        if (numbers > 0) {
          const int place = (z >> from.plane_shift) * from.plane_stride + c * from.class_stride + y * H + first;
          copy_rows<Cells>(to + x, Width, from.values + place, HH, numbers);
        }
        if (numbers < numbers_) clear_rows<Cells>(to + numbers * Width + x, Width, numbers_ - numbers);
      };
      copy.template operator()<margin>(0, H - margin, 0);
      copy.template operator()<H>(1, 0, margin);
      copy.template operator()<margin>(2, 0, margin + H);
    }
  }
}

const double* neighbourhood::raw(int plane, int source_class) const {
  if ((full(plane) | masses(plane)) == 0) return zero_.data();
  return values_.data() + (static_cast<int>(plane_index(plane)) * classes + source_class) * slab_size(numbers_, reach_);
}

slab neighbourhood::fetch(int z, const stencil& by, const stencil_plane& plane, int group, int numbers) {
  const int first_class = group * by.grouped_classes();
  if (plane.folded != fold::both) {
    const double* one = raw(plane.folded == fold::above ? z + plane.c : z - plane.c, first_class);
    return {one, one};
  }
  const double *above = raw(z + plane.c, first_class), *below = raw(z - plane.c, first_class);
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
