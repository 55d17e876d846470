#include "gravity/interactions.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "core/check.hpp"
#include "gravity/finish.hpp"

namespace rednova::gravity {

namespace {

using exec::pack;

/// Sums of a plane of targets: [class][pack][Shape::numbers][W].
template <class Shape>
using plane_sums = std::array<double, index(classes* HH* Shape::numbers)>;

/// Offsets whose sources touch a wanted neighbour and no unwanted one, for a tile of targets.
template <class Offset>
class selection {
 public:
  std::span<const Offset> of(const list_of<Offset>& list, int tile, int wanted, int unwanted) {
    const int column = list.column[index(tile)];
    if ((unwanted & column) == column) return {};
    if ((wanted & column) == column && unwanted == 0) return list.offsets;
    picked_.resize(std::max(picked_.size(), list.offsets.size()));
    const std::uint16_t* touch = list.touch[index(tile)].data();
    std::size_t n = 0;
    for (std::size_t i = 0; i < list.offsets.size(); ++i) {
      picked_[n] = list.offsets[i];
      n += (touch[i] & wanted) != 0 && (touch[i] & unwanted) == 0 ? 1 : 0;
    }
    return {picked_.data(), n};
  }

 private:
  std::vector<Offset> picked_;
};

/// The neighbours with sources that a plane of offsets reads.
template <class Mask>
int mask_of(const stencil_plane& plane, int z, const Mask& mask) {
  const int above = plane.folded != fold::below ? mask(z + plane.c) : 0;
  return above | (plane.folded != fold::above ? mask(z - plane.c) : 0);
}

/// Calls run<slab_shape<Numbers, width>>() for the width of a stencil's slabs.
template <int Numbers, class Run>
void for_width(const stencil& of, const Run& run) {
  if (of.width() == slab_widths[0]) {
    run.template operator()<slab_shape<Numbers, slab_widths[0]>>();
  } else {
    run.template operator()<slab_shape<Numbers, slab_widths[1]>>();
  }
}

/// Adds the contributions of the chosen offsets of a list to all tiles of a class.
template <class Slab, class Shape>
void apply(const offset_list& list, const stencil& of, const slab& from, int wanted, int unwanted, double* sums_of) {
  thread_local selection<offset> chosen;
  for (int tile = 0; tile < tiles; ++tile) {
    const std::span<const offset> offsets = chosen.of(list, tile, wanted, unwanted);
    if (offsets.empty()) continue;
    const int start = place_in_slab(tile * tile_cells, Slab::row);
    const slab here{from.even + start, from.odd + start};
    [&]<int... Part>(std::integer_sequence<int, Part...>) {
      (convolve<shape_part<Shape, Part>, Slab>(offsets.data(), static_cast<int>(offsets.size()), here,
                                               of.coefficients(), sums_of + tile * Shape::numbers * tile_cells),
       ...);
    }
    (std::make_integer_sequence<int, shape_parts<Shape>::count>{});
  }
}

/// Adds the sums of a plane of targets to its fields.
template <class Shape>
void add_sums(const plane_sums<Shape>& sum, int z, double* fields) {
  for (int ct = 0; ct < classes * packs_of_class; ++ct) {
    for (int n = 0; n < Shape::numbers; ++n) {
      double* to = fields + ((z * classes + ct / packs_of_class) * Shape::numbers + n) * HH + ct % packs_of_class * W;
      exec::store(to, exec::load<pack>(to) + exec::load<pack>(sum.data() + (ct * Shape::numbers + n) * W));
    }
  }
}

/// Adds some of the sums of a tile by P2P, so many classes of targets at once.
template <class Part, class Slab, int Together>
void add_together(std::span<const joint_offset> offsets, const slab& from, const stencil& near, double* sums_of) {
  for (int t = 0; t < classes; t += Together) {
    convolve_together<Part, Slab, Together>(offsets.data(), static_cast<int>(offsets.size()), from, near.coefficients(),
                                            t, sums_of + t * HH * Part::numbers);
  }
}

/// Adds potential and gradient of one plane of targets by P2P: all classes of targets interact with the same sources.
template <class Slab>
void add_points(neighbourhood& from, const stencil& near, int z, double* fields) {
  using shape = operator_shape<1, 0, 1, 0, sums::plain>;
  // What the planes' sum gives, and their difference.
  using even = some_sums<shape, std::array{0, basis_index({1, 0, 0}), basis_index({0, 1, 0})}>;
  using odd = some_sums<shape, std::array{basis_index({0, 0, 1})}>;
  thread_local selection<joint_offset> chosen;
  plane_sums<shape> sum{};
  for (const stencil_plane& plane : near.planes(z & 1)) {
    const int wanted = mask_of(plane, z, [&](int k) { return from.full(k); });
    if (wanted == 0) continue;
    const slab sources = from.fetch(z, near, plane, 0, 1);
    for (int tile = 0; tile < tiles; ++tile) {
      const std::span<const joint_offset> offsets = chosen.of(plane.joint, tile, wanted, 0);
      const int start = place_in_slab(tile * tile_cells, Slab::row);
      const slab here{sources.even + start, sources.odd + start};
      double* to = sum.data() + tile * tile_cells * shape::numbers;
      if constexpr (exec::registers >= 32) {
        add_together<shape_part<shape, 0>, Slab, classes>(offsets, here, near, to);
      } else {
        add_together<even, Slab, 2>(offsets, here, near, to);
        add_together<odd, Slab, classes>(offsets, here, near, to);
      }
    }
  }
  add_sums<shape>(sum, z, fields);
}

/// Adds potential and gradient of one plane of targets by M2P.
template <class Shape, class Slab>
void add_fields(neighbourhood& from, const stencil& far, int z, double* fields) {
  plane_sums<Shape> sum{};
  for (const stencil_plane& plane : far.planes(z & 1)) {
    const int wanted = mask_of(plane, z, [&](int k) { return from.full(k); });
    if (wanted == 0) continue;
    for (int group = 0; group < static_cast<int>(plane.lists.size()); ++group) {
      const slab sources = from.fetch(z, far, plane, group, basis_size(Shape::source_order));
      for (int t = 0; t < classes; ++t) {
        const offset_list& list = plane.lists[index(group)][index(t)];
        apply<Slab, Shape>(list, far, sources, wanted, 0, sum.data() + t * HH * Shape::numbers);
      }
    }
  }
  add_sums<Shape>(sum, z, fields);
}

template <int P>
class far_kernels_of final : public far_kernels {
 public:
  explicit far_kernels_of(const operators& ops) : ops_(ops) {}

