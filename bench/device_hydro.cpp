// Hydro's kernels on a device: the update of blocks, the time step and the conserved sums.
#include <cmath>

#include "device_table.hpp"
#include "hydro/cuda/block_update.hpp"

namespace rednova::bench {

namespace {

using exec::cuda::on_device;

constexpr double width = 1.0 / 64, rotation = 0.5;

/// A smooth flow with a jump in density, every field at work: [field][ghosted cell].
std::vector<double> flow(const mesh::fields& f, const eos::ideal_gas& eos) {
  std::vector<double> u(static_cast<std::size_t>(f.size() * mesh::ghosted_cells));
  for (int c = 0; c < mesh::ghosted_cells; ++c) {
    const int i = c % mesh::M, j = c / mesh::M % mesh::M, k = c / (mesh::M * mesh::M);
    const double rho = (1 + 0.1 * std::sin(0.3 * i + 0.2 * j)) * (i > j ? 1.0 : 0.6);
    const core::vec3d v{0.3 * std::cos(0.2 * j), 0.2 * std::sin(0.3 * i), 0.1 * std::cos(0.1 * i + 0.3 * k)};
    const double e = eos.at(rho).energy_of_pressure(rho * (1 + 0.1 * std::cos(0.2 * k)));
    const auto at = [&](int field) -> double& { return u[static_cast<std::size_t>(field * mesh::ghosted_cells + c)]; };
    double left = rho;
    for (int s = 0; s + 1 < f.species(); ++s) left -= at(f.species(s)) = left * (0.4 + 0.1 * std::sin(0.2 * k + s));
    at(f.species(f.species() - 1)) = left;
    for (int d = 0; d < 3; ++d) at(f.momentum(d)) = rho * v[d];
    at(f.energy()) = e + 0.5 * rho * dot(v, v);
    at(f.entropy()) = eos.tracer_of_heat(e);
    for (int d = 0; d < 3; ++d) at(f.spin(d)) = 0.01 * rho * width * width;
  }
  return u;
}

/// The fields without ghosts: [field][cell].
std::vector<double> inner(const mesh::fields& f, const std::vector<double>& u) {
  std::vector<double> all;
  for (int field = 0; field < f.size(); ++field)
    for (int c = 0; c < mesh::cells; ++c) {
      const int at = mesh::ghosted(c % mesh::N, c / mesh::N % mesh::N, c / (mesh::N * mesh::N));
      all.push_back(u[static_cast<std::size_t>(field * mesh::ghosted_cells + at)]);
    }
  return all;
}

/// A block's numbers once for each block of a launch.
exec::cuda::array<double> many(const exec::cuda::context& context, const std::vector<double>& one) {
  std::vector<double> all;
  for (int b = 0; b < blocks; ++b) all.insert(all.end(), one.begin(), one.end());
  return on_device(context, all);
}

/// Operations of a cell, counted on the processor.
double counted_flops(const config::hydro& par, const mesh::fields& f, const eos::ideal_gas& eos,
                     const std::vector<double>& u) {
  hydro::block_scratch scratch;
  std::vector<double> rate(static_cast<std::size_t>(f.size() * mesh::cells));
  counted::operations = 0;
  hydro::block_kernel<counted, eos::ideal_gas>(par, f, eos)(
      {.u = u.data(), .corner = {}, .h = width, .rotation = rotation}, {.rate = rate.data()}, {1e-3, 6}, scratch);
  return static_cast<double>(counted::operations) / mesh::cells;
}

void update(const exec::cuda::context& context, const std::string& name, int species, bool spin, const peaks& most) {
  config::hydro par;
  par.spin = spin;
  const mesh::fields f(species);
  const eos::ideal_gas eos{par.gamma};
  const std::vector<double> one = flow(f, eos);
  const hydro::cuda::block_update update(par, f, eos);
  constexpr std::size_t faces = 3 * hydro::pencil_faces * mesh::N * mesh::N, count = blocks;
  const auto fields = static_cast<std::size_t>(f.size());
  const auto u = many(context, one);
  exec::cuda::array<double> rate(count * fields * mesh::cells), mass(count * faces),
      scratch(count * static_cast<std::size_t>(update.scratch()));
  std::vector<hydro::block_input> in;
  std::vector<hydro::block_output> out;
  for (std::size_t b = 0; b < count; ++b) {
    in.push_back({.u = u.data() + b * one.size(), .corner = {}, .h = width, .rotation = rotation});
    out.push_back({.rate = rate.data() + b * fields * mesh::cells, .mass_flux = mass.data() + b * faces});
  }
  const auto in_there = on_device(context, in);
  const auto out_there = on_device(context, out);
  const double time = seconds(context, [&] {
    update(context, blocks, in_there.data(), out_there.data(), {1e-3, 6}, scratch.data());
  });
  // Every field read and written once, and the mass flux through every face written.
  report(name, time, {counted_flops(par, f, eos, one), 8.0 * (2.0 * f.size() + double(faces) / mesh::cells)}, most);
}

void time_step(const exec::cuda::context& context, const peaks& most) {
  const config::hydro par;
  const mesh::fields f(5);
  const eos::ideal_gas eos{par.gamma};
  const std::vector<double> one = inner(f, flow(f, eos));
  const auto u = many(context, one);
  std::vector<hydro::signal_input> signals;
  for (std::size_t b = 0; b < blocks; ++b) signals.push_back({u.data() + b * one.size(), {}, width});
  const auto signals_there = on_device(context, signals);
  const hydro::cuda::block_update update(par, f, eos);
  // Bytes and operations as in step_work; the copy of the blocks' results to the host is in the time.
  report("time step",
         seconds(context, [&] { update.largest_signal_rate(context, blocks, signals_there.data(), rotation); }),
         {f.species() + 20.0, 8.0 * (f.species() + 5)}, most);
}

}  // namespace

void hydro_kernels(const exec::cuda::context& context, const peaks& most) {
  update(context, "hydro 5, spin", 5, true, most);
  update(context, "hydro 1, no spin", 1, false, most);
  time_step(context, most);
}

}  // namespace rednova::bench
