// What the user can set: one plain struct for each section of the input file.
// Quantities are in code units unless a unit is given. A struct's visit() names each member with its bounds
// and one sentence; reading, checking, printing and the manual's table all come from it.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "config/enums.hpp"
#include "config/outputs.hpp"
#include "config/parameter.hpp"

namespace rednova::config {

struct run {
  static constexpr const char* section = "run";
  double end_time = 0;
  double end_orbits = 0;
  double end_after_merger = 0;
  int max_steps = 1000000000;
  double max_hours = 0;

  template <class V>
  void visit(V& v) {
    v("end_time", end_time, not_negative(), "stop at this time; 0: not by time");
    v("end_orbits", end_orbits, not_negative(),
      "stop after this many orbits of two stars, else turns of the grid; 0: not by orbits");
    v("end_after_merger", end_after_merger, not_negative(),
      "stop once two stars have been one for this time; 0: not by that; another end is needed, too");
    v("max_steps", max_steps, not_negative(), "stop after this many steps");
    v("max_hours", max_hours, not_negative(),
      "write a checkpoint and stop after this wall time, that of the initial model included; 0: never");
  }
};

struct units {
  static constexpr const char* section = "units";
  unit_system system = unit_system::code;

  template <class V>
  void visit(V& v) {
    v("system", system, any_number(),
      "code: numbers without units, G = 1; solar: solar radii and masses, and the time that makes G = 1 (1593 s)");
  }
};

struct mesh {
  static constexpr const char* section = "mesh";
  std::array<double, 3> lower{-0.5, -0.5, -0.5};
  double base_width = 1;
  std::array<int, 3> base_blocks{1, 1, 1};
  int min_level = 0;
  int max_level = 0;
  int regrid_interval = 10;
  double rebalance_threshold = 0.1;
  double rotation = 0;
  followed rotation_follows = followed::nothing;
  bool inertial_after_merger = false;
  std::array<boundary, 6> boundaries{};  // x lower, x upper, y lower …

  template <class V>
  void visit(V& v) {
    v("lower", lower, any_number(), "lower corner of the domain");
    v("base_width", base_width, positive(), "edge of a base block");
    v("base_blocks", base_blocks, between(1, 64), "base blocks in each direction; gravity needs one block in all");
    v("min_level", min_level, between(0, 20), "coarsest level: all blocks are refined at least so often");
    v("max_level", max_level, between(0, 20), "finest level: a block is refined at most so often");
    v("regrid_interval", regrid_interval, not_negative(), "steps between adaptations of the mesh; 0: never");
    v("rebalance_threshold", rebalance_threshold, not_negative(),
      "when the mesh is adapted on several ranks, blocks move if that lowers the largest load by more than this share");
    v("rotation", rotation, any_number(), "angular velocity of the grid about the z axis");
    v("rotation_follows", rotation_follows, any_number(),
      "nothing: it stays so; orbit: whenever the mesh is adapted it becomes that of two stars about each other "
      "(docs/step.md)");
    v("inertial_after_merger", inertial_after_merger, any_number(),
      "no rotation once two stars have merged, when the mesh is adapted next: a wide grid that turns has short steps");
    v("boundaries", boundaries, any_number(),
      "at the lower and upper face in x, in y and in z; fixed: the outer half of the blocks there keeps the state of "
      "the start (docs/step.md)");
  }
};

/// Criteria that combine: a block is refined if any asks for it, derefined if none objects.
struct refine {
  static constexpr const char* section = "refine";
  double density = 0;
  int accretor_core_levels = 0;
  int donor_core_levels = 0;
  std::string gradient_field;
  double gradient = 0;
  int gradient_max_level = 20;
  double cells_per_scale_height = 0;
  double scale_height_density = 0;
  int unbound_level = 0;
  double unbound_density = 0;
  int photosphere_level = 0;
  std::array<double, 3> region_lower{};
  std::array<double, 3> region_upper{};
  int region_level = 0;
  double hysteresis = 0.5;

