#include "hydro/cuda/block_update.hpp"

#include "hydro/cuda/update_kernels.hpp"
#include "hydro/thread_block_signal.hpp"

namespace rednova::hydro::cuda {

block_update::block_update(const config::hydro& par, const mesh::fields& fields, eos::gas eos)
    : par_(par), fields_(fields), eos_(eos) {}

int block_update::scratch() const { return par_.spin || fields_.has_acceleration() ? thread_block_scratch : 0; }

void block_update::operator()(const exec::cuda::context& context, int blocks, const block_input* in,
                              const block_output* out, const stage_spin_exchange& exchange, double* scratch) const {
  eos_.visit([&]<class Eos>(const Eos& eos) {
    const update_of_blocks<Eos> what{
        fields_, variables(fields_, par_.spin, Eos::varies), eos, par_.dual_energy_pressure, in, out, scratch,
        exchange};
    with_scheme(par_,
                [&]<class Edges, class Riemann>() { update_blocks<Edges, Riemann>(context, par_, blocks, what); });
  });
}

double block_update::largest_signal_rate(const exec::cuda::context& context, int blocks, const signal_input* in,
                                         double rotation) const {
  exec::cuda::array<double> rates(static_cast<std::size_t>(blocks));
  eos_.visit([&]<class Eos>(const Eos& eos) {
    using kernel = thread_block_signal<128, Eos>;
    exec::cuda::for_each_thread_block(context, blocks, kernel::memory,
                                      kernel{fields_, eos, par_.dual_energy_pressure, rotation, in, rates.data()});
  });
  double largest = 0.0;
  for (const double rate : rates.to_host(context)) largest = larger_rate(largest, rate);
  return largest;
}

}  // namespace rednova::hydro::cuda
