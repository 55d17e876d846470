// A tree, and numbers on its blocks, as plain pointers: what functions see that host and device compile alike.
#pragma once

#include <cstddef>
#include <type_traits>

#include "core/vec3.hpp"
#include "exec/macros.hpp"
#include "mesh/block_data.hpp"
#include "mesh/tree.hpp"

namespace rednova::mesh {

/// A tree, as mesh::tree shows it.
struct tree_view {
  const node* nodes;  ///< leaves first
  int leaves;
  core::vec3d lower;  ///< corner of the domain
  double base_width;  ///< of a block of level 0

  REDNOVA_FN const node& operator[](int n) const { return nodes[n]; }
  REDNOVA_FN bool leaf(int n) const { return n < leaves; }
  REDNOVA_FN int neighbour(int n, int side) const { return nodes[n].neighbour[static_cast<std::size_t>(side)]; }
  REDNOVA_FN int child(int n, int octant) const { return nodes[n].child[static_cast<std::size_t>(octant)]; }
  REDNOVA_FN double cell_width(int n) const { return cell_width_of(base_width, nodes[n].level); }
  /// Lower corner of a node.
  REDNOVA_FN core::vec3d corner(int n) const { return corner_of(lower, base_width, nodes[n].level, nodes[n].place); }
  /// Centre of a node's cell; indices may reach into the ghost layers.
  REDNOVA_FN core::vec3d centre(int n, int i, int j, int k) const {
    return centre_of(corner(n), cell_width(n), i, j, k);
  }
  /// The same of a cell by its number.
  REDNOVA_FN core::vec3d centre(int n, int cell) const { return centre(n, cell % N, cell / N % N, cell / N / N); }
};

/// The nodes stay the tree's.
inline tree_view view(const tree& t) { return {t.nodes().data(), t.leaves(), t.box().lower, t.box().base_width}; }

/// Numbers on blocks, as mesh::block_data stores them: [slot][field][cell].
template <class T>
struct block_view {
  T* values = nullptr;         ///< null: there are none
  const int* place = nullptr;  ///< [node]; null: the node's number
  int first = 0;               ///< what is subtracted from a slot
  int fields = 0;              ///< of a block

  REDNOVA_FN T* at(int node, int field = 0) const {
    const std::ptrdiff_t block = (place != nullptr ? place[node] : node) - first;
    return values + (block * fields + field) * cells;
  }
  bool holds(int node) const { return place == nullptr || place[node] >= 0; }
  /// To block_view<const T>. A template, since that is the view itself where T is const already.
  template <class U, class = std::enable_if_t<std::is_same_v<U, const T>>>
  REDNOVA_FN operator block_view<U>() const {
    return {values, place, first, fields};
  }
};

/// A view: nothing is copied.
inline block_view<double> view(block_data& u) { return {u.data(), u.places().map(), u.places().first(), u.fields()}; }
inline block_view<const double> view(const block_data& u) {
  return {u.data(), u.places().map(), u.places().first(), u.fields()};
}

}  // namespace rednova::mesh
