// The parameters of a run of two stars that the tests share.
#pragma once

#include "config/parameters.hpp"

namespace rednova::diagnose {

/// The box [-half, half]³ in 64 blocks, with the species of a binary.
inline config::parameters two_stars(double half) {
  config::parameters p;
  p.mesh.lower = {-half, -half, -half};
  p.mesh.base_width = 2 * half;
  p.mesh.min_level = 2;
  p.hydro.species = {"accretor_core", "accretor_envelope", "donor_core", "donor_envelope", "atmosphere"};
  return p;
}

}  // namespace rednova::diagnose
