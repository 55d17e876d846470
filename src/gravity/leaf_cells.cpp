#include "gravity/leaf_cells.hpp"

#include <array>
#include <cstring>

#include "gravity/per_cell.hpp"
#include "gravity/tiles.hpp"

namespace rednova::gravity {

namespace {

using exec::pack;

/// Calls visit(first cell of a row of H cells in the block, the same in the octant's plane) for plane Z of an octant.
template <class Visit>
void for_each_row(int octant, int Z, const Visit& visit) {
  for (int Y = 0; Y < H; ++Y) {
    visit(mesh::cell((octant & 1) * H, (octant >> 1 & 1) * H + Y, (octant >> 2) * H + Z), Y * H);
  }
}

}  // namespace

void set_masses(const double* density, double cell_volume, double* masses) {
  for (int z = 0; z < mesh::N; ++z) {
    for (int y = 0; y < mesh::N; ++y) {
      const double* row = density + mesh::cell(0, y, z);
      double *even = masses + sorted_cell(1, 0, 0, y, z), *odd = masses + sorted_cell(1, 0, 1, y, z);
      for (int X = 0; X < H; ++X) {
        even[X] = cell_volume * row[2 * X];
        odd[X] = cell_volume * row[2 * X + 1];
      }
    }
  }
}

void put_in_order(const double* sorted, int numbers, int number, double factor, double* cells) {
  for (int z = 0; z < mesh::N; ++z) {
    for (int y = 0; y < mesh::N; ++y) {
      const double *even = sorted + sorted_cell(numbers, number, 0, y, z),
                   *odd = sorted + sorted_cell(numbers, number, 1, y, z);
      double* row = cells + mesh::cell(0, y, z);
      for (int X = 0; X < H; ++X) {
        row[2 * X] = factor * even[X];
        row[2 * X + 1] = factor * odd[X];
      }
    }
  }
}

void add_own_potential(const double* masses, double* fields) {
  for (int zc = 0; zc < mesh::N * classes; ++zc) {
    for (int i = 0; i < HH; ++i) add_own_potential(masses[zc * HH + i], fields[zc * 4 * HH + i]);
  }
}

void share_mass(int octant, const double* masses, double* shares) {
  for (int z = 0; z < H; ++z) {
    for (int y = 0; y < H; ++y) {
      for (int x = 0; x < H; ++x) {
        const int cell = sorted_cell(1, 0, (octant & 1) * H + x, (octant >> 1 & 1) * H + y, (octant >> 2) * H + z);
        shares[z * HH + y * H + x] = virtual_mass(masses[cell]);
      }
    }
  }
}

void add_children(int octant, double h, const double* shares, const double* fields, double* result) {
  // The children of parity (x, y, z) of a plane of the octant's cells lie in its order, as class (x, y) of a plane.
  std::array<std::array<double, HH>, result_fields> sum;
  for (int Z = 0; Z < H; ++Z) {
    for_each_row(octant, Z, [&](int cell, int in_plane) {
      for (int f = 0; f < result_fields; ++f) {
        std::memcpy(&sum[index(f)][index(in_plane)], result + f * mesh::cells + cell, H * sizeof(double));
      }
    });
    for (int o = 0; o < 8; ++o) {
      const double* child = fields + ((2 * Z + (o >> 2)) * classes + (o & 3)) * 4 * HH;
      for (int i = 0; i < HH; i += W) {
        const auto field = [&](int f) { return exec::load<pack>(child + f * HH + i); };
        const auto add = [&](int f, const pack& value) {
          double* to = sum[index(f)].data() + i;
          exec::store(to, exec::load<pack>(to) + value);
        };
        const felt<pack> more =
            felt_by_child<pack>(o, h, exec::load<pack>(shares + Z * HH + i), field(0), {field(1), field(2), field(3)});
        add(potential, more.potential);
        for (int d = 0; d < 3; ++d) {
          add(acceleration + d, more.acceleration[d]);
          add(torque + d, more.torque[d]);
        }
      }
    }
    for_each_row(octant, Z, [&](int cell, int in_plane) {
      for (int f = 0; f < result_fields; ++f) {
        std::memcpy(result + f * mesh::cells + cell, &sum[index(f)][index(in_plane)], H * sizeof(double));
      }
    });
  }
}

}  // namespace rednova::gravity
