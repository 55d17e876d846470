#include "config/manual.hpp"

#include <fmt/format.h>

#include "config/reader.hpp"

namespace rednova::config {

namespace {

constexpr const char* introduction = R"(# Parameters

Made from the configuration structs by `rednova parameters > docs/parameters.md`.

An input file is TOML: a section for each part of the code, below it `key = value`. What is not named keeps
its default. Quantities are in code units (G = 1) unless a unit is given. `--set section.key=value` on the
command line overrides the file. An unknown key is an error that names the nearest known one. The section
`[test]` is read by the test suite alone.
)";

/// A cell of a Markdown table must not end at a bar of its own.
std::string cell(const std::string& s) {
  std::string out;
  for (const char c : s) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string table(const std::vector<parameter_row>& rows) {
  std::string text = "\n| key | type | default | allowed | meaning |\n|---|---|---|---|---|\n";
  for (const parameter_row& r : rows)
    text +=
        fmt::format("| `{}` | {} | `{}` | {} | {} |\n", r.key, cell(r.type), r.fallback, cell(r.allowed), cell(r.doc));
  return text;
}

}  // namespace

std::string manual(const std::vector<problem_rows>& problems) {
  input in = input::from_text("", "manual", {});
  in.read_parameters();
  std::string text = introduction;
  std::vector<parameter_row> section;
  for (const parameter_row& row : in.rows()) {
    if (!section.empty() && section.front().section != row.section) {
      text += fmt::format("\n## [{}]\n{}", section.front().section, table(section));
      section.clear();
    }
    section.push_back(row);
  }
  if (!section.empty()) text += fmt::format("\n## [{}]\n{}", section.front().section, table(section));

  text += "\n## [problem]\n\n`name` chooses the problem; the other keys are the problem's own.\n";
  for (const problem_rows& p : problems) {
    text += fmt::format("\n### {}\n\n{}\n", p.name, p.summary);
    text += p.rows.empty() ? "\nNo further keys.\n" : table(p.rows);
  }
  return text;
}

}  // namespace rednova::config
