#include "gravity/stencil.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/check.hpp"
#include "gravity/basis.hpp"
#include "gravity/operators.hpp"

namespace rednova::gravity {

namespace {

/// Largest fine offset in each direction; offsets are numbered in a cube of this half width.
constexpr int widest = mesh::N - 1;
constexpr int span = 2 * widest + 1;

/// Bit of the neighbour in x and y (-1, 0, 1) within the plane.
constexpr int neighbour_bit(int x, int y) { return 1 << (3 * (y + 1) + x + 1); }

/// Neighbours that the sources of a tile of targets lie in, at parent offset (x, y).
int touched(int tile, int x, int y) {
  int bits = 0;
  for (int row = tile * tile_cells / H; row <= ((tile + 1) * tile_cells - 1) / H; ++row) {
    const int source_row = row + y, ny = source_row < 0 ? -1 : source_row >= H ? 1 : 0;
    bits |= neighbour_bit(0, ny);
    if (x != 0) bits |= neighbour_bit(x < 0 ? -1 : 1, ny);
  }
  return bits;
}

/// Adds an offset with sources that touch those neighbours, one entry for each tile.
template <class Offset>
void add(list_of<Offset>& to, const Offset& o, const std::array<int, tiles>& touch) {
  constexpr int column = neighbour_bit(0, -1) | neighbour_bit(0, 0) | neighbour_bit(0, 1);
  to.offsets.push_back(o);
  for (std::size_t tile = 0; tile < touch.size(); ++tile) {
    to.touch[tile].push_back(static_cast<std::uint16_t>(touch[tile]));
    to.column[tile] |= touch[tile] & column;
  }
}

template <class Offset>
std::size_t bytes_of(const list_of<Offset>& list) {
  return list.offsets.size() * (sizeof(Offset) + tiles * sizeof(list.touch[0][0]));
}

}  // namespace

stencil::stencil(int p, int near_radius_squared, pairs which, place where, int numbers, double more_at_faces)
    : p_(p),
      near2_(near_radius_squared),
      reach_(where == place::root ? H - 1 : static_cast<int>(std::sqrt(near_radius_squared))),
      numbers_(numbers),
      more_at_faces_(more_at_faces),
      which_(which),
      where_(where),
      known_(index(span * span * span), -1) {
  EXPECT(near_radius_squared >= 3);  // cells that touch are near
  EXPECT(reach_ < H);
  coefficients_.assign(index(gravity::coefficients(p)), 0.0);  // of a cell with itself
  for (int parity = 0; parity < 2; ++parity) {
    for (int c = 0; c <= 2 * reach_ + 1; ++c) {
      if (c > 0) add_plane(parity, c, fold::both);
      add_plane(parity, c, fold::above);
      if (c > 0) add_plane(parity, c, fold::below);
    }
  }
}

bool stencil::parents_meet(int x, int y, int z) const {
  if (where_ == place::root) return std::abs(x) <= reach_ && std::abs(y) <= reach_ && std::abs(z) <= reach_;
  return x * x + y * y + z * z <= near2_;
}

void stencil::add_plane(int parity, int c, fold folded) {
  const int z = folded == fold::below ? -c : c;
  stencil_plane plane{.c = c, .folded = folded, .rows_reach = -1, .lists = {}, .joint = {}};
  plane.lists.resize(index(classes / grouped_classes()));
  // A slab keeps `reach` rows before the block's own.
  const auto slab_place = [&](int source_class, int x, int y) {
    const int in_group = source_class % grouped_classes();
    return in_group * slab_size(numbers_, reach_) + (y + reach_) * slab_row(numbers_, width()) + x +
           slab_margin(width());
  };
  const auto list = [&](int sx, int sy, int tx, int ty, int x,
                        int y) {  // parities of source and target, parents' offset
    const int dx = 2 * x + sx - tx, dy = 2 * y + sy - ty;
    const bool above = parents_meet(x, y, (c + parity) >> 1), below = c > 0 && parents_meet(x, y, (-c + parity) >> 1);
    const bool meets = folded == fold::both    ? above && below
                       : folded == fold::above ? above && !below
                                               : below && !above;
    const int d2 = dx * dx + dy * dy + c * c;
    if (!meets || d2 == 0 || (which_ == pairs::far && d2 <= near2_)) return;
    std::int32_t& place = known_[index(((z + widest) * span + dy + widest) * span + dx + widest)];
    if (place < 0) {
      place = static_cast<std::int32_t>(coefficients_.size());
      for (double value : derivatives(p_, {-1.0 * dx, -1.0 * dy, -1.0 * z})) coefficients_.push_back(value);
      // The potential comes first, the forces after it.
      if (d2 == 1)
        std::for_each(coefficients_.data() + place + 1, coefficients_.data() + coefficients_.size(),
                      [&](double& force) { force *= 1 + more_at_faces_; });
    }
    const int group = class_of(sx, sy) / grouped_classes();
    std::array<int, tiles> touch;
    for (int tile = 0; tile < tiles; ++tile) touch[index(tile)] = touched(tile, x, y);
    add(plane.lists[index(group)][index(class_of(tx, ty))], {slab_place(class_of(sx, sy), x, y), place}, touch);
    plane.rows_reach = std::max(plane.rows_reach, std::abs(y));
  };
  for (int both = 0; both < 16; ++both) {
    for (int y = -reach_; y <= reach_; ++y) {
      for (int x = -reach_; x <= reach_; ++x) list(both & 1, both >> 1 & 1, both >> 2 & 1, both >> 3, x, y);
    }
  }
  if (which_ == pairs::near) plane.joint = joined(plane.lists[0]);
  if (plane.rows_reach >= 0) planes_[index(parity)].push_back(std::move(plane));
}

list_of<joint_offset> stencil::joined(const std::array<offset_list, classes>& lists) {
  std::map<std::int32_t, std::size_t> place;  // of a source in the list
  list_of<joint_offset> all;
  for (std::size_t t = 0; t < lists.size(); ++t) {
    for (std::size_t i = 0; i < lists[t].offsets.size(); ++i) {
      const offset& o = lists[t].offsets[i];
      const auto [entry, first_time] = place.try_emplace(o.source, all.offsets.size());
      if (first_time) {
        std::array<int, tiles> touch;
        for (std::size_t tile = 0; tile < touch.size(); ++tile) touch[tile] = lists[t].touch[tile][i];
        add(all, {o.source, {}}, touch);
      }
      all.offsets[entry->second].coefficient[t] = o.coefficient;
    }
  }
  return all;
}

int stencil::operators_per_cell() const {
  int count = 0;
  for (const stencil_plane& plane : planes_[0]) {
    for (const auto& from : plane.lists) count += static_cast<int>(from[0].offsets.size());
  }
  return count;
}

std::size_t stencil::bytes() const {
  std::size_t sum = coefficients_.size() * sizeof(double) + known_.size() * sizeof(std::int32_t);
  for (const auto& parity : planes_) {
    for (const stencil_plane& plane : parity) {
      for (const auto& from : plane.lists) {
        for (const offset_list& list : from) sum += bytes_of(list);
      }
      sum += bytes_of(plane.joint);
    }
  }
  return sum;
}

}  // namespace rednova::gravity
