// What the criteria look for in the gas of a block: cell by cell, for the processor and for devices.
#pragma once

#include "eos/gas.hpp"
#include "exchange/face_plan.hpp"
#include "hydro/primitives.hpp"
#include "mesh/block.hpp"
#include "mesh/fields.hpp"

namespace rednova::regrid {

/// What a level is asked for: to be made, or to be kept, for which less is enough.
enum class purpose { refine, keep };

/// What thresholds are multiplied with.
REDNOVA_FN double threshold_factor(double hysteresis, purpose why) { return why == purpose::keep ? hysteresis : 1.0; }

inline constexpr int star_cores = 2;  ///< the accretor's, the donor's

/// The thresholds of config::refine.
struct gas_rules {
  double density;               ///< of the density rule
  double gradient;              ///< relative jump between cells
  double hysteresis;            ///< share of the thresholds at which a level is kept
  int core[star_cores];         ///< species of the stars' cores, -1 where they are not looked for
  bool pressure;                ///< whether it is the pressure's jumps that are looked for, else the density's
  double dual_energy_pressure;  ///< config::hydro::dual_energy_pressure
  mesh::field_numbers fields;
  eos::gas eos;

  REDNOVA_FN double factor(purpose why) const { return threshold_factor(hysteresis, why); }

  /// Whether a cell of density rho and so much of a core's species belongs to the core: only where the density rule
  /// asks for its finest level.
  REDNOVA_FN bool in_core(double rho, double of_core, purpose why) const {
    return rho > density * factor(why) && of_core > 0.5 * factor(why) * rho;
  }

  /// The number whose jumps count. u: [field][ghosted cell], from the cell on.
  REDNOVA_FN double watched(const double* u) const {
    // The pressure by the dual energy, as the scheme sees it: in cold fast gas E - s²/2rho is noise of either sign.
    // That which stored gas keeps is not there yet when a model is refined for the first time.
    if (pressure && eos.stored())
      return hydro::cell_pressure(u, mesh::ghosted_cells, fields, dual_energy_pressure, eos);
    if (pressure) {
      return eos.visit([&](const auto& gas) {
        return hydro::gas_from_conserved<double>(u, mesh::ghosted_cells, fields, dual_energy_pressure, gas).p;
      });
    }
    return hydro::mass_density<double>(u, mesh::ghosted_cells, fields.species());
  }
  /// Whether it jumps anywhere on one of the lines of cells through a block and the ghost layers beyond its faces.
  /// q: [ghosted cell], of which the cells of line 0 … lines-1 are read.
  REDNOVA_FN bool jumps(const double* q, int line, purpose why) const {
    const int d = line / (mesh::N * mesh::N), a = line % mesh::N, b = line / mesh::N % mesh::N;
    int first[3];
    first[d] = -mesh::ghosts;
    first[exchange::transverse_a(d)] = a;
    first[exchange::transverse_b(d)] = b;
    q += mesh::ghosted(first[0], first[1], first[2]);
    const int step = d == 0 ? 1 : d == 1 ? mesh::M : mesh::M * mesh::M;
    const double threshold = gradient * factor(why);
    for (int i = 0; i + 1 < mesh::M; ++i) {
      const double here = q[i * step], next = q[(i + 1) * step];
      if (exec::abs(here - next) > threshold * exec::min(exec::abs(here), exec::abs(next))) return true;
    }
    return false;
  }
  static constexpr int lines = 3 * mesh::N * mesh::N;
};

}  // namespace rednova::regrid
