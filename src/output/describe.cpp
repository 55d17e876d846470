#include "output/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>

#include "core/check.hpp"
#include "core/hash64.hpp"
#include "mesh/block.hpp"
#include "mesh/block_id.hpp"
#include "output/checkpoint.hpp"
#include "output/checkpoint_rows.hpp"
#include "output/hdf5.hpp"

namespace rednova::output {
namespace {

std::string line(const std::string& name, const std::string& value) { return fmt::format("{:<12} {}\n", name, value); }

std::string mesh_lines(const std::map<std::int64_t, int>& blocks, std::int64_t edge) {
  std::string levels;
  std::int64_t total = 0;
  for (const auto& [level, count] : blocks) {
    levels += fmt::format("{}{} on level {}", levels.empty() ? "" : ", ", count, level);
    total += count;
  }
  return line("blocks", fmt::format("{} of {}³ cells ({})", total, edge, levels)) +
         line("cells", fmt::format("{}", total * edge * edge * edge));
}

std::string describe_snapshot(const hdf5_file& file) {
  std::map<std::int64_t, int> blocks;
  for (std::int64_t level : file.read<std::int64_t>("/Levels")) ++blocks[level];
  const std::vector<std::string> fields = file.get_texts("/Info", "OutputDatasetNames");
  if (fields.empty()) core::fail("{}: holds no fields", file.path());
  const std::vector<std::uint64_t> shape = file.shape("/" + fields.front());
  if (shape.size() != 4) core::fail("{}: its fields are not those of blocks", file.path());
  const auto edge = static_cast<std::int64_t>(shape.back());
  check_rows(file.path(), file.sealed());
  const auto unit = [&](const char* what) {
    return file.get<double>("/Params", fmt::format("Hydro/code_{}_cgs", what));
  };
  const double time = file.get<double>("/Info", "Time");
  std::string text = line("snapshot", file.path());
  text += line("written by", fmt::format("rednova {} ({})", file.get_text("/Rednova", "version"),
                                         file.get_text("/Rednova", "commit")));
  text += line("time", fmt::format("{:.10g} = {:.10g} s, step {}, {:.4g} orbits", time, time * unit("time"),
                                   file.get<std::int64_t>("/Info", "NCycle"), file.get<double>("/Rednova", "orbits")));
  text += line("units", fmt::format("length {:.6g} cm, mass {:.6g} g, time {:.6g} s", unit("length"), unit("mass"),
                                    unit("time")));
  text += mesh_lines(blocks, edge);
  text += line("species", fmt::format("{}", fmt::join(file.get_texts("/Rednova", "species"), ", ")));
  text += line("checksum", "verified");
  text += line("fields", fmt::format("{}", fmt::join(fields, ", ")));
  return text;
}

std::string describe_checkpoint(const hdf5_file& file) {
  const auto edge = file.get<std::int64_t>("/", "block_size");
  // Levels are counted from the base blocks: the root of ids is the smallest cube of 2^r base blocks that holds them.
  std::int64_t root = 0;
  for (const char* base : {"base_x", "base_y", "base_z"}) {
    while (root < mesh::block_id::max_level && (std::int64_t{1} << root) < file.get<std::int64_t>("/", base)) ++root;
  }
  std::map<std::int64_t, int> blocks;
  for (std::uint64_t id : file.read<std::uint64_t>("/leaves")) ++blocks[mesh::block_id(id).level() - root];
  std::string text = line("checkpoint", file.path());
  text +=
      line("written by", fmt::format("rednova {} ({})", file.get_text("/", "version"), file.get_text("/", "commit")));
  text += line("format", fmt::format("{}", file.get<std::int64_t>("/", "checkpoint_format")));
  text += line("time", fmt::format("{:.10g}, step {}, dt {:.6g}", file.get<double>("/", "time"),
                                   file.get<std::int64_t>("/", "step"), file.get<double>("/", "dt")));
  text += mesh_lines(blocks, edge);
  text += line("species", fmt::format("{}", fmt::join(file.get_texts("/", "species"), ", ")));
  text += line("checksum", file.get_text("/", "checksum") + ", verified");
  text += line("digest", digest(file.path()) + " (of tree and fields)");
  if (file.has("/tracers")) {
    const std::vector<step::tracer_particle> tracers = particles_of(file.read<double>("/tracers"));
    core::hash64 h;
    for (const double number : pack(tracers)) h.add(number);
    text += line("tracers", fmt::format("{} of {} inside, digest {:016x}",
                                        std::ranges::count_if(tracers, &step::tracer_particle::inside), tracers.size(),
                                        h.value()));
  }
  return text;
}

/// Of a file that begins as file_head.hpp has it.
std::string head_lines(const hdf5_file& file, const char* kind) {
  const double time = file.get<double>("/", "time");
  std::string text = line(kind, file.path());
  text +=
      line("written by", fmt::format("rednova {} ({})", file.get_text("/", "version"), file.get_text("/", "commit")));
  text += line("time", fmt::format("{:.10g} = {:.10g} s, step {}, {:.4g} orbits", time,
                                   time * file.get<double>("/", "code_time_cgs"), file.get<std::int64_t>("/", "step"),
                                   file.get<double>("/", "orbits")));
  return text;
}

std::string describe_tracers(const hdf5_file& file) {
  std::string text = head_lines(file, "tracers");
  text += line("particles", fmt::format("{}", file.shape("/position").front()));
  text += line("fields", fmt::format("{}", fmt::join(file.get_texts("/", "fields"), ", ")));
  text += line("checksum", "verified");
  return text;
}

std::string describe_slices(const hdf5_file& file) {
  std::string text = head_lines(file, "slices");
  text += line("planes", fmt::format("{}", fmt::join(file.get_texts("/", "planes"), ", ")));
  text += line("fields", fmt::format("{}", fmt::join(file.get_texts("/", "fields"), ", ")));
  text += line("checksum", "verified");
  return text;
}

}  // namespace

std::string describe(const std::string& path) {
  const auto text = [&] {
    const hdf5_file file = hdf5_file::open(path);
    if (file.has("/Rednova") && file.has("/Info")) return describe_snapshot(file);
    if (file.has_attribute("/", "checkpoint_format")) return describe_checkpoint(file);
    if (file.has_attribute("/", "slices_format")) return describe_slices(file);
    if (file.has_attribute("/", "tracers_format")) return describe_tracers(file);
    core::fail("{}: is neither a snapshot nor a checkpoint of rednova", path);
  };
  // Of a damaged file the name alone says what it was.
  const bool named_so = std::filesystem::path(path).filename().string().starts_with("checkpoint_");
  return named_so ? with_remedy(path, text) : text();
}

}  // namespace rednova::output
