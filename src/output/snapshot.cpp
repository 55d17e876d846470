#include "output/snapshot.hpp"

#include <filesystem>
#include <limits>

#include "exec/array.hpp"
#include "output/durable.hpp"
#include "output/field_list.hpp"
#include "output/hdf5.hpp"
#include "output/published_hdf5.hpp"
#include "output/xdmf.hpp"

namespace rednova::output {
namespace {

using mesh::N;

const char* name_of(config::boundary b) {
  return config::enum_names<config::boundary>::value[static_cast<std::size_t>(b)];
}

/// What the front end needs to know of the mesh (Parthenon's output format 4).
void write_info(hdf5_file& file, const step::simulation& s, const std::vector<snapshot_field>& fields) {
  file.make_group("/Info");
  const mesh::domain& box = s.tree().box();
  const core::vec3d upper = box.upper();
  std::vector<double> domain;
  std::vector<std::int64_t> size;
  for (int d = 0; d < 3; ++d) {
    domain.insert(domain.end(), {box.lower[d], upper[d], 1.0});  // 1: ratio of neighbouring cells' widths
    size.push_back(box.base[d] * N);
  }
  std::vector<std::string> names, boundaries;
  for (const snapshot_field& f : fields) names.push_back(f.name);
  for (config::boundary b : s.par().mesh.boundaries) boundaries.emplace_back(name_of(b));
  file.set<std::int64_t>("/Info", "OutputFormatVersion", 4);
  file.set("/Info", "Coordinates", std::string("UniformCartesian"));
  file.set<std::int64_t>("/Info", "NumMeshBlocks", s.tree().leaves());
  file.set<std::int64_t>("/Info", "MaxLevel", s.tree().max_level());
  file.set("/Info", "MeshBlockSize", std::vector<std::int64_t>{N, N, N});
  file.set("/Info", "RootGridSize", size);
  file.set("/Info", "RootGridDomain", domain);
  file.set("/Info", "BoundaryConditions", boundaries);
  file.set("/Info", "OutputDatasetNames", names);
  file.set("/Info", "ComponentNames", names);
  file.set("/Info", "NumComponents", std::vector<std::int64_t>(fields.size(), 1));
  file.set("/Info", "Time", s.time());
  file.set<std::int64_t>("/Info", "NCycle", s.step());
  file.set("/Info", "dt", s.dt());
}

/// That of a cell of gas of stars is a field: one number would give wrong temperatures, NaN gives none.
double mean_weight_of(const config::parameters& p) {
  if (p.eos.model == config::gas_model::stellar) return std::numeric_limits<double>::quiet_NaN();
  if (p.eos.model == config::gas_model::white_dwarf) return p.eos.mean_weight;
  if (p.eos.model == config::gas_model::ideal && p.radiation.enabled) return p.radiation.mean_weight;
  return mean_molecular_weight;
}

/// Units and the equation of state, under the names that the front end looks for.
void write_params(hdf5_file& file, const step::simulation& s) {
  file.make_group("/Params");
  file.set("/Params", "Hydro/code_length_cgs", s.units().length);
  file.set("/Params", "Hydro/code_mass_cgs", s.units().mass);
  file.set("/Params", "Hydro/code_time_cgs", s.units().time);
  file.set("/Params", "Hydro/AdiabaticIndex", s.par().hydro.gamma);
  file.set("/Params", "Hydro/mu", mean_weight_of(s.par()));
}

void write_rednova(hdf5_file& file, const step::simulation& s, const provenance& from) {
  file.make_group("/Rednova");
  file.set("/Rednova", "kind", std::string("snapshot"));
  file.set("/Rednova", "version", from.version);
  file.set("/Rednova", "commit", from.commit);
  file.set("/Rednova", "unit_system",
           std::string(config::enum_names<config::unit_system>::value[static_cast<std::size_t>(s.par().units.system)]));
  file.set("/Rednova", "rotation", s.rotation());
  file.set("/Rednova", "grid_angle", s.grid_angle());
  file.set("/Rednova", "orbits", s.orbits());
  file.set("/Rednova", "species", s.par().hydro.species);
  if (s.par().eos.model == config::gas_model::white_dwarf)
    file.set("/Rednova", "electron_fraction", 1 / s.par().eos.electron_weight);
  file.write_text("/Rednova/input", from.input);
  if (s.points().count == 0) return;
  std::vector<double>
      points;  // mass, softening, position along the grid's axes, velocity of the inertial frame along them
  for (const step::point_mass& p : s.points()) {
    const core::vec3d v = p.velocity();
    points.insert(points.end(), {p.mass, p.softening, p.position.x, p.position.y, p.position.z, v.x, v.y, v.z});
  }
  file.write<double>("/Rednova/point_masses", points, {static_cast<std::uint64_t>(s.points().count), 8});
}

void write_blocks(hdf5_file& file, const mesh::tree& tree) {
  const auto leaves = static_cast<std::uint64_t>(tree.leaves());
  file.make_group("/Locations");
  for (int d = 0; d < 3; ++d) {
    std::vector<double> edges;
    for (int n = 0; n < tree.leaves(); ++n) {
      for (int i = 0; i <= N; ++i) edges.push_back(tree.corner(n)[d] + i * tree.cell_width(n));
    }
    file.write<double>(std::string("/Locations/") + "xyz" [d], edges, { leaves, N + 1 });
  }
  std::vector<std::int64_t> levels, places;
  std::vector<std::uint64_t> ids;
  for (int n = 0; n < tree.leaves(); ++n) {
    levels.push_back(tree[n].level);
    ids.push_back(tree[n].id.bits());
    for (int d = 0; d < 3; ++d) places.push_back(tree[n].place[d]);
  }
  file.write<std::int64_t>("/Levels", levels, {leaves});
  file.write<std::int64_t>("/LogicalLocations", places, {leaves, 3});
  file.write<std::uint64_t>("/Rednova/ids", ids, {leaves});
}

/// Calls f(field, values) for each field, with the values of this rank's leaves: one after the other, so that a
/// snapshot needs little memory.
template <class F>
void for_fields(const step::simulation& s, const std::vector<snapshot_field>& fields, const F& f) {
  const auto first = static_cast<std::size_t>(s.own_leaves()[0]);
  exec::array<double> values(static_cast<std::size_t>(s.halo().partition().leaf_count()) * mesh::cells);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    exchange::for_leaves(s.context(), "output", s.halo().partition(), [&](int n) {
      fields[i].values(s, n, values.data() + (static_cast<std::size_t>(n) - first) * mesh::cells);
    });
    f(i, std::span<double>(values.data(), values.size()));
  }
}

/// The blocks of each field, compressed by all threads.
std::vector<chunked_dataset> compressed_fields(const step::simulation& s, const std::vector<snapshot_field>& fields,
                                               const packing& how) {
  std::vector<chunked_dataset> all;
  const int first = s.own_leaves()[0];
  for_fields(s, fields, [&](std::size_t i, std::span<double> values) {
    chunked_dataset& d = all.emplace_back();
    d.name = fields[i].name;
    d.units = fields[i].units;
    d.rows.resize(values.size() / mesh::cells);
    exchange::for_leaves(s.context(), "compression", s.halo().partition(), [&](int n) {
      const auto row = static_cast<std::size_t>(n - first);
      d.rows[row] = compressed(in_precision(values.subspan(row * mesh::cells, mesh::cells), how.precision), how);
    });
  });
  return all;
}

}  // namespace

