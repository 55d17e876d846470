#include "config/parse.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include "config/outside_strings.hpp"
#include "core/check.hpp"
#include "core/shortened.hpp"

// The library (toml++ 3.3) asserts, or with NDEBUG lets the compiler take for granted, what inputs such as "[;x]" break
// before it finds out. It is to do neither.
#undef NDEBUG
#define TOML_ASSERT(condition) static_assert(true)
#include <toml++/toml.h>

namespace rednova::config {

namespace {

std::string place_in_file(const toml::node& n, const std::string& name) {
  return fmt::format("{}:{}", name, n.source().begin.line);
}

value converted(const toml::node& n, const std::string& place) {
  value v;
  v.place = place;
  if (const auto* b = n.as_boolean()) {
    v.what = value::kind::boolean;
    v.boolean = b->get();
  } else if (const auto* i = n.as_integer()) {
    v.what = value::kind::integer;
    v.integer = i->get();
    v.number = static_cast<double>(v.integer);
  } else if (const auto* x = n.as_floating_point()) {
    v.what = value::kind::number;
    v.number = x->get();
  } else if (const auto* s = n.as_string()) {
    v.what = value::kind::string;
    v.string = s->get();
  } else if (const auto* a = n.as_array()) {
    v.what = value::kind::array;
    for (const toml::node& item : *a) v.items.push_back(converted(item, place));
  } else {
    v.what = n.is_table() ? value::kind::table : value::kind::date;
  }
  return v;
}

std::optional<value> try_parse(const std::string& text, const std::string& place) {
  if (find_outside_strings(text) != std::string::npos) return std::nullopt;
  try {
    const toml::table t = toml::parse("value = " + text);
    if (t.size() != 1) return std::nullopt;
    return converted(*t.get("value"), place);
  } catch (const toml::parse_error&) {
    return std::nullopt;
  }
}

/// Puts quotes around words outside quotes, so that [outflow, periodic] is an array of strings.
std::string with_words_quoted(std::string_view text) {
  const auto starts = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '/'; };
  const auto goes_on = [&](char c) {
    return starts(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '+';
  };
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (text[i] == '"' || text[i] == '\'') {
      while (end < text.size() && text[end] != text[i]) ++end;
      end = std::min(end + 1, text.size());
      out += text.substr(i, end - i);
    } else if (goes_on(text[i])) {
      while (end < text.size() && goes_on(text[end])) ++end;
      const std::string_view word = text.substr(i, end - i);
      const bool plain = !starts(word[0]) || word == "true" || word == "false" || word == "inf" || word == "nan";
      out += plain ? std::string(word) : toml_text(std::string(word));
    } else {
      out += text[i];
    }
    i = end;
  }
  return out;
}

/// toml++ 3.3 looks such characters up in a table that has no place for most, and what it then does is undefined.
void expect_ascii(const std::string& text, const std::string& name) {
  const std::size_t at = find_outside_strings(text);
  if (at == std::string::npos) return;
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
  core::fail(
      "{}:{}: not valid TOML: a character that is not ASCII stands outside of strings and comments: put it in quotes",
      name, line);
}

std::string trimmed(std::string_view s) {
  const char* blank = " \t\n\r";
  const auto first = s.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return std::string(s.substr(first, s.find_last_not_of(blank) - first + 1));
}

}  // namespace

document parse(const std::string& text, const std::string& name) {
  expect_ascii(text, name);
  toml::table root;
  try {
    root = toml::parse(text, name);
  } catch (const toml::parse_error& e) {
    const auto at = e.source().begin;
    core::fail("{}:{}:{}: not valid TOML: {}", name, at.line, at.column, core::shortened(e.description(), 200));
  }
  document d;
  for (const auto& [key, node] : root) {
    const std::string section(key.str());
    const toml::table* table = node.as_table();
    if (!table)
      core::fail("{}: '{}' stands outside a section; write it below a header such as [run]", place_in_file(node, name),
                 core::shortened(section));
    section_content& content = d[section];
    content.place = place_in_file(node, name);
    for (const auto& [k, v] : *table) content.keys[std::string(k.str())] = converted(v, place_in_file(v, name));
  }
  return d;
}

void apply_override(document& d, const std::string& assignment) {
  const std::string place = "--set " + core::shortened(assignment);
  const auto equals = assignment.find('=');
  const std::string path = trimmed(assignment.substr(0, equals));
  const auto dot = path.find('.');
  const bool well_formed = equals != std::string::npos && dot != std::string::npos && dot > 0 &&
                           dot + 1 < path.size() && path.find('.', dot + 1) == std::string::npos;
  if (!well_formed) core::fail("{}: write --set section.key=value, such as --set mesh.max_level=4", place);
  const std::string text = trimmed(assignment.substr(equals + 1));
  if (text.empty()) core::fail("{}: the value is missing", place);
  std::optional<value> v = try_parse(text, place);
  const bool digits = text.find_first_not_of("+-_0123456789") == std::string::npos;
  if (!v && digits && text.find_first_of("0123456789") != std::string::npos)
    core::fail("{}: '{}' is no integer: write it without leading zeros, and not above 9223372036854775807", place,
               core::shortened(text));
  if (!v) v = try_parse(with_words_quoted(text), place);
  if (!v && text.find_first_of("[]{}\"'=,#") == std::string::npos) v = try_parse(toml_text(text), place);
  if (!v)
    core::fail("{}: '{}' is no TOML value; write a number, true or false, a word, \"text\" or [a, b, …]", place,
               core::shortened(text));
  section_content& content = d[path.substr(0, dot)];
  if (content.place.empty()) content.place = place;
  content.keys[path.substr(dot + 1)] = *v;
}

}  // namespace rednova::config
