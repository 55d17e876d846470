#include "gravity/neighbourhood.hpp"

#include <algorithm>

namespace rednova::gravity {

namespace {

/// A row of a neighbour's cells, or zeros.
void copy_row(double* to, const double* from) {
  if (from != nullptr) {
    for (int x = 0; x < H; ++x) to[x] = from[x];
  } else {
    for (int x = 0; x < H; ++x) to[x] = 0;
  }
}

}  // namespace

void neighbourhood::gather(const std::array<source_block, mesh::sides>& sources, int numbers, int reach) {
  numbers_ = numbers;
  reach_ = reach;
  const int planes = mesh::N + 4 * reach;
  const auto slab_doubles = static_cast<std::size_t>(slab_size(numbers, reach));
  values_.resize(std::max(values_.size(), static_cast<std::size_t>(planes * classes) * slab_doubles));
  for (auto* a : {&zero_, &even_, &odd_}) a->resize(std::max(a->size(), classes * slab_doubles));
  full_.assign(static_cast<std::size_t>(planes), 0);
  masses_.assign(static_cast<std::size_t>(planes), 0);
  for (int plane = -2 * reach; plane < mesh::N + 2 * reach; ++plane) {
    const int layer = plane < 0 ? 0 : plane >= mesh::N ? 2 : 1;
    for (int s = 0; s < 9; ++s) {
      const source_block& from = sources[static_cast<std::size_t>(9 * layer + s)];
      if (from.values == nullptr) continue;
      (from.numbers == numbers ? full_ : masses_)[index(plane)] |= 1 << s;
    }
    if ((full(plane) | masses(plane)) != 0) copy_plane(sources, plane);
  }
}

void neighbourhood::copy_plane(const std::array<source_block, mesh::sides>& sources, int plane) {
  const int layer = plane < 0 ? 0 : plane >= mesh::N ? 2 : 1, z = plane - (layer - 1) * mesh::N;
  for (int c = 0; c < classes; ++c) {
    double* to = values_.data() + (static_cast<int>(index(plane)) * classes + c) * slab_size(numbers_, reach_);
    for (int row = -reach_; row < H + reach_; ++row, to += slab_row(numbers_)) {
      const int ny = row < 0 ? 0 : row >= H ? 2 : 1, y = row - (ny - 1) * H;
      for (int nx = 0; nx < 3; ++nx) {
        const source_block& from = sources[static_cast<std::size_t>(9 * layer + 3 * ny + nx)];
        const double* cells = from.values == nullptr ? nullptr
                                                     : from.values + (z >> from.plane_shift) * from.plane_stride +
                                                           c * from.class_stride + y * H;
        for (int n = 0; n < numbers_; ++n) {
          copy_row(to + n * slab_width + nx * H, n < from.numbers ? cells + n * HH : nullptr);
        }
      }
    }
  }
}

const double* neighbourhood::raw(int plane, int source_class) const {
  if ((full(plane) | masses(plane)) == 0) return zero_.data();
  return values_.data() + (static_cast<int>(index(plane)) * classes + source_class) * slab_size(numbers_, reach_);
}

slab neighbourhood::fetch(int z, const stencil& by, const stencil_plane& plane, int group, int numbers) {
  const int row = slab_row(numbers_), first_class = group * by.grouped_classes();
  if (plane.folded != fold::both) {
    const double* one = raw(plane.folded == fold::above ? z + plane.c : z - plane.c, first_class);
    return {one, one, row};
  }
  const double *above = raw(z + plane.c, first_class), *below = raw(z - plane.c, first_class);
  double *even = even_.data(), *odd = odd_.data();
  for (int c = 0; c < by.grouped_classes(); ++c) {
    for (int r = reach_ - plane.rows_reach; r < reach_ + H + plane.rows_reach; ++r) {
      const int first = c * slab_size(numbers_, reach_) + r * row;
      for (int i = first; i < first + numbers * slab_width; ++i) {
        even[i] = above[i] + below[i];
        odd[i] = above[i] - below[i];
      }
    }
  }
  return {even, odd, row};
}

}  // namespace rednova::gravity