void write_snapshot(const std::string& path, const step::simulation& s, const provenance& from) {
  s.expect_fields();
  const std::vector<snapshot_field> fields = snapshot_fields(s, s.par().output.fields);
  const packing how = packing_of(s.par());
  const auto leaves = static_cast<std::uint64_t>(s.tree().leaves());
  const std::vector<std::uint64_t> shape{leaves, N, N, N};
  const auto describe = [&](hdf5_file& file) {
    write_info(file, s, fields);
    write_params(file, s);
    write_rednova(file, s, from);
    write_blocks(file, s.tree());
  };
  if (how.compression > 0) {
    write_published(s.context(), path, how, shape, describe, compressed_fields(s, fields, how));
  } else {
    const auto head = [&](hdf5_file& file) {
      describe(file);
      std::vector<row_place> places;
      for (const snapshot_field& f : fields) {
        places.push_back(file.lay_out(f.name, shape, how.precision));
        file.set(f.name, "units", f.units);
      }
      return places;
    };
    const auto rows = [&](row_writer& file) {
      for_fields(s, fields, [&](std::size_t i, std::span<double> values) {
        file.write(i, static_cast<std::uint64_t>(s.own_leaves()[0]), in_precision(values, how.precision));
      });
    };
    write_published(s.context(), path, leaves * mesh::cells * how.number_bytes() * fields.size(), head, rows);
  }
  if (!s.context().leads()) return;
  write_file(std::filesystem::path(path).replace_extension(".xdmf"), xdmf(path, s, fields, from));
}

}  // namespace rednova::output
