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

/// What gradients a block may have, as bits.
enum slope : char { no_slope = 0, jump = 1, short_scale_height = 2, light_gets_free = 4 };

/// What thresholds are multiplied with.
REDNOVA_FN double threshold_factor(double hysteresis, purpose why) { return why == purpose::keep ? hysteresis : 1.0; }

inline constexpr int star_cores = 2;  ///< the accretor's, the donor's

/// The thresholds of config::refine.
struct gas_rules {
  double density;               ///< of the density rule
  double gradient;              ///< relative jump between cells
  double scale_height;          ///< cells to a scale height of the pressure
  double scale_height_density;  ///< above which they count
  bool unbound;                 ///< whether unbound gas is looked for
  double unbound_density;       ///< above which it counts
  bool photosphere;             ///< whether it is looked for where light gets free (photosphere.hpp)
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

  /// Whether single cells are looked at.
  REDNOVA_FN bool cells() const { return density > 0 || unbound; }
  /// Whether gradients are looked for, of whichever kind.
  REDNOVA_FN bool slopes() const { return gradient > 0 || scale_height > 0 || photosphere; }
  REDNOVA_FN double density_at(const double* u) const {
    return hydro::mass_density<double>(u, mesh::ghosted_cells, fields.species());
  }
  /// By the dual energy, as the scheme sees it: in cold fast gas E - s²/2rho is noise of either sign.
  REDNOVA_FN double pressure_at(const double* u) const {
    // That which stored gas keeps is not there yet when a model is refined for the first time.
    if (eos.stored()) return hydro::cell_pressure(u, mesh::ghosted_cells, fields, dual_energy_pressure, eos);
    return eos.visit([&](const auto& gas) {
      return hydro::gas_from_conserved<double>(u, mesh::ghosted_cells, fields, dual_energy_pressure, gas).p;
    });
  }
  /// The number whose jumps count. u: [field][ghosted cell], from the cell on.
  REDNOVA_FN double watched(const double* u) const { return pressure ? pressure_at(u) : density_at(u); }
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
  /// Whether the scale height of p, of which these are the differences over two cells, has too few cells.
  REDNOVA_FN bool steep(double rho, double p, const double (&over_two_cells)[3], purpose why) const {
    if (!(rho > scale_height_density * factor(why))) return false;
    double square = 0;
    for (const double difference : over_two_cells) square += difference * difference;
    return 0.5 * scale_height * exec::sqrt(square) > factor(why) * p;
  }
  static constexpr int lines = 3 * mesh::N * mesh::N;
};

}  // namespace rednova::regrid
