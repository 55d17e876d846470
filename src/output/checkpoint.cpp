#include "output/checkpoint.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "core/check.hpp"
#include "core/hash64.hpp"
#include "exchange/gather.hpp"
#include "output/advice.hpp"
#include "output/checkpoint_rows.hpp"
#include "output/hdf5.hpp"
#include "output/numbered_files.hpp"
#include "output/published_hdf5.hpp"
#include "radiation/scheme.hpp"

namespace rednova::output {
namespace {

namespace fs = std::filesystem;

/// Numbers of a block's light.
constexpr std::size_t light_row = static_cast<std::size_t>(radiation::field::count) * mesh::cells;

/// Everything in the file that a restart uses.
struct content {
  std::string input;
  std::vector<std::string> species;
  std::vector<double> numbers;  // time, dt, rotation, lower corner (3), base width, orbit (3), unbound outflow (3)
  std::vector<std::int64_t> integers;  // step, base blocks (3), periodic (3), N, counters (2)
  std::vector<double> ledger;
  std::vector<double> radiated;   // radiated_numbers; none without radiation
  std::vector<double> points;     // [point mass][point_numbers]
  std::vector<double> particles;  // [tracer particle][particle_numbers]
  std::vector<double> turn;       // angle of the grid and since when it rotates as now; none: 0 since time 0
  std::vector<std::uint64_t> leaves;
  std::uint64_t fields_hash = 0;

