// A block with its ghost layers, gathered from the neighbours' interiors: nothing stores ghost cells.
#pragma once

#include <array>

#include "config/parameters.hpp"
#include "mesh/fields.hpp"
#include "mesh/tree.hpp"
#include "mesh/view.hpp"

namespace rednova::exchange {

/// Gathers the neighbourhood of a node in an array of (N + 2·ghosts)³ cells, of which it fills what an update reads:
/// the block, all ghost layers beyond its faces and one beyond its edges. Neighbours of the same level are copied
/// (refined ones hold restricted data), coarser ones prolonged with limited slopes of densities, velocity and internal
/// energy, and beyond the domain the boundary conditions apply: a reflecting one mirrors, an outflow one copies the
/// nearest cell where gas leaves and is a wall (at rest in the frame of the grid) where it would come in. The arrays it
/// reads must have been restricted (exchange/restrict.hpp).
class ghosts {
 public:
  static constexpr int none = -1;  ///< no field

  /// The tree and the fields must outlive this object.
  ghosts(const mesh::tree& t, const mesh::fields& fields, const std::array<config::boundary, 6>& boundaries);

  /// All fields. u: [nodes][fields]; out: [field][ghosted cell], mesh::ghosted(); rotation: of the grid about z.
  void gather(const mesh::block_view<const double>& u, int node, double rotation, double* out) const;
  void gather(const mesh::block_data& u, int node, double rotation, double* out) const {
    gather(mesh::view(u), node, rotation, out);
  }
  /// One scalar field; beyond the domain the nearest cell's value (periodic apart). out: [ghosted cell].
  void gather_scalar(const mesh::block_view<const double>& u, int node, int field, double* out) const;
  void gather_scalar(const mesh::block_data& u, int node, int field, double* out) const {
    gather_scalar(mesh::view(u), node, field, out);
  }
  /// The same for fields first … last - 1, but of the ghost layers those beyond faces alone. out: [field -
  /// first][ghosted cell]. extinction: a field, by length, where the first is light's energy (light_in_cell).
  void gather_across_faces(const mesh::block_data& u, int node, int first, int last, double* out,
                           int extinction = none) const;

 private:
  void copy_and_prolong(const mesh::block_view<const double>& u, int node, int first, int last, double* out) const;
  void fill_boundary(int node, int side, double rotation, double* out) const;

  const mesh::tree* tree_;
  const mesh::fields* fields_;
  std::array<config::boundary, 6> boundaries_;
};

}  // namespace rednova::exchange
