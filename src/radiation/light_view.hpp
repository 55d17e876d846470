// What the substeps of light read and write, as plain pointers: functions see this that host and device compile alike.
#pragma once

#include <array>

#include "exchange/face_plan.hpp"
#include "mesh/fields.hpp"
#include "mesh/view.hpp"
#include "radiation/block_transport.hpp"
#include "radiation/gas_place.hpp"
#include "radiation/scheme.hpp"
#include "radiation/substep_cells.hpp"

namespace rednova::radiation {

/// What left through a face of a leaf at the end of the domain, or what floors added: energy, momentum (3), angular
/// momentum (3), along the axes of the grid.
inline constexpr int outflow_numbers = 7;

/// Numbers of a sum of fluxes: [rates][N²] of the cells before a face.
inline constexpr int numbers_of_sum = rates * mesh::N * mesh::N;

struct light_view {
  scheme by;
  gas_rules gas;
  mesh::tree_view tree;
  mesh::field_numbers fields;
  std::array<config::boundary, mesh::faces> boundaries;
  int first_leaf;  ///< of this rank

  mesh::block_view<double> u;       ///< the gas's fields of nodes
  mesh::block_view<double> light;   ///< [field::count] of own leaves
  mesh::block_view<double> work;    ///< [exchanged::count] of nodes
  mesh::block_view<double> start;   ///< of own leaves: E, F, momentum and heat of gas at the start of the substep
  mesh::block_view<double> matter;  ///< density, momentum (3), heat, and heat at the start of the step
  mesh::block_view<double> couple;  ///< rho kappa_P, rho kappa_F, the speed of light, the mass fraction of hydrogen
  mesh::block_view<double> rate;    ///< of U and Q
  mesh::block_view<double> torque;  ///< spin by volume that faces gave
  double* around;                   ///< [own leaf][gas_numbers][layered cell]
  double* depths;                   ///< [own leaf][3][values_of_faces]
  exchange::face_view faces;        ///< registers: [slot][moment::count][N²]
  double* outflow;                  ///< [own leaf][face][outflow_numbers]
  double* floors;                   ///< [own leaf][outflow_numbers]
  const unsigned* fixed;            ///< [own leaf]: exchange::fixed_faces

  const int* length;  ///< [leaf]: local_substeps::length
  const int* sum;     ///< [own leaf][face]: local_substeps::sum
  double* sums;       ///< [sum][numbers_of_sum]: of fluxes of faster leaves

  REDNOVA_FN int own(int leaf) const { return leaf - first_leaf; }
  REDNOVA_FN double* gas_around(int leaf) const {
    return around + static_cast<std::ptrdiff_t>(own(leaf)) * gas_numbers * layered_cells;
  }
  REDNOVA_FN double* depths_of_faces(int leaf) const {
    return depths + static_cast<std::ptrdiff_t>(own(leaf)) * 3 * values_of_faces;
  }
  /// at: block_transport::lower_face.
  REDNOVA_FN double& depth_of(int leaf, int direction, int at) const {
    return depths_of_faces(leaf)[direction * values_of_faces + at];
  }
  REDNOVA_FN double* outflow_of(int leaf, int face) const {
    return outflow + (static_cast<std::ptrdiff_t>(own(leaf)) * mesh::faces + face) * outflow_numbers;
  }
  REDNOVA_FN double* floors_of(int leaf) const {
    return floors + static_cast<std::ptrdiff_t>(own(leaf)) * outflow_numbers;
  }
  /// The block of the leaf's level behind a face, or mesh::no_block, mesh::outside.
  REDNOVA_FN int behind(int leaf, int face) const { return tree.neighbour(leaf, exchange::side_of_face(face)); }
  REDNOVA_FN bool ends(int leaf, int face) const { return behind(leaf, face) == mesh::outside; }
  /// As local_substeps::faster_beside.
  REDNOVA_FN int faster_beside(int leaf, int face) const {
    const int node = behind(leaf, face);
    return node >= 0 && tree.leaf(node) && length[node] < length[leaf] ? node : mesh::no_block;
  }
  /// Whether fluxes of faster leaves are added up for a face.
  REDNOVA_FN bool adds_up(int leaf, int face) const { return sum[own(leaf) * mesh::faces + face] >= 0; }
  REDNOVA_FN double* sum_of(int leaf, int face) const {
    return sums + static_cast<std::ptrdiff_t>(sum[own(leaf) * mesh::faces + face]) * numbers_of_sum;
  }
  /// Bit mesh::face() for faces whose fluxes are those of the leaves behind.
  REDNOVA_FN unsigned from_others(int leaf) const {
    unsigned all = 0;
    for (int q = faces.first[leaf]; q < faces.first[leaf + 1]; ++q) all |= 1U << faces.coarse[q].face;
    for (int face = 0; face < mesh::faces; ++face)
      if (adds_up(leaf, face)) all |= 1U << face;
    return all;
  }
  /// What transport needs to know of a leaf whose light is [moment::count][ghosted cell].
  REDNOVA_FN transport_input input_of(int leaf, const double* ghosted) const {
    return {.light = ghosted,
            .gas = gas_around(leaf),
            .depth = depths_of_faces(leaf),
            .corner = tree.corner(leaf),
            .h = tree.cell_width(leaf),
            .rotation = gas.rotation};
  }
};

}  // namespace rednova::radiation
