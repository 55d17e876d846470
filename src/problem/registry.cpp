#include "config/nearest.hpp"
#include "core/check.hpp"
#include "core/shortened.hpp"
#include "problem/problems.hpp"

namespace rednova::problem {

const std::vector<entry>& registry() {
  static const std::vector<entry> rows{
      {"sod", "shock tube along any direction, exact solution known", make_problem<sod>},
      {"sedov", "point explosion", make_problem<sedov>},
      {"linear_wave", "small sound, entropy or shear wave along any direction", make_problem<linear_wave>},
      {"isentropic_vortex", "drifting vortex of uniform entropy", make_problem<isentropic_vortex>},
      {"gresho_vortex", "vortex in a triangle of velocity, in balance", make_problem<gresho_vortex>},
      {"rotating_disc", "disc that turns like a solid body in gas at rest", make_problem<rotating_disc>},
      {"contact", "ball of other density that drifts with the gas around it", make_problem<contact>},
      {"uniform_flow", "constant gas, which must stay so on any mesh", make_problem<uniform_flow>},
      {"uniform_sphere", "sphere of constant density, for its gravity", make_problem<uniform_sphere>},
      {"star_at_rest", "star in equilibrium: polytrope, white dwarf, of one entropy or of a profile",
       make_problem<star_at_rest>},
      {"star_in_motion", "the same, crossing the grid", make_problem<star_in_motion>},
      {"rotating_star", "uniformly rotating polytrope", make_problem<rotating_star>},
      {"common_envelope", "giant and a companion that is a point mass", make_problem<common_envelope>},
      {"binary", "two stars in equilibrium: detached, semi-detached, in contact or in a common envelope",
       make_problem<binary>},
  };
  return rows;
}

std::unique_ptr<problem> make(config::input& in, config::parameters& par) {
  const std::string name = in.problem_name();
  std::vector<std::string> names;
  for (const entry& row : registry()) {
    if (name == row.name) return row.make(in, par);
    names.emplace_back(row.name);
  }
  core::fail("{}: there is no problem '{}'.{} `rednova problems` lists them all.", in.place("problem", "name"),
             core::shortened(name), config::did_you_mean(name, names));
}

}  // namespace rednova::problem
