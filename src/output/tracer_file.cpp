#include "output/tracer_file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "exchange/gather.hpp"
#include "gravity/result_field.hpp"
#include "hydro/unbound.hpp"
#include "output/field_list.hpp"
#include "output/file_head.hpp"
#include "output/published_hdf5.hpp"
#include "step/particles.hpp"
#include "step/rotation.hpp"

namespace rednova::output {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// What is known of the gas in the particles' cells, at rank 0.
struct gas_at_particles {
  std::vector<std::int64_t> unbound;        // [particle]: 1 or 0; -1 of one that has left
  std::vector<std::vector<double>> values;  // [field][particle]
};

int cell_at(const mesh::tree& t, int leaf, const core::vec3d& x) {
  const core::vec3d place = (1 / t.cell_width(leaf)) * (x - t.corner(leaf));
  std::array<int, 3> at{};
  for (std::size_t d = 0; d < 3; ++d) at[d] = std::clamp(static_cast<int>(place[static_cast<int>(d)]), 0, mesh::N - 1);
  return mesh::cell(at[0], at[1], at[2]);
}

bool is_unbound(const step::simulation& s, int leaf, int cell) {
  if (s.gravity().empty()) return false;
  const double phi = s.gravity().at(leaf, gravity::potential)[cell];
  return hydro::unbound_cell(s.fields(), s.eos(), s.par().hydro.dual_energy_pressure, s.u().at(leaf) + cell, phi).by[0];
}

gas_at_particles look(const step::simulation& s, const std::vector<snapshot_field>& fields) {
  const std::vector<step::tracer_particle>& particles = s.particles();
  const std::vector<int> leaves = step::leaves_of(s.tree(), particles);
  const std::vector<std::size_t> own = step::own_particles(s, leaves);
  // A row for each: its number, whether it is unbound, and the fields.
  const std::size_t width = 2 + fields.size();
  std::vector<double> mine(own.size() * width), blocks(fields.size() * mesh::cells);
  int held = mesh::no_block;  // the leaf whose values are at hand
  for (std::size_t i = 0; i < own.size(); ++i) {
    const int leaf = leaves[own[i]];
    for (std::size_t f = 0; f < fields.size() && leaf != held; ++f)
      fields[f].values(s, leaf, blocks.data() + f * mesh::cells);
    held = leaf;
    const int cell = cell_at(s.tree(), leaf, particles[own[i]].position);
    double* const row = mine.data() + i * width;
    row[0] = static_cast<double>(own[i]);
    row[1] = is_unbound(s, leaf, cell) ? 1 : 0;
    for (std::size_t f = 0; f < fields.size(); ++f)
      row[2 + f] = blocks[f * mesh::cells + static_cast<std::size_t>(cell)];
  }
  gas_at_particles found{std::vector<std::int64_t>(particles.size(), -1),
                         {fields.size(), std::vector<double>(particles.size(), nothing)}};
  const std::vector<double> all = exchange::lists_at_first(s.context(), mine);
  for (std::size_t at = 0; at < all.size(); at += width) {
    const auto n = static_cast<std::size_t>(all[at]);
    found.unbound[n] = all[at + 1] > 0 ? 1 : 0;
    for (std::size_t f = 0; f < fields.size(); ++f) found.values[f][n] = all[at + 2 + f];
  }
  return found;
}

}  // namespace

void write_tracers(const std::string& path, const step::simulation& s, const provenance& from) {
  s.expect_fields();
  const std::vector<snapshot_field> fields = snapshot_fields(s, s.par().output.tracer_fields);
  const gas_at_particles gas = look(s, fields);
  const std::vector<core::vec3d> velocities = step::gas_velocities(s, s.particles());
  const auto to_inertial = step::frame_rotation::to_inertial(s.grid_angle());
  std::vector<double> left, position, velocity;
  for (std::size_t n = 0; n < s.particles().size(); ++n) {
    const step::tracer_particle& p = s.particles()[n];
    left.push_back(p.left);
    const core::vec3d x = to_inertial(p.position), v = to_inertial(velocities[n]);
    for (int d = 0; d < 3; ++d) position.push_back(p.inside() ? x[d] : nothing);
    for (int d = 0; d < 3; ++d) velocity.push_back(p.inside() ? v[d] : nothing);
  }
  const std::uint64_t count = left.size();
  write_published(s.context(), path, [&](hdf5_file& file) {
    file.set<std::int64_t>("/", "tracers_format", 1);
    write_file_head(file, s, from);
    std::vector<std::string> names;
    for (const snapshot_field& f : fields) names.push_back(f.name);
    file.set("/", "fields", names);
    file.write<double>("/left", left, {count});
    file.write<double>("/position", position, {count, 3});
    file.write<double>("/velocity", velocity, {count, 3});
    file.write<std::int64_t>("/unbound", gas.unbound, {count});
    for (std::size_t f = 0; f < fields.size(); ++f) {
      file.write<double>("/" + fields[f].name, gas.values[f], {count});
      file.set("/" + fields[f].name, "units", fields[f].units);
    }
  });
}

}  // namespace rednova::output