  kept_columns kept() const { return kept_in(ledger, static_cast<int>(species.size()), !points.empty()); }
  /// What the file's attribute `checksum` must be.
  std::string checksum() const {
    core::hash64 h;
    h.add(std::string_view(input));
    for (const std::string& name : species) h.add(std::string_view(name));
    h.add(numbers.data(), numbers.size());
    h.add(integers.data(), integers.size());
    h.add(ledger.data(), ledger.size());
    if (!radiated.empty()) h.add(radiated.data(), radiated.size());
    if (!points.empty()) h.add(points.data(), points.size());
    if (!particles.empty()) h.add(particles.data(), particles.size());
    if (!turn.empty()) h.add(turn.data(), turn.size());
    h.add(leaves.data(), leaves.size());
    h.add(fields_hash);
    return fmt::format("{:016x}", h.value());
  }
};

constexpr std::array number_names{"time",
                                  "dt",
                                  "rotation",
                                  "lower_x",
                                  "lower_y",
                                  "lower_z",
                                  "base_width",
                                  "orbit_slip",
                                  "orbit_angle",
                                  "orbit_rate",
                                  "orbit_last_apart",
                                  "unbound_outflow_0",
                                  "unbound_outflow_1",
                                  "unbound_outflow_2"};
constexpr std::array integer_names{"step",       "base_x",     "base_y",     "base_z",    "periodic_x",
                                   "periodic_y", "periodic_z", "block_size", "snapshots", "last_snapshot_step"};

content describe(const step::simulation& s, const provenance& from, const file_counters& counters) {
  content c;
  const mesh::domain& box = s.tree().box();
  c.input = from.input;
  c.species = s.par().hydro.species;
  const step::orbit_count& orbit = s.orbit();
  c.numbers = {s.time(),       s.dt(),     s.rotation(), box.lower.x, box.lower.y,     box.lower.z,
               box.base_width, orbit.slip, orbit.angle,  orbit.rate,  orbit.last_apart};
  c.numbers.insert(c.numbers.end(), s.ledger().unbound_outflow.begin(), s.ledger().unbound_outflow.end());
  c.integers = {s.step(),        box.base.x,      box.base.y, box.base.z,         box.periodic[0],
                box.periodic[1], box.periodic[2], mesh::N,    counters.snapshots, counters.last_snapshot_step};
  c.points = pack(s.points());
  c.particles = pack(s.particles());
  if (s.now().turn.since != 0) c.turn = {s.now().turn.angle, s.now().turn.since};
  c.ledger = pack(s.ledger(), s.fields().species(), kept_columns::of(s));
  if (!s.light().empty())
    for (const double* number : radiated_numbers(s.ledger())) c.radiated.push_back(*number);
  for (int n = 0; n < s.tree().leaves(); ++n) c.leaves.push_back(s.tree()[n].id.bits());
  c.fields_hash = digest(s);
  return c;
}

/// Hash of a block: its id, its fields' values, and those of its light where there is any.
std::uint64_t block_hash(std::uint64_t id, const double* values, std::size_t count, const double* light) {
  core::hash64 h;
  h.add(id);
  h.add(values, count);
  if (light != nullptr) h.add(light, light_row);
  return h.value();
}

/// Hash of blocks in the order of the curve, from the blocks' hashes.
std::uint64_t combined(const std::vector<std::uint64_t>& blocks) {
  core::hash64 h;
  h.add(blocks.data(), blocks.size());
  return h.value();
}

/// Hash of the tree and fields in a file, block by block.
std::uint64_t state_digest(const hdf5_file& file, const std::vector<std::uint64_t>& leaves) {
  const std::vector<std::uint64_t> shape = file.shape("/u");
  constexpr std::uint64_t most = 1 << 26;  // numbers of a block
  std::uint64_t per_block = shape.size() == 5 && shape[0] == leaves.size() ? 1 : 0;
  for (std::size_t d = 1; d < shape.size() && per_block > 0; ++d)
    per_block = shape[d] > most / per_block ? 0 : per_block * shape[d];
  if (per_block == 0) core::fail("{}: is damaged: its fields are not those of its blocks", file.path());
  std::vector<std::uint64_t> blocks;
  std::vector<double> values(per_block), light(light_row);
  const bool lit = file.has("/light");
  for (std::size_t n = 0; n < leaves.size(); ++n) {
    file.read_rows("/u", n, values);
    if (lit) file.read_rows("/light", n, light);
    blocks.push_back(block_hash(leaves[n], values.data(), per_block, lit ? light.data() : nullptr));
  }
  return combined(blocks);
}

}  // namespace

std::string remedy(const std::string& path) {
  std::vector<std::string> others = checkpoints(fs::path(path).parent_path().string());
  std::erase_if(others, [&](const std::string& o) { return fs::path(o).filename() == fs::path(path).filename(); });
  if (others.empty()) return "There is no other checkpoint beside it: start the run anew.";
  return fmt::format("To go on from the other checkpoint, name it: rednova restart {}", shell_word(others.back()));
}

namespace {

/// Opens a file, and makes sure that it is a checkpoint of this format.
hdf5_file open_checkpoint(const std::string& path) {
  hdf5_file file = hdf5_file::open(path);
  if (!file.has_attribute("/", "checkpoint_format")) core::fail("{}: is no checkpoint of rednova", path);
  const auto format = file.get<std::int64_t>("/", "checkpoint_format");
  if (format != checkpoint_format) {
    core::fail("{}: has checkpoint format {} (rednova {}), this program reads format {}; use that version", path,
               format, file.has_attribute("/", "version") ? file.get_text("/", "version") : "of another version",
               checkpoint_format);
  }
  return file;
}

content read_content(const hdf5_file& file) {
  content c;
  c.input = file.read_text("/input");
  c.species = file.get_texts("/", "species");
  for (const char* name : number_names) c.numbers.push_back(file.get<double>("/", name));
  for (const char* name : integer_names) c.integers.push_back(file.get<std::int64_t>("/", name));
  c.ledger = file.read<double>("/ledger");
  if (file.has("/radiated")) c.radiated = file.read<double>("/radiated");
  if (file.has("/point_masses")) c.points = file.read<double>("/point_masses");
  if (file.has("/tracers")) c.particles = file.read<double>("/tracers");
  if (file.has("/grid_turn")) c.turn = file.read<double>("/grid_turn");
  c.leaves = file.read<std::uint64_t>("/leaves");
  return c;
}

void expect_checksum(const hdf5_file& file, const content& c) {
  const std::string stored = file.get_text("/", "checksum");
  if (stored != c.checksum()) {
    core::fail("{}: is damaged: its checksum is {}, its content's {}", file.path(), stored, c.checksum());
  }
}

mesh::domain domain_of(const content& c) {
  mesh::domain box;
  for (int d = 0; d < 3; ++d) {
    const auto at = static_cast<std::size_t>(d);
    box.lower[d] = c.numbers[3 + at];
    box.base[d] = static_cast<int>(c.integers[1 + at]);
    box.periodic[at] = c.integers[4 + at] != 0;
  }
  box.base_width = c.numbers[6];
  return box;
}

/// A user_error where the lists do not belong together.
void expect_sizes(const hdf5_file& file, const content& c, const mesh::fields& fields, bool lit, std::size_t tracers) {
  const std::size_t columns = c.species.size() + static_cast<std::size_t>(step::vector_and_energy);
  const step::ledger rows(fields.species());
  const std::vector<std::uint64_t> expected{c.leaves.size(), static_cast<std::uint64_t>(fields.evolved()), mesh::N,
                                            mesh::N, mesh::N};
  const std::vector<std::uint64_t> of_light{c.leaves.size(), radiation::field::count, mesh::N, mesh::N, mesh::N};
  const bool light_fits =
      lit ? file.has("/light") && file.shape("/light") == of_light && c.radiated.size() == radiated_numbers(rows).size()
          : !file.has("/light");
  const bool points_fit =
      c.points.size() % point_numbers == 0 && c.points.size() <= point_numbers * step::max_point_masses;
  // Those of a run that had none are sown at the restart.
  const bool particles_fit = c.particles.empty() || c.particles.size() == particle_numbers * tracers;
  if (c.ledger.size() != columns * ledger_rows(rows, c.kept()).size() || file.shape("/u") != expected || !light_fits ||
      !points_fit || !particles_fit || (!c.turn.empty() && c.turn.size() != 2))
    core::fail("{}: is damaged: its lists do not belong together", file.path());
}

[[noreturn]] void fail_no_mesh(const hdf5_file& file) {
  core::fail("{}: is damaged: its blocks do not make up a mesh", file.path());
}

/// The tree of a checkpoint; a user_error where its blocks do not make up one.
mesh::tree tree_of(const hdf5_file& file, const content& c) {
  const auto whole = [](std::int64_t n) { return n >= 1 && n <= 1 << 20; };
  bool possible = std::all_of(c.integers.begin() + 1, c.integers.begin() + 4, whole) && !c.leaves.empty() &&
                  c.numbers[6] > 0 && c.leaves.size() < std::size_t{1} << 31;
  std::vector<mesh::block_id> ids;
  for (std::uint64_t bits : c.leaves) {
    ids.emplace_back(bits);
    // A leading one, then three bits a level.
    possible = possible && bits != 0 && std::bit_width(bits) <= 3 * mesh::block_id::max_level + 1 &&
               std::bit_width(bits) % 3 == 1;
  }
  try {
    if (possible) return {domain_of(c), std::move(ids)};
  } catch (const std::logic_error&) {
    fail_no_mesh(file);  // a contract of the tree: they do not tile the domain
  }
  fail_no_mesh(file);
}

}  // namespace

void write_checkpoint(const std::string& path, const step::simulation& s, const provenance& from,
                      const file_counters& counters) {
  s.expect_fields();
  const auto leaves = static_cast<std::uint64_t>(s.tree().leaves());
  const auto fields = static_cast<std::uint64_t>(s.fields().evolved());
  const auto row = fields * mesh::cells;
  const auto [first, last] = s.own_leaves();
  const content c = describe(s, from, counters);
  const auto head = [&](hdf5_file& file) {
    file.set("/", "checkpoint_format", checkpoint_format);
    file.set("/", "version", from.version);
    file.set("/", "commit", from.commit);
    file.set("/", "checksum", c.checksum());
    file.set("/", "species", c.species);
    for (std::size_t i = 0; i < number_names.size(); ++i) file.set("/", number_names[i], c.numbers[i]);
    for (std::size_t i = 0; i < integer_names.size(); ++i) file.set("/", integer_names[i], c.integers[i]);
    file.write_text("/input", c.input);
    const auto columns = static_cast<std::uint64_t>(s.fields().species()) + step::vector_and_energy;
    file.write<double>("/ledger", c.ledger, {c.ledger.size() / columns, columns});
    file.write<std::uint64_t>("/leaves", c.leaves, {leaves});
    if (!c.points.empty())
      file.write<double>("/point_masses", c.points, {c.points.size() / point_numbers, point_numbers});
    if (!c.particles.empty())
      file.write<double>("/tracers", c.particles, {c.particles.size() / particle_numbers, particle_numbers});
    if (!c.turn.empty()) file.write<double>("/grid_turn", c.turn, {c.turn.size()});
    const auto exact = config::number_precision::double_precision;
    std::vector places{file.lay_out("/u", {leaves, fields, mesh::N, mesh::N, mesh::N}, exact)};
    if (!s.light().empty()) {
      file.write<double>("/radiated", c.radiated, {c.radiated.size()});
      places.push_back(file.lay_out("/light", {leaves, radiation::field::count, mesh::N, mesh::N, mesh::N}, exact));
    }
    return places;
  };
  const std::uint64_t numbers = leaves * (row + (s.light().empty() ? 0 : light_row));
  write_published(s.context(), path, numbers * sizeof(double), head, [&](row_writer& rows) {
    for (int leaf = first; leaf < last; ++leaf) {
      const auto n = static_cast<std::uint64_t>(leaf);
      rows.write(0, n, std::as_bytes(std::span(s.u().at(leaf), row)));
      if (!s.light().empty()) rows.write(1, n, std::as_bytes(std::span(s.light().at(leaf), light_row)));
    }
  });
}

checkpoint_header read_checkpoint_header(const std::string& path) {
  return with_remedy(path, [&] {
    const hdf5_file file = open_checkpoint(path);
    checkpoint_header h;
    h.from = {file.read_text("/input"), file.get_text("/", "version"), file.get_text("/", "commit")};
    h.time = file.get<double>("/", "time");
    h.step = file.get<std::int64_t>("/", "step");
    h.counters = {file.get<std::int64_t>("/", "snapshots"), file.get<std::int64_t>("/", "last_snapshot_step"),
                  file.has("/tracers")};
    return h;
  });
}

void read_checkpoint(const std::string& path, step::simulation& s) {
  with_remedy(path, [&] {
    const hdf5_file file = open_checkpoint(path);
    content c = read_content(file);
    if (c.integers[7] != mesh::N) {
      core::fail("{}: its blocks have {}³ cells, this program's {}³: build with REDNOVA_BLOCK_SIZE={}", path,
                 c.integers[7], mesh::N, c.integers[7]);
    }
    if (c.species != s.par().hydro.species) {
      core::fail("{}: its species are {}, the input's are {}; they cannot change at a restart", path,
                 fmt::join(c.species, ", "), fmt::join(s.par().hydro.species, ", "));
    }
    expect_sizes(file, c, s.fields(), s.par().radiation.enabled, static_cast<std::size_t>(s.par().tracers.count));
    s.adopt(tree_of(file, c));
    const auto [first, last] = s.own_leaves();
    const std::size_t row = static_cast<std::size_t>(s.fields().evolved()) * mesh::cells;
    for (int leaf = first; leaf < last; ++leaf) {
      const auto n = static_cast<std::uint64_t>(leaf);
      file.read_rows("/u", n, std::span(s.u().at(leaf), row));
      if (!s.light().empty()) file.read_rows("/light", n, std::span(s.light().at(leaf), light_row));
    }
    c.fields_hash = digest(s);
    expect_checksum(file, c);
    step::epoch at{.time = c.numbers[0],
                   .dt = c.numbers[1],
                   .step = c.integers[0],
                   .turn = {.rate = c.numbers[2]},
                   .ledger = step::ledger(s.fields().species()),
                   .orbit = {c.numbers[7], c.numbers[8], c.numbers[9], c.numbers[10]},
                   .points = points_of(c.points),
                   .particles = particles_of(c.particles)};
    if (!c.turn.empty()) at.turn = {c.numbers[2], c.turn[0], c.turn[1]};
    unpack(c.ledger, s.fields().species(), c.kept(), at.ledger);
    const auto radiated = radiated_numbers(at.ledger);
    for (std::size_t n = 0; n < c.radiated.size(); ++n) *radiated[n] = c.radiated[n];
    std::copy_n(c.numbers.begin() + 11, at.ledger.unbound_outflow.size(), at.ledger.unbound_outflow.begin());
    s.restore(std::move(at));
  });
}

std::vector<std::string> checkpoints(const std::string& directory) {
  std::vector<std::string> paths;
  for (numbered_file& file : numbered_files(directory, "checkpoint", ".h5")) paths.push_back(std::move(file.path));
  return paths;
}

std::uint64_t digest(const step::simulation& s) {
  const std::size_t per_block = static_cast<std::size_t>(s.fields().evolved()) * mesh::cells;
  const int first = s.own_leaves()[0];
  std::vector<std::uint64_t> blocks(static_cast<std::size_t>(s.halo().partition().leaf_count()));
  exchange::for_leaves(s.context(), "output", s.halo().partition(), [&](int n) {
    const double* light = s.light().empty() ? nullptr : s.light().at(n);
    blocks[static_cast<std::size_t>(n - first)] = block_hash(s.tree()[n].id.bits(), s.u().at(n), per_block, light);
  });
  return combined(exchange::gather_lists(s.context(), blocks));
}

std::string digest(const std::string& path) {
  return with_remedy(path, [&] {
    const hdf5_file file = open_checkpoint(path);
    content c = read_content(file);
    c.fields_hash = state_digest(file, c.leaves);
    expect_checksum(file, c);
    return fmt::format("{:016x}", c.fields_hash);
  });
}

}  // namespace rednova::output