  void m2l(neighbourhood& from, const stencil& far, const double* moments, double* expansions,
           double* torque) const override {
    const rotations turns(ops_);
    for (int z = 0; z < mesh::N; ++z) {
      plane_sums<whole> sum{};
      for (const stencil_plane& plane : far.planes(z & 1)) {
        const int full = mask_of(plane, z, [&](int k) { return from.full(k); });
        const int masses = mask_of(plane, z, [&](int k) { return from.masses(k); });
        if ((full | masses) == 0) continue;
        for_width<numbers>(far, [&]<class Slab>() { add_plane<Slab>(from, far, plane, z, full, masses, sum.data()); });
      }
      for (int ct = 0; ct < classes * packs_of_class; ++ct) {
        const int first = (z * classes + ct / packs_of_class) * HH, in_class = ct % packs_of_class * W;
        finish<P, pack>(sum.data() + ct * whole::numbers * W, W, turns, moments + first * numbers + in_class,
                        expansions + first * numbers + in_class, torque + first * 3 + in_class);
      }
    }
  }

  void m2p(neighbourhood& from, const stencil& far, double* fields) const override {
    for_width<numbers>(far, [&]<class Slab>() {
      for (int z = 0; z < mesh::N; ++z) {
        add_fields<operator_shape<P, 0, 1, P, sums::plain>, Slab>(from, far, z, fields);
      }
    });
  }

 private:
  static constexpr int numbers = basis_size(P);
  using whole = operator_shape<P, 0, P, P, sums::split>;
  using of_masses = operator_shape<P, 0, P, 0, sums::split>;

  /// M2L where sources have multipoles, P2L where they are point masses.
  template <class Slab>
  static void add_plane(neighbourhood& from, const stencil& far, const stencil_plane& plane, int z, int full,
                        int masses, double* sum) {
    for (int group = 0; group < static_cast<int>(plane.lists.size()); ++group) {
      const slab sources = from.fetch(z, far, plane, group, full != 0 ? numbers : 1);
      for (int t = 0; t < classes; ++t) {
        const offset_list& list = plane.lists[index(group)][index(t)];
        double* to = sum + t * HH * whole::numbers;
        if (full != 0) apply<Slab, whole>(list, far, sources, full, 0, to);
        if (masses != 0) apply<Slab, of_masses>(list, far, sources, masses, full, to);
      }
    }
  }

  const operators& ops_;
};

}  // namespace

void p2p(neighbourhood& from, const stencil& near, double* fields) {
  std::fill(fields, fields + block_size(4), 0.0);
  for_width<1>(near, [&]<class Slab>() {
    for (int z = 0; z < mesh::N; ++z) add_points<Slab>(from, near, z, fields);
  });
}

std::unique_ptr<far_kernels> make_far_kernels(const operators& ops) {
  EXPECT(ops.order >= 3 && ops.order <= 5);
  if (ops.order == 3) return std::make_unique<far_kernels_of<3>>(ops);
  if (ops.order == 4) return std::make_unique<far_kernels_of<4>>(ops);
  return std::make_unique<far_kernels_of<5>>(ops);
}

}  // namespace rednova::gravity
