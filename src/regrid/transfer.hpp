// Fields from one mesh to the next, conserving mass, momentum, energy of the gas and angular momentum.
#pragma once

#include "exec/for_each.hpp"
#include "mesh/block_data.hpp"
#include "mesh/fields.hpp"
#include "mesh/local_partition.hpp"
#include "mesh/tree.hpp"

namespace rednova::regrid {

/// The fields on a rank's own leaves of `to`, which alone are stored: leaves that were there are copied, merged ones
/// take the restricted data of the refined node, new ones are prolonged from the old leaf (exchange::divide_gas).
///
/// old: [nodes of from][fields], restricted, with halo copies of what is around its leaves of `from` and of their
/// parents.
mesh::block_data transfer(exec::context& context, const mesh::tree& from, const mesh::tree& to,
                          const mesh::local_partition& own, const mesh::fields& fields, const mesh::block_data& old);

}  // namespace rednova::regrid
