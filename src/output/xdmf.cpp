#include "output/xdmf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "output/durable.hpp"
#include "output/packing.hpp"

namespace rednova::output {
namespace {

using mesh::N;

/// XML allows no "--" in a comment, and no "-" at its end.
std::string in_comment(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '-' && out.ends_with('-')) out += ' ';
    out += c;
  }
  if (!out.ends_with('\n')) out += '\n';
  return out;
}

/// What each block says again, as entities: most of the file would be this.
std::string entities(const std::string& file, const step::simulation& s, const std::vector<snapshot_field>& fields) {
  std::string out = fmt::format(
      "<!DOCTYPE Xdmf [\n"
      "<!ENTITY cells '<Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"{m} {m} {m}\"/>'>\n"
      "<!ENTITY slab '0 0 0 1 1 1 1 1 {n} {n} {n}'>\n",
      fmt::arg("m", N + 1), fmt::arg("n", N));
  for (std::size_t i = 0; i < fields.size(); ++i) {
    out += fmt::format(
        "<!ENTITY f{i} '<DataItem Format=\"HDF\" Dimensions=\"{blocks} {n} {n} {n}\" Precision=\"{size}\">"
        "{file}:/{name}</DataItem>'>\n",
        fmt::arg("i", i), fmt::arg("name", fields[i].name), fmt::arg("n", N), fmt::arg("blocks", s.tree().leaves()),
        fmt::arg("size", packing_of(s.par()).number_bytes()), fmt::arg("file", file));
  }
  return out + "]>\n";
}

void write_block(std::string& out, const step::simulation& s, int leaf, const std::vector<snapshot_field>& fields) {
  const core::vec3d corner = s.tree().corner(leaf);
  const double h = s.tree().cell_width(leaf);
  const auto to = std::back_inserter(out);
  fmt::format_to(to,
                 "<Grid Name=\"{}\">&cells;<Geometry GeometryType=\"ORIGIN_DXDYDZ\">"
                 "<DataItem Dimensions=\"3\" Precision=\"8\">{z:.17g} {y:.17g} {x:.17g}</DataItem>"
                 "<DataItem Dimensions=\"3\" Precision=\"8\">{h:.17g} {h:.17g} {h:.17g}</DataItem></Geometry>\n",
                 leaf, fmt::arg("x", corner.x), fmt::arg("y", corner.y), fmt::arg("z", corner.z), fmt::arg("h", h));
  for (std::size_t i = 0; i < fields.size(); ++i) {
    fmt::format_to(
        to,
        "<Attribute Name=\"{name}\" Center=\"Cell\"><DataItem ItemType=\"HyperSlab\" Dimensions=\"{n} {n} {n}\">"
        "<DataItem Dimensions=\"3 4\">{block} &slab;</DataItem>&f{i};</DataItem></Attribute>\n",
        fmt::arg("i", i), fmt::arg("name", fields[i].name), fmt::arg("n", N), fmt::arg("block", leaf));
  }
  out += "</Grid>\n";
}

/// What a file begins with.
std::string head(const provenance& from) {
  return fmt::format("<?xml version=\"1.0\" ?>\n<!-- rednova {} ({}), from this input:\n{}-->\n", from.version,
                     from.commit, in_comment(from.input));
}

}  // namespace

void write_series(const std::string& directory, const provenance& from) {
  namespace fs = std::filesystem;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("snapshot_") && name.ends_with(".xdmf")) names.push_back(name);
  }
  std::ranges::sort(names);
  std::string out = head(from) +
                    "<Xdmf Version=\"3.0\" xmlns:xi=\"http://www.w3.org/2001/XInclude\">\n<Domain>\n"
                    "<Grid Name=\"run\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  for (const std::string& name : names)
    out += fmt::format("<xi:include href=\"{}\" xpointer=\"xpointer(/Xdmf/Domain/Grid)\"/>\n", name);
  write_file((fs::path(directory) / "snapshots.xdmf").string(), out + "</Grid>\n</Domain>\n</Xdmf>\n");
}

std::string xdmf(const std::string& path, const step::simulation& s, const std::vector<snapshot_field>& fields,
                 const provenance& from) {
  const std::string file = std::filesystem::path(path).filename().string();
  std::string out = head(from) + entities(file, s, fields) +
                    fmt::format(
                        "<Xdmf Version=\"3.0\">\n<Domain>\n"
                        "<Grid Name=\"mesh\" GridType=\"Collection\" CollectionType=\"Spatial\">\n"
                        "<Time Value=\"{:.17g}\"/>\n",
                        s.time());
  for (int leaf = 0; leaf < s.tree().leaves(); ++leaf) write_block(out, s, leaf, fields);
  out += "</Grid>\n</Domain>\n</Xdmf>\n";
  return out;
}

}  // namespace rednova::output
