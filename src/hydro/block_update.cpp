#include "hydro/block_update.hpp"

#include "hydro/block_kernel.hpp"
#include "hydro/signal_speed.hpp"

namespace rednova::hydro {

block_update::block_update(const config::hydro& par, const mesh::fields& fields, eos::gas eos)
    : par_(par), fields_(fields), eos_(eos) {}

void block_update::operator()(const block_input& in, const block_output& out, const stage_spin_exchange& exchange,
                              block_scratch& scratch) const {
  eos_.visit([&]<class Eos>(const Eos& eos) {
    block_kernel<exec::pack, Eos>(par_, fields_, eos)(in, out, exchange, scratch);
  });
}

double block_update::signal_speed(const double* u, core::vec3d corner, double h, double rotation) const {
  return eos_.visit([&](const auto& eos) {
    return largest_signal_speed<exec::pack>(u, corner, h, rotation, fields_, par_.dual_energy_pressure, eos);
  });
}

}  // namespace rednova::hydro
