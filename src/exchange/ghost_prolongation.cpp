#include "exchange/ghost_prolongation.hpp"

#include <cstdint>
#include <vector>

#include "core/check.hpp"
#include "exchange/prolong_gas.hpp"
#include "exchange/sides.hpp"

namespace rednova::exchange {

namespace {

using T = exec::pack;
constexpr int lanes = exec::lanes<T>;
constexpr int points = 7;  // of a stencil: the cell, its lower and its upper neighbours

/// Where to read a stencil's value: in which neighbour of the parent, and in which of its cells.
struct source {
  std::uint8_t side;
  std::int16_t cell;
};
/// Where a child's value goes: a lane of its pack, and a ghosted cell.
struct target {
  std::int16_t lane, cell;
};
/// Coarse cells of a side, as many as a pack has lanes, and their children in the side.
struct pack_of_cells {
  std::array<std::array<source, points>, lanes> read;  // the last one again where there are fewer
  std::array<std::vector<target>, 8> write;            // [child]
};
using side_list = std::vector<pack_of_cells>;

side_list list_of(int octant, int side) {
  const auto d = offset(side);
  const cell_box fine = cells_of(d);
  side_list list;
  int count = 0;
  for_cells(coarse_cells_of(d, octant), [&](int i, int j, int k) {
    const int lane = count++ % lanes;
    if (lane == 0) list.emplace_back();
    pack_of_cells& p = list.back();
    const auto at = [](int x, int y, int z) {
      return source{static_cast<std::uint8_t>(side_of_cell(x, y, z)),
                    static_cast<std::int16_t>(cell_in_neighbour(x, y, z))};
    };
    const std::array<source, points> stencil{at(i, j, k),     at(i - 1, j, k), at(i, j - 1, k), at(i, j, k - 1),
                                             at(i + 1, j, k), at(i, j + 1, k), at(i, j, k + 1)};
    for (std::size_t l = static_cast<std::size_t>(lane); l < lanes; ++l) p.read[l] = stencil;
    for (int c = 0; c < 8; ++c) {
      const std::array<int, 3> x = child_cell({i, j, k}, c, octant);
      if (!fine.holds(x)) continue;
      p.write[static_cast<std::size_t>(c)].push_back(
          {static_cast<std::int16_t>(lane), static_cast<std::int16_t>(mesh::ghosted(x[0], x[1], x[2]))});
    }
  });
  return list;
}

const side_list& list(int octant, int side) {
  static const std::vector<side_list> all = [] {
    std::vector<side_list> lists;
    for (int o = 0; o < 8; ++o) {
      for (int s = 0; s < mesh::sides; ++s) lists.push_back(list_of(o, s));
    }
    return lists;
  }();
  return all[static_cast<std::size_t>(octant * mesh::sides + side)];
}

/// The stencils of a pack of coarse cells.
class reader {
 public:
  reader(const pack_of_cells& p, const std::array<const double*, mesh::sides>& around) {
    for (std::size_t l = 0; l < lanes; ++l) {
      EXPECT(around[p.read[l][0].side] != nullptr);
      for (std::size_t q = 0; q < points; ++q) {
        const double* block = around[p.read[l][q].side];
        at_[q][l] = block != nullptr ? block + p.read[l][q].cell : at_[0][l];
      }
    }
  }
  stencil_of<T> operator()(int field) const {
    const auto value = [&](std::size_t q) {
      return T([&](auto l) { return at_[q][static_cast<std::size_t>(l)][field * mesh::cells]; });
    };
    return {value(0), {value(1), value(2), value(3)}, {value(4), value(5), value(6)}};
  }

 private:
  std::array<std::array<const double*, lanes>, points> at_;
};

/// Writes the children of a pack of cells.
class writer {
 public:
  writer(const pack_of_cells& p, double* out) : pack_(&p), out_(out) {}
  void operator()(int field, int child, const T& value) const {
    double lane[lanes];
    exec::store(lane, value);
    double* to = out_ + field * mesh::ghosted_cells;
    for (const target& t : pack_->write[static_cast<std::size_t>(child)]) to[t.cell] = lane[t.lane];
  }

 private:
  const pack_of_cells* pack_;
  double* out_;
};

}  // namespace

ghost_prolongation::ghost_prolongation(const mesh::tree& t, const mesh::block_view<const double>& u, int node)
    : octant_(t[node].id.octant()), width_(2 * t.cell_width(node)) {
  around_.fill(nullptr);
  if (t[node].parent == mesh::no_block) return;
  for (std::size_t s = 0; s < mesh::sides; ++s) {
    const int m = t[t[node].parent].neighbour[s];
    // A rank holds those that its sides read, and the parent's other neighbours perhaps not.
    if (m >= 0 && u.holds(m)) around_[s] = u.at(m);
  }
}

template <class Body>
void ghost_prolongation::for_packs(int side, const Body& body) const {
  for (const pack_of_cells& p : list(octant_, side)) body(p, reader(p, around_));
}

void ghost_prolongation::prolong(int side, const mesh::fields& fields, double* out) const {
  for_packs(side,
            [&](const pack_of_cells& p, const reader& read) { prolong_gas<T>(fields, read, width_, writer(p, out)); });
}

template <class Value>
void ghost_prolongation::prolong_each(int side, double* out, const Value& value_of) const {
  for_packs(side, [&](const pack_of_cells& p, const reader& read) {
    const linear<T> value = value_of(read);
    const writer write(p, out);
    for (int c = 0; c < 8; ++c) write(0, c, value(c));
  });
}

void ghost_prolongation::prolong(int side, int field, double* out) const {
  prolong_each(side, out, [&](const reader& read) { return linear<T>(read(field)); });
}

void ghost_prolongation::prolong_light(int side, int energy, int extinction, double* out) const {
  prolong_each(side, out, [&](const reader& read) { return light_in_cell<T>(read(energy), read(extinction), width_); });
}

}  // namespace rednova::exchange
