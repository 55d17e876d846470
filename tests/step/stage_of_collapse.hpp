// A simulation in the middle of a stage, with random numbers where a phase is to write.
#pragma once

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "collapse.hpp"
#include "stage_arrays.hpp"
#include "step/cores.hpp"
#include "step/stage.hpp"

namespace rednova::step::test {

using mesh::cells;

struct physics {
  bool gravity;
  double rotation;
  bool spin;
};

struct stage_of_collapse {
  explicit stage_of_collapse(const physics& p) : s(parameters(p), context) {
    start_collapse(s);
    for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) fill(s.u().at(leaf, 2), cells, 1e-3);
    prepare(s);
    for (mesh::block_data* b :
         {&work().start, &work().next, &s.gravity(), &work().start_potential, &work().gravity_work}) {
      fill(*b, -1);
    }
    fill(work().work_inputs, 0.1);
    fill(work().floor_density, -1);
    for (auto& flow : work().mass_flow) fill(flow.data(), flow.size(), -1);
    fill(work().registers.data(), work().registers.size(), -1);
    std::vector<exec::task> none;
    work().add_flux_tasks(none);  // fluxes are to come
    // Not all, and not in their order: positions are no leaves.
    for (int leaf = s.tree().leaves() - 1; leaf > 0; --leaf) list.push_back(leaf);
  }

  workspace& work() { return cores_of(s).work(); }

  static config::parameters parameters(const physics& p) {
    config::parameters c = collapse_parameters({.rotation = p.rotation, .gravity = p.gravity, .spin = p.spin});
    c.hydro.species = {"core", "envelope", "dust"};
    c.hydro.density_floor = 1e-3;
    c.hydro.specific_energy_ceiling = 100;
    c.hydro.thin_gas_density = 0.5;
    return c;
  }

  /// Makes cells of some leaves break a limit each, from the one at position `first` on.
  void spoil(mesh::block_data& u, std::size_t first) {
    const mesh::fields& f = s.fields();
    const double infinite = std::numeric_limits<double>::infinity();
    const std::vector<std::pair<int, double>> wrong{
        {f.species(0), -1.0}, {f.species(1), -1e-18}, {f.momentum(1), 1e9},       {f.energy(), 1e9},
        {f.entropy(), 0.0},   {f.entropy(), -1.0},    {f.energy(), std::nan("")}, {f.energy(), -infinite}};
    for (std::size_t n = 0; n < wrong.size(); ++n) {
      for (const int c : {static_cast<int>(7 * n), cells - 1})
        u.at(list[first + 1 + n], wrong[n].first)[c] = wrong[n].second;
    }
    for (int k = 0; k < f.species(); ++k) u.at(list[first], k)[33] = 1e-6;
  }

  exec::context context{1};
  simulation s;
  std::vector<int> list;
  std::vector<stage_form> scheme = stages(config::integrator::rk3);
  double dt = 1e-3;
};

}  // namespace rednova::step::test
