#include "step/view.hpp"

#include <algorithm>

#include "step/simulation.hpp"
#include "step/workspace.hpp"

namespace rednova::step {

state_view view_without_arrays(const simulation& s) {
  return {.tree = mesh::view(s.tree()),
          .fields = s.fields(),
          .eos = s.eos(),
          .limits = hydro::floor_limits(s.par().hydro, s.eos()),
          .tracer_share = s.par().hydro.dual_energy_update,
          .pressure_share = s.par().hydro.dual_energy_pressure,
          .rotation = s.rotation(),
          .spin = s.par().hydro.spin,
          .fixed = std::ranges::count(s.par().mesh.boundaries, config::boundary::fixed) > 0,
          .u = {},
          .next = {},
          .start = {},
          .gravity = {},
          .start_potential = {},
          .gravity_work = {},
          .work_inputs = {},
          .floor_density = {},
          .stiffness = {},
          .mass_flow = {nullptr, nullptr},
          .first_leaf = s.own_leaves()[0],
          .faces = {}};
}

state_view view(simulation& s, workspace& w) {
  state_view v = view_without_arrays(s);
  v.u = mesh::view(s.u());
  v.next = mesh::view(w.next);
  v.start = mesh::view(w.start);
  v.gravity = mesh::view(s.gravity());
  v.start_potential = mesh::view(w.start_potential);
  v.gravity_work = mesh::view(w.gravity_work);
  v.work_inputs = mesh::view(w.work_inputs);
  v.floor_density = mesh::view(w.floor_density);
  v.mass_flow[0] = w.mass_flow[0].data();
  v.mass_flow[1] = w.mass_flow[1].data();
  v.faces = w.faces.view(w.registers);
  return v;
}

}  // namespace rednova::step
