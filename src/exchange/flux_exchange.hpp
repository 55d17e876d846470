// The fluxes of fine faces for the coarse leaves behind them, where those are another rank's.
#pragma once

#include <string>

#include "exchange/block_exchange.hpp"
#include "exchange/face_plan.hpp"

namespace rednova::exchange {

/// The fluxes of a fine face travel under its number among all faces of leaves: the node of the exchange.
constexpr int key_of_face(int leaf, int face) { return leaf * mesh::faces + face; }
/// A fine face's slot by its key, and its register.
inline int slot_of(const face_plan& faces, int key) { return faces.slot(key / mesh::faces, key % mesh::faces); }
inline double* register_of(flux_registers& registers, const face_plan& faces, int key) {
  return registers.at(slot_of(faces, key));
}

/// The exchange that brings `numbers` of each such face. Its name as in block_exchange; for several ranks.
block_exchange flux_exchange(exec::context& context, const std::string& name, const face_plan& faces,
                             const mesh::local_partition& own, int numbers);

}  // namespace rednova::exchange