  template <class V>
  void visit(V& v) {
    v("density", density, not_negative(),
      "density that asks for the finest level, which is mesh.max_level less the larger of the two core levels; each "
      "level coarser asks at an eighth of it; 0: off");
    v("accretor_core_levels", accretor_core_levels, between(0, 10),
      "levels above the density criterion's finest where gas is denser than refine.density and more than half of it is "
      "of the species accretor_core");
    v("donor_core_levels", donor_core_levels, between(0, 10), "the same of donor_core");
    v("gradient_field", gradient_field, any_number(),
      "field whose relative jump between cells asks for refinement: density or pressure");
    v("gradient", gradient, not_negative(), "relative jump that asks for refinement; 0: off");
    v("gradient_max_level", gradient_max_level, between(0, 20), "finest level that the gradient may ask for");
    v("cells_per_scale_height", cells_per_scale_height, not_negative(),
      "cells to the pressure's scale height p/|grad p|: a block that has fewer anywhere in gas denser than "
      "scale_height_density is refined; 0: off");
    v("scale_height_density", scale_height_density, not_negative(),
      "mass density above which scale heights count: at a star's surface they vanish");
    v("unbound_level", unbound_level, between(0, 20),
      "level of blocks that hold unbound gas, of positive energy with heat and potential, denser than unbound_density; "
      "0: off");
    v("unbound_density", unbound_density, not_negative(), "mass density above which unbound gas counts");
    v("photosphere_level", photosphere_level, between(0, 20),
      "with [radiation], level of blocks in which light gets free: where the optical depth over a cell's width of that "
      "level passes through one from a cell to the next (docs/radiation.md); 0: off");
    v("region_lower", region_lower, any_number(), "lower corner of a box that is refined to region_level");
    v("region_upper", region_upper, any_number(), "upper corner of that box");
    v("region_level", region_level, between(0, 20), "level of that box; 0: off");
    v("hysteresis", hysteresis, between(0, 1),
      "a block may derefine where it stays below this share of the thresholds");
  }
};

struct hydro {
  static constexpr double no_ceiling = 1e100;
  static constexpr const char* section = "hydro";
  double gamma = 5.0 / 3.0;
  double cfl = 0.4;
  integrator time_integrator = integrator::rk3;
  reconstruction reconstruct = reconstruction::ppm;
  riemann_solver riemann = riemann_solver::hllc;
  bool contact_steepening = false;
  bool well_balanced = true;
  double density_contrast = 2;
  bool spin = true;
  double dual_energy_pressure = 1e-3;
  double dual_energy_update = 0.1;
  double density_floor = 1e-15;
  double energy_floor = 1e-20;
  double specific_energy_ceiling = no_ceiling;
  double thin_gas_density = 0;
  std::vector<std::string> species{"gas"};

  template <class V>
  void visit(V& v) {
    v("gamma", gamma, bounds{1, 10, true},
      "ratio of specific heats of the ideal gas, or of that part of the gas which is ideal");
    v("cfl", cfl, bounds{0, 1, true},
      "Courant number: dt = cfl * min h / max_d (|u_d| + c); at most 0.4 with rk3, 0.33 with rk2, 0.07 with rk2 and "
      "ppm (docs/step.md)");
    v("integrator", time_integrator, any_number(), "strong-stability-preserving Runge-Kutta scheme");
    v("reconstruction", reconstruct, any_number(), "states at faces: constant, plm or ppm (docs/hydro.md)");
    v("riemann", riemann, any_number(), "Riemann solver: hllc, or kt (Kurganov & Tadmor 2000)");
    v("contact_steepening", contact_steepening, any_number(), "steepen contact discontinuities (only ppm)");
    v("well_balanced", well_balanced, any_number(),
      "with gravity, edges of the pressure about hydrostatic equilibrium, so that stars at rest stay at rest; not with "
      "constant reconstruction");
    v("density_contrast", density_contrast, bounds{1},
      "where densities of neighbours differ by more than this factor the gas takes passive values' edges: made for "
      "stars' surfaces; without stars a large number keeps strong shocks sharper");
    v("spin", spin, any_number(),
      "keep the angular momentum of each cell (Despres & Labourasse 2015); off: it is lost to diffusion");
    v("dual_energy_pressure", dual_energy_pressure, between(0, 1),
      "e = E - rho v^2/2 where its heat (what of e is not there at zero temperature: all, in ideal gas) exceeds this "
      "share of E, else from the entropy tracer");
    v("dual_energy_update", dual_energy_update, between(0, 1),
      "the tracer is reset from E where heat exceeds this share of the neighbours' largest E");
    v("density_floor", density_floor, positive(), "smallest mass density; what a floor adds is in the ledger");
    v("energy_floor", energy_floor, positive(), "smallest heat by volume");
    v("specific_energy_ceiling", specific_energy_ceiling, positive(),
      "largest heat per mass of gas that is thinner than thin_gas_density: the gas around stars, which "
      "else may slow a run down; what it takes is in the ledger with the floors");
    v("thin_gas_density", thin_gas_density, not_negative(),
      "mass density below which specific_energy_ceiling holds, and without which it cannot be set: stars and shocks in "
      "denser gas are left alone");
    v("species", species, any_number(),
      "names of the passive species; their densities add up to the mass density; the problem 'binary' sets five of its "
      "own (docs/initial_models.md)");
  }
};

struct eos {
  static constexpr const char* section = "eos";
  gas_model model = gas_model::ideal;
  double electron_weight = 2;
  double mean_weight = 4.0 / 3.0;
  std::vector<double> hydrogen{0.7};
  double carbon = 0.01;
  double oxygen = 0.01;
  bool radiation = true;
  bool molecules = false;

