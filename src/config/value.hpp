// A value of the input file with the place it came from: what sections are read from, free of the TOML library.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace rednova::config {

struct value {
  enum class kind { boolean, integer, number, string, array, table, date };

  kind what = kind::table;
  bool boolean = false;
  std::int64_t integer = 0;
  double number = 0;  ///< also set for integers
  std::string string;
  std::vector<value> items;  ///< of an array
  std::string place;         ///< "file.toml:12" or "--set a.b=c", for messages
};

/// The keys of a section with their values, and the place of its header.
struct section_content {
  std::string place;
  std::map<std::string, value> keys;
};

using document = std::map<std::string, section_content>;

/// A kind with its article: "a string", "an integer" …
const char* name(value::kind k);

/// A number such that reading it back gives the same bits.
std::string toml_text(double x);
/// A string in quotes, with what is special escaped.
std::string toml_text(const std::string& s);
/// Any value as TOML; tables and dates, which no parameter takes, as their kind's name.
std::string toml_text(const value& v);

}  // namespace rednova::config
