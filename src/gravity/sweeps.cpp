#include "gravity/sweeps.hpp"

#include <array>

#include "gravity/basis.hpp"
#include "gravity/per_cell.hpp"
#include "gravity/tiles.hpp"

namespace rednova::gravity {

namespace {

constexpr int most_numbers = basis_size(5);

/// One octant of a block with its cells in the order of the children's classes: [Z][number][Y][X].
using octant_cells = std::array<double, index(H* most_numbers* HH)>;

/// Calls visit(place in the block of the cell's first number, place in the octant of the same).
template <class Visit>
void for_each_cell(int octant, int block_numbers, int octant_numbers, const Visit& visit) {
  const int x0 = (octant & 1) * H, y0 = (octant >> 1 & 1) * H, z0 = (octant >> 2) * H;
  for (int z = 0; z < H; ++z) {
    for (int y = 0; y < H; ++y) {
      for (int x = 0; x < H; ++x) {
        visit(sorted_cell(block_numbers, 0, x0 + x, y0 + y, z0 + z), z * octant_numbers * HH + y * H + x);
      }
    }
  }
}

/// to += matrix · from for the rows and columns below `rows` and `columns`, for HH cells side by side. Entries of a row
/// follow each other, so that its sums stay in registers.
void add_product(const matrix& by, int rows, int columns, const double* from, double* to) {
  using exec::pack;
  for (auto e = by.begin(); e != by.end() && e->row < rows;) {
    const int row = e->row;
    pack sum[HH / W];
    for (int i = 0; i < HH / W; ++i) sum[i] = exec::load<pack>(to + row * HH + i * W);
    for (; e != by.end() && e->row == row; ++e) {
      if (e->column < columns) add_entry(*e, from, sum);
    }
    for (int i = 0; i < HH / W; ++i) exec::store(to + row * HH + i * W, sum[i]);
  }
}

/// parent octant += matrix · child block for the columns below child_numbers.
void translate_up(const operators& by, int octant, const double* child, int child_numbers, double* parent) {
  const int numbers = basis_size(by.order);
  octant_cells sum{};
  for (int z = 0; z < mesh::N; ++z) {
    double* to = sum.data() + (z >> 1) * numbers * HH;
    for (int c = 0; c < classes; ++c) {
      const double* from = child + (z * classes + c) * child_numbers * HH;
      add_product(by.m2m[index(c + 4 * (z & 1))], numbers, child_numbers, from, to);
    }
  }
  for_each_cell(octant, numbers, numbers, [&](int in_block, int in_octant) {
    for (int n = 0; n < numbers; ++n) parent[in_block + n * HH] += sum[index(in_octant + n * HH)];
  });
}

/// child block += matrix · parent octant for the rows below child_numbers.
void translate_down(const operators& by, int octant, const double* parent, int child_numbers, double* child) {
  const int numbers = basis_size(by.order);
  octant_cells here;
  for_each_cell(octant, numbers, numbers, [&](int in_block, int in_octant) {
    for (int n = 0; n < numbers; ++n) here[index(in_octant + n * HH)] = parent[in_block + n * HH];
  });
  for (int z = 0; z < mesh::N; ++z) {
    const double* from = here.data() + (z >> 1) * numbers * HH;
    for (int c = 0; c < classes; ++c) {
      double* to = child + (z * classes + c) * child_numbers * HH;
      add_product(by.l2l[index(c + 4 * (z & 1))], child_numbers, numbers, from, to);
    }
  }
}

}  // namespace

void p2m(const operators& by, int octant, const double* masses, double* parent) {
  translate_up(by, octant, masses, 1, parent);
}

void m2m(const operators& by, int octant, const double* child, double* parent) {
  translate_up(by, octant, child, basis_size(by.order), parent);
}

void l2l(const operators& by, int octant, const double* parent, double* child) {
  translate_down(by, octant, parent, basis_size(by.order), child);
}

void l2p(const operators& by, int octant, const double* parent, double* fields) {
  translate_down(by, octant, parent, basis_size(1), fields);
}

void hand_down_torque(int octant, const double* parent_torque, cell_numbers parent_mass, cell_numbers child_mass,
                      double* child_torque) {
  // Torque per mass of the octant's cells: [Z][d][Y][X].
  octant_cells share;
  for_each_cell(octant, parent_mass.numbers, 3, [&](int in_block, int in_octant) {
    const double m = parent_mass.values[in_block];
    for (int d = 0; d < 3; ++d) share[index(in_octant + d * HH)] = inverse_mass(m);
  });
  for_each_cell(octant, 3, 3, [&](int in_block, int in_octant) {
    for (int d = 0; d < 3; ++d) share[index(in_octant + d * HH)] *= parent_torque[in_block + d * HH];
  });
  for (int z = 0; z < mesh::N; ++z) {
    for (int c = 0; c < classes; ++c) {
      const double* mass = child_mass.values + (z * classes + c) * child_mass.numbers * HH;
      for (int d = 0; d < 3; ++d) {
        double* to = child_torque + ((z * classes + c) * 3 + d) * HH;
        const double* from = share.data() + ((z >> 1) * 3 + d) * HH;
        for (int i = 0; i < HH; ++i) add_torque(from[i], mass[i], to[i]);
      }
    }
  }
}

}  // namespace rednova::gravity
