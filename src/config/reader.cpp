#include "config/reader.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "config/assertion.hpp"
#include "config/checks.hpp"
#include "config/nearest.hpp"
#include "config/parse.hpp"
#include "config/renamed.hpp"
#include "core/check.hpp"
#include "core/shortened.hpp"

namespace rednova::config {

namespace {

constexpr const char* problem_section = "problem";
constexpr std::size_t most_bytes = std::size_t{16} << 20;  // of an input file, which has a few thousand

std::string read_file(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) core::fail("{}: there is no such input file", path);
  if (fs::is_directory(status)) core::fail("{}: this is a directory; give an input file (TOML)", path);
  // A device may have no end. A pipe is what a shell's <(…) gives.
  if (!fs::is_regular_file(status) && !fs::is_fifo(status))
    core::fail("{}: this is neither a file nor a pipe; give an input file (TOML)", path);
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 1 << 16> part;
  do {
    file.read(part.data(), part.size());
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > most_bytes)
      core::fail("{}: this is longer than {} MB, so no input; give an input file (TOML)", path, most_bytes >> 20);
  } while (file);
  if (!file.eof()) core::fail("{}: the input file cannot be read", path);
  return text;
}

std::string toml_of(const document& d) {
  std::string text;
  for (const auto& [name, section] : d) {
    text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", name);
    for (const auto& [key, v] : section.keys) text += fmt::format("{} = {}\n", key, toml_text(v));
  }
  return text;
}

}  // namespace

struct input::content {
  std::string name;
  std::string text;
  document sections;
  std::vector<std::string> known;  // sections that were read
  std::vector<parameter_row> rows;
  std::vector<std::string> warnings;
  bool goes_on = false;
  std::vector<std::string> files;
};

input::input(std::unique_ptr<content> c) : content_(std::move(c)) {}
input::input(input&&) noexcept = default;
input& input::operator=(input&&) noexcept = default;
input::~input() = default;

input input::from_file(const std::string& path, const std::vector<std::string>& overrides) {
  return from_text(read_file(path), path, overrides);
}

input input::from_text(const std::string& text, const std::string& name, const std::vector<std::string>& overrides) {
  auto c = std::make_unique<content>();
  c->name = name;
  c->sections = parse(text, name);
  rename_old_keys(c->sections, c->warnings);
  for (const std::string& assignment : overrides)
    apply_override(c->sections, with_present_name(assignment, c->warnings));
  c->text = overrides.empty() && c->warnings.empty() ? text : toml_of(c->sections);
  return input(std::move(c));
}

input input::from_checkpoint(const std::string& text, const std::string& name,
                             const std::vector<std::string>& overrides) {
  input in = from_text(text, name, overrides);
  in.content_->goes_on = true;
  return in;
}

bool input::goes_on() const { return content_->goes_on; }

void input::note_file(const std::string& path) const {
  std::vector<std::string>& files = content_->files;
  if (std::ranges::find(files, path) == files.end()) files.push_back(path);
}

std::string input::beside(const std::string& path) const {
  note_file(path);
  return (std::filesystem::path(content_->name).parent_path() / path).string();
}

const std::vector<std::string>& input::files() const { return content_->files; }

section_reader input::start(const std::string& section) const {
  const auto found = content_->sections.find(section);
  const section_content* given = found == content_->sections.end() ? nullptr : &found->second;
  std::vector<std::string> extra;
  if (section == problem_section) extra.emplace_back("name");
  return {section, given, std::move(extra)};
}

void input::finish(const section_reader& reader) {
  reader.finish();
  const auto& rows = reader.rows();
  if (!rows.empty()) content_->known.push_back(rows.front().section);
  content_->rows.insert(content_->rows.end(), rows.begin(), rows.end());
}

parameters input::read_parameters() {
  parameters p;
  const auto read_section = [this](auto& section) { read(section); };
  p.visit_sections(read_section);
  const auto gives_path = [this](const std::string& path) {
    const auto dot = path.find('.');
    return gives(path.substr(0, dot), path.substr(dot + 1));
  };
  check(
      p, [this](const std::string& path) { return place(path); }, gives_path);
  return p;
}