  template <class V>
  void visit(V& v) {
    v("model", model, any_number(),
      "ideal: p = (gamma - 1) e; white_dwarf: degenerate electrons at zero temperature and an ideal gas of "
      "hydro.gamma; "
      "stellar: ionized and degenerate gas with radiation, from a table (docs/eos.md)");
    v("electron_weight", electron_weight, bounds{1, 3},
      "of white_dwarf: nucleons per electron; 2 for helium, carbon, oxygen");
    v("mean_weight", mean_weight, bounds{0.5, 60},
      "of white_dwarf: mean molecular weight of the ideal part, by which its temperature is found");
    v("hydrogen", hydrogen, between(0, 1),
      "of stellar: mass fraction of hydrogen in each species of hydro.species, or one number for all; what is neither "
      "hydrogen, carbon nor oxygen is helium");
    v("carbon", carbon, between(0, 1), "of stellar: mass fraction of carbon, the same in all species");
    v("oxygen", oxygen, between(0, 1), "of stellar: mass fraction of oxygen, the same in all species");
    v("radiation", radiation, any_number(), "of stellar: whether pressure and energy of radiation are the gas's");
    v("molecules", molecules, any_number(), "of stellar: whether cold hydrogen forms molecules");
  }
};

struct gravity {
  static constexpr const char* section = "gravity";
  bool enabled = false;
  int order = 3;
  int near_radius_squared = 6;
  config::cell_mass cell_mass = config::cell_mass::smooth;

  template <class V>
  void visit(V& v) {
    v("enabled", enabled, any_number(), "self-gravity with isolated boundaries");
    v("order", order, between(3, 5),
      "order of the multipole expansions: 3, 4 or 5; 4 is the default of the problem 'binary'");
    v("near_radius_squared", near_radius_squared, between(3, 15),
      "cells whose distance squared in cells is at most this interact directly or a level finer");
    v("cell_mass", cell_mass, any_number(),
      "smooth: the field of a smooth density with these cells' masses; point: that of point masses at their centres");
  }
};

struct radiation {
  static constexpr const char* section = "radiation";
  bool enabled = false;
  int substeps = 16;
  double cfl = 0.2;
  reconstruction reconstruct = reconstruction::ppm;
  opacity_law opacity = opacity_law::constant;
  double absorption = 0;
  double extinction = 0;
  std::vector<std::string> tables, planck_tables;
  double planck_factor = 1;
  double hydrogen = 0.7;
  double metals = 0.02;
  double mean_weight = 0.6;
  bool dust = false;
  double temperature = 0;
  double energy_floor = 1e-30;
  double light_speed = 0;
  double radiation_constant = 0;
  double gas_constant = 0;

