// The problems of the registry, each of which is made in its own file.
#pragma once

#include "problem/problem.hpp"

namespace rednova::problem {

class sod;
class sedov;
class linear_wave;
class isentropic_vortex;
class gresho_vortex;
class rotating_disc;
class contact;
class uniform_flow;
class uniform_sphere;
class star_at_rest;
class star_in_motion;
class rotating_star;
class common_envelope;
class binary;

using made = std::unique_ptr<problem>;

/// Reads the problem's keys from [problem] and makes it (make_problem.hpp).
template <class Problem>
made make_problem(config::input& in, config::parameters& par);
/// Sets defaults of other sections, too.
template <>
made make_problem<binary>(config::input& in, config::parameters& par);

}  // namespace rednova::problem
