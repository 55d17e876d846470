#include "regrid/transfer_light.hpp"

#include <algorithm>
#include <memory>

#include "radiation/scheme.hpp"
#include "regrid/transfer.hpp"

namespace rednova::regrid {

namespace {

namespace field = radiation::field;

/// Light in the places of a gas: U for the density, Q for the momentum, spin for spin, its speed for the tracer. The
/// energy is nothing that light has; it only has to exceed that of the motion, Q²/(2U) <= 2 U/c², by so much that it
/// limits no slope.
void write_as_gas(const mesh::field_numbers& f, const mesh::block_data& light, double c, int leaf,
                  mesh::block_data& all) {
  for (int n = 0; n < mesh::cells; ++n) {
    const double u = light.at(leaf, field::energy)[n];
    all.at(leaf, f.species(0))[n] = u;
    for (int d = 0; d < 3; ++d) {
      all.at(leaf, f.momentum(d))[n] = light.at(leaf, field::momentum(d))[n];
      all.at(leaf, f.spin(d))[n] = light.at(leaf, field::spin(d))[n];
    }
    all.at(leaf, f.energy())[n] = 1e3 * u / (c * c);
    all.at(leaf, f.entropy())[n] = light.at(leaf, field::speed)[n];
  }
}

}  // namespace

mesh::block_data transfer_light(exec::context& context, const mesh::tree& from, const mesh::tree& to,
                                const exchange::halo_exchange& halo, exchange::reach far,
                                const mesh::local_partition& own, const mesh::block_data& light, double light_speed,
                                bool spin) {
  const mesh::fields f(1);
  const auto exchange = context.ranks() == nullptr
                            ? std::make_unique<exchange::halo_exchange>(context, from, f)
                            : std::make_unique<exchange::halo_exchange>(context, from, f, halo.partition(), far);
  mesh::block_data all(exchange->nodes(), f.size());
  exchange::for_leaves(context, "transfer", halo.partition(),
                       [&](int leaf) { write_as_gas(f, light, light_speed, leaf, all); });
  exchange->restrict_all(all);
  exchange->start_ghosts(all);
  exchange->finish_ghosts(all);
  exchange->fetch_parents(all);
  const mesh::block_data next = transfer(context, from, to, own, f, all);
  mesh::block_data result(mesh::slots::of_leaves(own), field::count);
  exchange::for_leaves(context, "transfer", own, [&](int leaf) {
    std::copy_n(next.at(leaf, f.species(0)), mesh::cells, result.at(leaf, field::energy));
    std::copy_n(next.at(leaf, f.entropy()), mesh::cells, result.at(leaf, field::speed));
    for (int d = 0; d < 3; ++d) {
      std::copy_n(next.at(leaf, f.momentum(d)), mesh::cells, result.at(leaf, field::momentum(d)));
      if (spin) std::copy_n(next.at(leaf, f.spin(d)), mesh::cells, result.at(leaf, field::spin(d)));
    }
  });
  return result;
}

}  // namespace rednova::regrid
