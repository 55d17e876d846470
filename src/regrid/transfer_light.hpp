// Light from one mesh to the next, conserving its energy, momentum and, with spin, angular momentum.
#pragma once

#include "exchange/halo_exchange.hpp"
#include "exec/for_each.hpp"
#include "mesh/block_data.hpp"
#include "mesh/local_partition.hpp"
#include "mesh/tree.hpp"

namespace rednova::regrid {

/// The light of a rank's own leaves of `to`, by the rules of the gas: U divides as a density does and Q as its
/// momentum. What angular momentum children's Q have about the centre of the cell that they are made of, or make, goes
/// to the spin of the light there.
///
/// halo: of `from`; light: [radiation::field::count] of own leaves of `from`; spin: whether cells keep theirs. All
/// ranks call it.
mesh::block_data transfer_light(exec::context& context, const mesh::tree& from, const mesh::tree& to,
                                const exchange::halo_exchange& halo, exchange::reach far,
                                const mesh::local_partition& own, const mesh::block_data& light, double light_speed,
                                bool spin);

}  // namespace rednova::regrid
