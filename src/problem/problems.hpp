// What each problem's file gives to the registry.
#pragma once

#include "problem/problem.hpp"

namespace rednova::problem {

using made = std::unique_ptr<problem>;

made make_sod(config::input& in, config::parameters& par);
made make_sedov(config::input& in, config::parameters& par);
made make_linear_wave(config::input& in, config::parameters& par);
made make_isentropic_vortex(config::input& in, config::parameters& par);
made make_gresho_vortex(config::input& in, config::parameters& par);
made make_rotating_disc(config::input& in, config::parameters& par);
made make_contact(config::input& in, config::parameters& par);
made make_uniform_flow(config::input& in, config::parameters& par);
made make_uniform_sphere(config::input& in, config::parameters& par);
made make_star_at_rest(config::input& in, config::parameters& par);
made make_star_in_motion(config::input& in, config::parameters& par);
made make_rotating_star(config::input& in, config::parameters& par);
made make_binary(config::input& in, config::parameters& par);

}  // namespace rednova::problem
