#include "config/value.hpp"

#include <fmt/format.h>

#include <cmath>

namespace rednova::config {

const char* name(value::kind k) {
  switch (k) {
    case value::kind::boolean:
      return "a boolean";
    case value::kind::integer:
      return "an integer";
    case value::kind::number:
      return "a number";
    case value::kind::string:
      return "a string";
    case value::kind::array:
      return "an array";
    case value::kind::table:
      return "a table";
    case value::kind::date:
      return "a date or time";
  }
  return "";
}

std::string toml_text(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{}", x);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string toml_text(const std::string& s) {
  std::string text = "\"";
  for (const char c : s) {
    if (c == '"' || c == '\\')
      text += fmt::format("\\{}", c);
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      text += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      text += c;
  }
  return text + "\"";
}

std::string toml_text(const value& v) {
  switch (v.what) {
    case value::kind::boolean:
      return v.boolean ? "true" : "false";
    case value::kind::integer:
      return fmt::format("{}", v.integer);
    case value::kind::number:
      return toml_text(v.number);
    case value::kind::string:
      return toml_text(v.string);
    case value::kind::array: {
      std::string text = "[";
      for (std::size_t i = 0; i < v.items.size(); ++i) text += (i > 0 ? ", " : "") + toml_text(v.items[i]);
      return text + "]";
    }
    case value::kind::table:
    case value::kind::date:
      break;
  }
  return toml_text(std::string(name(v.what)));
}

}  // namespace rednova::config
