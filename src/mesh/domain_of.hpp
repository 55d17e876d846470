// The domain that an input describes.
#pragma once

#include "config/parameters.hpp"
#include "mesh/tree.hpp"

namespace rednova::mesh {

inline domain domain_of(const config::mesh& m) {
  domain box{.lower = {m.lower[0], m.lower[1], m.lower[2]},
             .base_width = m.base_width,
             .base = {m.base_blocks[0], m.base_blocks[1], m.base_blocks[2]},
             .periodic = {}};
  for (std::size_t d = 0; d < 3; ++d) box.periodic[d] = m.boundaries[2 * d] == config::boundary::periodic;
  return box;
}

}  // namespace rednova::mesh
