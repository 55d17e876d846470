#include "output/slices.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "config/parameters.hpp"
#include "core/check.hpp"
#include "exchange/gather.hpp"
#include "exec/array.hpp"
#include "output/field_list.hpp"
#include "output/file_head.hpp"
#include "output/planes.hpp"
#include "output/published_hdf5.hpp"
#include "output/tiles.hpp"

namespace rednova::output {

namespace {

using mesh::N;

enum class weight { none, density };

/// A plane as it goes into a file; its numbers are at rank 0 alone.
struct sheet {
  std::string group;
  plane where;
  std::vector<tile> tiles;
  std::vector<std::vector<double>> values;  // by field: [tile][b][a]
  std::vector<std::string> units;
};

sheet cut(const step::simulation& s, const std::vector<snapshot_field>& fields, const plane& where) {
  sheet made{"", where, {}, {}, {}};
  const auto [u, v] = directions_across(where.axis);
  const std::vector<int> leaves = leaves_cut(s.tree(), where.axis, where.at);
  const auto [first, last] = s.own_leaves();
  for (const int n : leaves) made.tiles.push_back({s.tree()[n].level, {s.tree()[n].place[u], s.tree()[n].place[v]}});
  std::array<double, mesh::cells> block;
  for (const snapshot_field& f : fields) {
    std::vector<double> mine;
    for (const int n : leaves) {
      if (n < first || n >= last) continue;
      f.values(s, n, block.data());
      const int layer = layer_cut(s.tree(), n, where.axis, where.at);
      for (int c = 0; c < tile_cells; ++c)
        mine.push_back(block[static_cast<std::size_t>(exchange::cell_at(where.axis, layer, c % N, c / N))]);
    }
    made.values.push_back(exchange::lists_at_first(s.context(), mine));
    made.units.push_back(f.units);
  }
  return made;
}

/// For each column of each leaf's cells, the integral of density, or of a field times density, over the leaf:
/// [leaf][b][a] at rank 0. So the order of additions does not depend on where ranks meet.
std::vector<double> columns(const step::simulation& s, const snapshot_field& field, weight by, int axis) {
  const int first = s.own_leaves()[0], last = s.own_leaves()[1];
  std::vector<double> mine(static_cast<std::size_t>(last - first) * tile_cells);
  exchange::for_leaves(s.context(), "output", s.halo().partition(), [&](int n) {
    std::array<double, mesh::cells> block;
    field.values(s, n, block.data());
    for (int c = 0; by == weight::density && c < mesh::cells; ++c)
      block[static_cast<std::size_t>(c)] *= s.density(n, c);
    double* const out = mine.data() + static_cast<std::size_t>(n - first) * tile_cells;
    for (int c = 0; c < tile_cells; ++c) {
      for (int layer = 0; layer < N; ++layer)
        out[c] += block[static_cast<std::size_t>(exchange::cell_at(axis, layer, c % N, c / N))];
      out[c] *= s.tree().cell_width(n);
    }
  });
  return exchange::lists_at_first(s.context(), mine);
}

sheet project(const step::simulation& s, const std::vector<snapshot_field>& fields, const plane& along) {
  const column_tiles across(s.tree(), along.axis);
  sheet made{"", along, across.tiles(), {}, {}};
  const auto summed = [&](const snapshot_field& field, weight by) {
    const std::vector<double> of_leaves = columns(s, field, by, along.axis);
    std::vector<double> sums(s.context().leads() ? made.tiles.size() * tile_cells : 0);
    for (int n = 0; s.context().leads() && n < s.tree().leaves(); ++n)
      across.add(s.tree()[n], of_leaves.data() + static_cast<std::size_t>(n) * tile_cells, sums);
    return sums;
  };
  std::vector<double> mass;  // per area
  const bool means = std::ranges::any_of(fields, [](const snapshot_field& f) { return f.units != density_units; });
  if (means) mass = summed(snapshot_fields(s, {"density"}).front(), weight::none);
  for (const snapshot_field& f : fields) {
    if (f.units == density_units) {
      made.values.push_back(summed(f, weight::none));
      made.units.emplace_back("mass/length^2");
      continue;
    }
    made.values.push_back(summed(f, weight::density));
    for (std::size_t i = 0; i < mass.size(); ++i) made.values.back()[i] /= mass[i];
    made.units.push_back(f.units);
  }
  return made;
}

void write_head(hdf5_file& file, const step::simulation& s, const provenance& from,
                const std::vector<snapshot_field>& fields, const std::vector<sheet>& sheets) {
  file.set<std::int64_t>("/", "slices_format", 1);
  write_file_head(file, s, from);
  std::vector<std::string> names, planes;
  for (const snapshot_field& f : fields) names.push_back(f.name);
  for (const sheet& made : sheets) planes.push_back(made.group.substr(1));
  file.set("/", "fields", names);
  file.set("/", "planes", planes);
  file.make_group("/slices");
  file.make_group("/projections");
}

void write_sheet(hdf5_file& file, const step::simulation& s, const std::vector<snapshot_field>& fields,
                 const sheet& made) {
  const mesh::domain& box = s.tree().box();
  const auto [u, v] = directions_across(made.where.axis);
  const auto count = static_cast<std::uint64_t>(made.tiles.size());
  std::vector<std::int64_t> levels;
  std::vector<double> lower, widths;
  for (const tile& t : made.tiles) {
    levels.push_back(t.level);
    widths.push_back(box.cell_width(t.level));
    for (const auto& [d, place] : {std::pair{u, t.place[0]}, std::pair{v, t.place[1]}}) {
      core::vec3i at{};
      at[d] = place;
      lower.push_back(mesh::corner_of(box.lower, box.base_width, t.level, at)[d]);
    }
  }
  file.make_group(made.group);
  file.set(made.group, "axis", std::string(1, "xyz"[made.where.axis]));
  file.set(made.group, "at", made.where.at);
  file.write<std::int64_t>(made.group + "/level", levels, {count});
  file.write<double>(made.group + "/lower", lower, {count, 2});
  file.write<double>(made.group + "/width", widths, {count});
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string name = made.group + "/" + fields[i].name;
    file.write_packed(name, made.values[i], {count, N, N}, packing_of(s.par()));
    file.set(name, "units", made.units[i]);
  }
}

}  // namespace

void write_slices(const std::string& path, const step::simulation& s, const provenance& from) {
  s.expect_fields();
  const config::output& asked = s.par().output;
  const std::vector<snapshot_field> fields = snapshot_fields(s, asked.slice_fields);
  std::vector<sheet> sheets;
  for (const std::string& text : asked.slices) {
    sheets.push_back(cut(s, fields, plane_of(text).value()));
    sheets.back().group = "/slices/" + text;
  }
  for (const std::string& text : asked.projections) {
    sheets.push_back(project(s, fields, plane_of(text).value()));
    sheets.back().group = "/projections/" + text;
  }
  write_published(s.context(), path, [&](hdf5_file& file) {
    write_head(file, s, from, fields, sheets);
    for (const sheet& made : sheets) write_sheet(file, s, fields, made);
  });
}

}  // namespace rednova::output
