// Ghost layers of a block that come from the coarser level.
#pragma once

#include <array>

#include "mesh/fields.hpp"
#include "mesh/tree.hpp"
#include "mesh/view.hpp"

namespace rednova::exchange {

/// The data of the coarser level around a fine node. Which coarse cells a side takes and where their children go is
/// listed once for each octant and side; coarse cells are prolonged by packs.
class ghost_prolongation {
 public:
  /// u: restricted fields of the nodes; tree and u must outlive this object.
  ghost_prolongation(const mesh::tree& t, const mesh::block_view<const double>& u, int node);

  /// Fills a side of out [field][ghosted cell] from coarser neighbours: with limited slopes of densities, velocity and
  /// internal energy. Beyond the domain a coarse cell stands for its neighbour.
  void prolong(int side, const mesh::fields& fields, double* out) const;
  /// The same for one field alone, with its own slopes. out: [ghosted cell].
  void prolong(int side, int field, double* out) const;
  /// The same for light's energy, with light_in_cell. extinction: a field, by length.
  void prolong_light(int side, int energy, int extinction, double* out) const;

 private:
  template <class Body>
  void for_packs(int side, const Body& body) const;
  /// One field: value_of(reader) is a linear<T>.
  template <class Value>
  void prolong_each(int side, double* out, const Value& value_of) const;

  int octant_;
  double width_;  // of a coarse cell
  std::array<const double*, mesh::sides>
      around_;  // the first fields of the parent's neighbours, null beyond the domain
};

}  // namespace rednova::exchange