  template <class V>
  void visit(V& v) {
    v("enabled", enabled, any_number(),
      "light in two moments that moves, and exchanges energy and momentum with the gas (docs/radiation.md); of "
      "gas that is ideal, or stellar with eos.radiation = false");
    v("substeps", substeps, between(1, 10000),
      "of light in a step; where cells are transparent light is slowed down to bear them, so repeat with twice as "
      "many");
    v("cfl", cfl, bounds{0, 0.4, true},
      "Courant number of a substep; E stays positive up to 0.3 with plm, 0.2 with ppm");
    v("reconstruction", reconstruct, any_number(), "of light at faces: constant, plm or ppm");
    v("opacity", opacity, any_number(),
      "constant: absorption and extinction; analytic: electrons, Kramers, negative hydrogen and molecules; table: "
      "of files; the last two need units.system = \"solar\"");
    v("absorption", absorption, not_negative(), "of constant: area by mass that absorbs and emits (Planck mean)");
    v("extinction", extinction, not_negative(),
      "of constant: area by mass that takes momentum (flux mean): absorption and scattering");
    v("tables", tables, any_number(),
      "of table: files of Rosseland means in the layout of OPAL (docs/radiation.md), beside the input");
    v("planck_tables", planck_tables, any_number(), "of table: the same of Planck means");
    v("planck_factor", planck_factor, positive(), "of table: Planck mean over Rosseland's, without planck_tables");
    v("hydrogen", hydrogen, between(0, 1), "of analytic and table with ideal gas: mass fraction of hydrogen");
    v("metals", metals, between(0, 1),
      "of analytic and table with ideal gas: mass fraction of all but hydrogen and helium");
    v("mean_weight", mean_weight, bounds{0.5, 60},
      "of ideal gas: mean molecular weight, by which its temperature is found");
    v("dust", dust, any_number(),
      "of analytic: opacity of grains below some 1500 K, in equilibrium with the gas (docs/radiation.md)");
    v("temperature", temperature, not_negative(),
      "of the light at the start, at rest everywhere; 0: that of the gas, and moving with it");
    v("energy_floor", energy_floor, positive(), "smallest energy density of light; what it adds is in the ledger");
    v("light_speed", light_speed, not_negative(), "with units.system = \"code\", which does not know it");
    v("radiation_constant", radiation_constant, not_negative(), "a of E = a T^4, with units.system = \"code\"");
    v("gas_constant", gas_constant, not_negative(), "R of p = R rho T/mean_weight, with units.system = \"code\"");
  }
};

/// Lists with one entry, or three, for each point mass.
struct point_masses {
  static constexpr const char* section = "point_masses";
  static constexpr std::size_t most = 8;  ///< kernels take them by value
  std::vector<double> mass, softening, position, velocity;
  int cells = 8;

  template <class V>
  void visit(V& v) {
    v("mass", mass, positive(),
      "masses of points that move among the gas, such as cores and companions that are not resolved (docs/gravity.md); "
      "8 of them at most");
    v("softening", softening, positive(),
      "of each, the radius of the sphere that its mass fills: a cubic spline, 2.8 times the length of Plummer's "
      "potential that is as deep");
    v("position", position, any_number(), "of each x, y, z at the start, one after the other");
    v("velocity", velocity, any_number(), "of each x, y, z at the start in the inertial frame");
    v("cells", cells, between(0, 64),
      "the mesh is refined about each point until it has so many cells to its softening, or mesh.max_level; 0: not");
  }
};

/// Of the orbit of two stars.
struct driving {
  static constexpr const char* section = "driving";
  double rate = 0;
  double orbits = 0;

  template <class V>
  void visit(V& v) {
    v("rate", rate, between(-0.5, 0.5),
      "share of the stars' orbital angular momentum that is taken out in an orbit, 0.01 for 1 %; below 0: put in; what "
      "it takes is in the ledger (docs/step.md)");
    v("orbits", orbits, not_negative(), "drive until so many orbits have passed; 0: until the stars have merged");
  }
};

/// Everything but the problem's own section.
struct parameters {
  config::run run;
  config::units units;
  config::mesh mesh;
  config::refine refine;
  config::hydro hydro;
  config::eos eos;
  config::gravity gravity;
  config::radiation radiation;
  config::point_masses point_masses;
  config::driving driving;
  config::tracers tracers;
  config::output output;

  template <class V>
  void visit_sections(V& v) {
    v(run);
    v(units);
    v(mesh);
    v(refine);
    v(hydro);
    v(eos);
    v(gravity);
    v(radiation);
    v(point_masses);
    v(driving);
    v(tracers);
    v(output);
  }
};

}  // namespace rednova::config
