// Transport of light through the faces of one block.
#pragma once

#include <vector>

#include "config/parameters.hpp"
#include "core/vec3.hpp"
#include "mesh/block.hpp"
#include "radiation/scheme.hpp"

namespace rednova::radiation {

/// A block with one layer of cells around: where the gas's velocity and depth are kept for the substeps of a step.
inline constexpr int layered_edge = mesh::N + 2, layered_cells = layered_edge * layered_edge * layered_edge;
constexpr int layered(int i, int j, int k) { return ((k + 1) * layered_edge + (j + 1)) * layered_edge + (i + 1); }
/// Of the gas in them: velocity (3), and rho kappa_F h.
inline constexpr int gas_depth = 3, gas_numbers = 4;

/// From a cell to the next along a direction, of layered and of ghosted cells.
constexpr int layered_step(int d) { return d == 0 ? 1 : d == 1 ? layered_edge : layered_edge * layered_edge; }
constexpr int ghosted_step(int d) { return d == 0 ? 1 : d == 1 ? mesh::M : mesh::M * mesh::M; }

/// Values of a face's direction: [face along it][cells across], x fastest.
inline constexpr int values_of_faces = (mesh::N + 1) * mesh::N * mesh::N;

/// Rates of a cell: of U, of Q, and of the spin that the momentum flux through its faces gives; the last are kept
/// apart, added up.
inline constexpr int rate_energy = 0, rate_spins = moment::count, rates = rate_spins + 3;
constexpr int rate_momentum(int d) { return moment::flux(d); }
constexpr int rate_spin(int d) { return rate_spins + d; }

struct transport_input {
  const double* light = nullptr;  ///< E and F, [moment::count][ghosted cell]
  const double* gas = nullptr;    ///< [gas_numbers][layered cell]
  const double* depth = nullptr;  ///< of faces, from centre to centre: [3][values_of_faces]
  core::vec3d corner;
  double h = 0;
  double rotation = 0;       ///< of the grid about z
  double weight = 0;         ///< what the torques of faces count for
  unsigned from_others = 0;  ///< bit mesh::face() for faces whose fluxes come from the leaves behind
};

/// Memory of a thread.
struct transport_scratch {
  std::vector<double> reduced;     ///< [3][ghosted cell]: F/(cE)
  std::vector<double> through[3];  ///< [moment::count][values_of_faces], a direction each

  void prepare();
};

class block_transport {
 public:
  explicit block_transport(const scheme& by) : by_(by) {}

  /// Fills the fluxes of all directions, then the rates of U and Q, [moment::count][cell], and adds the torques to
  /// [3][cell].
  void operator()(const transport_input& in, double* rate, double* torque, transport_scratch& scratch) const;
  /// Fills the fluxes through one face of the block; of the light those cells are read that lie before and behind it.
  void through_face(const transport_input& in, int face, transport_scratch& scratch) const;

  /// What the fluxes [moment::count] through a face give the cell beside it: calls add(rate's number, rate). upper: it
  /// is the cell's upper face along the direction.
  template <class Add>
  REDNOVA_FN static void add_rates_of_face(int direction, bool upper, const double* flux, double h, const Add& add) {
    for (int m = 0; m < moment::count; ++m) add(m, (upper ? -flux[m] : flux[m]) / h);
    // -(x_f - x_c) × P* of both faces, x_f - x_c = ± h/2 along the direction.
    const int a = (direction + 1) % 3, b = (direction + 2) % 3;
    add(rate_spin(a), 0.5 * flux[moment::flux(b)]);
    add(rate_spin(b), -0.5 * flux[moment::flux(a)]);
  }

  /// Position in `through` of the face at the lower end of a cell along a direction; of its upper one with step().
  static constexpr int lower_face(int direction, int i, int j, int k) {
    return direction == 0   ? i + (mesh::N + 1) * (j + mesh::N * k)
           : direction == 1 ? i + mesh::N * (j + (mesh::N + 1) * k)
                            : i + mesh::N * (j + mesh::N * k);
  }
  static constexpr int step(int direction) { return direction == 0 ? 1 : direction == 1 ? mesh::N : mesh::N * mesh::N; }
  /// Of the face of the block before a cell of it.
  static constexpr int value_of_face(int face, int cell) {
    constexpr int n = mesh::N;
    return lower_face(face / 2, cell % n, cell / n % n, cell / (n * n)) + (face % 2 == 1 ? step(face / 2) : 0);
  }

 private:
  void sweep(const transport_input& in, int direction, int first, int last, transport_scratch& scratch) const;
  template <class Edges>
  void sweep_by(const transport_input& in, int direction, int first, int last, transport_scratch& scratch) const;
  template <class Edges, int Faces>
  void sweep_pencils(const transport_input& in, int direction, int first, int last, transport_scratch& scratch) const;
  static void find_rates(const transport_input& in, const transport_scratch& scratch, double* rate, double* torque);
  static void without_face(int face, transport_scratch& scratch);

  scheme by_;
};

}  // namespace rednova::radiation