std::string input::problem_name() const {
  const auto section = content_->sections.find(problem_section);
  if (section != content_->sections.end()) {
    const auto key = section->second.keys.find("name");
    if (key != section->second.keys.end()) {
      if (key->second.what == value::kind::string) return key->second.string;
      core::fail("{}: problem.name expects a string, but {} is {}", key->second.place,
                 core::shortened(toml_text(key->second)), name(key->second.what));
    }
  }
  core::fail("{}: problem.name is missing; name a problem below [problem], `rednova problems` lists them",
             content_->name);
}

std::string input::place(const std::string& section, const std::string& key) const {
  const auto s = content_->sections.find(section);
  if (s == content_->sections.end()) return content_->name;
  const auto k = s->second.keys.find(key);
  return k == s->second.keys.end() ? content_->name : k->second.place;
}

std::string input::place(const std::string& path) const {
  const auto dot = path.find('.');
  return place(path.substr(0, dot), path.substr(dot + 1));
}

bool input::gives(const std::string& section, const std::string& key) const {
  const auto s = content_->sections.find(section);
  return s != content_->sections.end() && s->second.keys.contains(key);
}

void input::note_chosen(const std::string& section, const std::string& key, const std::string& toml) {
  for (parameter_row& row : content_->rows) {
    if (row.section == section && row.key == key) row.chosen = toml;
  }
}

void input::note_idle(const std::string& section, const std::string& key) const {
  for (parameter_row& row : content_->rows) {
    if (row.section == section && row.key == key) row.idle = true;
  }
}

void input::expect_absent(const std::string& section, const std::string& key, const std::string& why) const {
  if (gives(section, key)) core::fail("{}: {}.{}: leave it out, {}", place(section, key), section, key, why);
  note_idle(section, key);
}

void input::warn(const std::string& text) { content_->warnings.push_back(text); }

const std::vector<std::string>& input::warnings() const { return content_->warnings; }

void input::expect_all_read() const {
  std::vector<std::string> known = content_->known;
  known.emplace_back(problem_section);
  for (const auto& [name, section] : content_->sections) {
    if (name == assertion::section) {
      section_reader reader(name, &section, {});
      assertion().visit(reader);
      reader.finish();
      continue;
    }
    if (std::find(known.begin(), known.end(), name) == known.end())
      core::fail("{}: unknown section [{}].{}", section.place, core::shortened(name), did_you_mean(name, known));
  }
  const bool problem_was_read = std::count(known.begin(), known.end(), problem_section) > 1;
  const auto problem = content_->sections.find(problem_section);
  if (problem_was_read || problem == content_->sections.end()) return;
  section_reader(problem_section, &problem->second, {"name"}).finish();
}

std::string input::text(const std::map<std::string, std::string>& names) const {
  if (names.empty()) return content_->text;
  document renamed = content_->sections;
  const auto rename = [&names](value& v) {
    const auto name = names.find(v.string);
    if (v.what == value::kind::string && name != names.end()) v.string = name->second;
  };
  for (auto& [name, section] : renamed) {
    for (auto& [key, v] : section.keys) {
      rename(v);
      for (value& item : v.items) rename(item);
    }
  }
  return toml_of(renamed);
}

const std::vector<parameter_row>& input::rows() const { return content_->rows; }

std::string input::all_values() const {
  std::string text, section;
  for (const parameter_row& row : content_->rows) {
    if (row.section != section) text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", row.section);
    section = row.section;
    if (row.section == problem_section && text.ends_with("[problem]\n"))
      text += fmt::format("name = {}\n", toml_text(problem_name()));
    if (!row.idle) text += fmt::format("{} = {}\n", row.key, row.chosen);
  }
  if (content_->rows.empty() || section != problem_section)
    text += fmt::format("\n[{}]\nname = {}\n", problem_section, toml_text(problem_name()));
  return text;
}

}  // namespace rednova::config
