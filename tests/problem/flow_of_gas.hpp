// Errors of flows that have an exact solution in any gas, by the number of blocks along them.
#pragma once

#include <fmt/format.h>

#include "problem/simulated.hpp"

namespace rednova::problem::test {

/// Of the density in a shock tube of length 1, over the mean density. set: gas, states and end.
inline double tube_error(int blocks, overrides set) {
  exec::context context;
  set.insert(set.end(), {"mesh.max_level=0", fmt::format("mesh.base_blocks=[{},1,1]", blocks),
                         fmt::format("mesh.base_width={}", 1.0 / blocks), "units.system=\"solar\""});
  simulated run(context, "sod", set);
  const error_norms e = run.run().error();
  return e.density / e.exact_density;
}

/// Of the density in a sound wave of a small amplitude and wavelength 1, whose speed is that of Gamma1.
inline double sound_error(int blocks, overrides set) {
  exec::context context;
  set.insert(set.end(), {fmt::format("mesh.base_blocks=[{},1,1]", blocks), "mesh.lower=[0,0,0]",
                         fmt::format("mesh.base_width={}", 1.0 / blocks), "mesh.min_level=0", "mesh.max_level=0",
                         "problem.normal=[1,0,0]", "problem.wavelength=1", "problem.family=\"sound\"",
                         "problem.amplitude=1e-5", "problem.velocity=0", "units.system=\"solar\""});
  simulated run(context, "linear_wave", set);
  return run.run().error().density;
}

}  // namespace rednova::problem::test
