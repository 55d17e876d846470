#include "exchange/restrict.hpp"

#include "exchange/restrict_cells.hpp"

namespace rednova::exchange {

void restrict_octant(const mesh::tree& t, const mesh::fields& fields, mesh::block_data& u, int node, int octant) {
  fill_octant(restrict_gas_cell{mesh::view(t), fields, mesh::view(u)}, node, octant);
}

void restrict_scalar_octant(const mesh::tree& t, mesh::block_data& u, int field, int node, int octant) {
  fill_octant(restrict_scalar_cell{mesh::view(t), mesh::view(u), field}, node, octant);
}

void restrict_all(exec::context& context, const mesh::tree& t, const mesh::fields& fields, mesh::block_data& u) {
  for (int level = t.max_level() - 1; level >= 0; --level) {
    const auto [first, last] = t.refined(level);
    exec::for_each(context, "restrict", last - first, [&](int i) {
      for (int octant = 0; octant < 8; ++octant) restrict_octant(t, fields, u, first + i, octant);
    });
  }
}

}  // namespace rednova::exchange
