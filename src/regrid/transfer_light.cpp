#include "regrid/transfer_light.hpp"

#include <algorithm>
#include <memory>

#include "radiation/scheme.hpp"
#include "regrid/transfer.hpp"

namespace rednova::regrid {

namespace {

namespace field = radiation::field;

/// Light in the places of a gas: U for the density, Q for the momentum, spin for spin, c E = ĉ U for the tracer. The
/// energy is nothing that light has; it only has to exceed that of the motion, Q²/(2U) <= 2 U/c², by so much that it
/// limits no slope.
///
/// E is the same on both sides of a photosphere, where ĉ and U jump: means of these would make another E.
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
    all.at(leaf, f.entropy())[n] = u * light.at(leaf, field::speed)[n];
  }
}

/// ĉ of cells whose U and c E are given; of dark ones c. Slopes of both in a cell that was divided may give a child
/// more of E than it has of U: then all eight have what the cell had.
void write_speeds(const double* u, const double* energy, double c, double* speed) {
  constexpr int half = mesh::N / 2;
  constexpr double rounding = 1e-12;
  for (int group = 0; group < mesh::cells / 8; ++group) {
    const int corner = mesh::cell(2 * (group % half), 2 * (group / half % half), 2 * (group / half / half));
    double all_u = 0, all_energy = 0;
    bool beyond = false;
    const auto for_children = [&](const auto& body) {
      for (int n = 0; n < 8; ++n) body(corner + mesh::cell(n & 1, n >> 1 & 1, n >> 2));
    };
    for_children([&](int n) {
      all_u += u[n];
      all_energy += energy[n];
      beyond = beyond || energy[n] > (1 + rounding) * c * u[n];
    });
    for_children([&](int n) {
      const double of_u = beyond ? all_energy / all_u : energy[n] / u[n];
      speed[n] = u[n] > 0 ? std::min(of_u, c) : c;
    });
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
    const int same = from.find(to[leaf].id);
    if (same >= 0 && same < from.leaves())  // to the bit: a mesh that only moves to other ranks changes nothing
      std::copy_n(light.at(same, field::speed), mesh::cells, result.at(leaf, field::speed));
    else
      write_speeds(next.at(leaf, f.species(0)), next.at(leaf, f.entropy()), light_speed, result.at(leaf, field::speed));
    for (int d = 0; d < 3; ++d) {
      std::copy_n(next.at(leaf, f.momentum(d)), mesh::cells, result.at(leaf, field::momentum(d)));
      if (spin) std::copy_n(next.at(leaf, f.spin(d)), mesh::cells, result.at(leaf, field::spin(d)));
    }
  });
  return result;
}

}  // namespace rednova::regrid
