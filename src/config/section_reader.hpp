// The visitor that fills a configuration struct from its section and notes what it saw for the manual.
#pragma once

#include <array>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "config/parameter.hpp"
#include "config/value.hpp"

namespace rednova::config {

/// One parameter as the manual shows it.
struct parameter_row {
  std::string section, key;
  std::string type;      ///< "number", "array of 3 integers", "one of plm, ppm" …
  std::string fallback;  ///< the default as TOML
  std::string allowed;   ///< the interval, or empty
  std::string doc;
  std::string chosen;  ///< what this input says or leaves at the default, as TOML
  bool idle = false;   ///< it is not given, and means nothing beside the others
};

/// The interval as text, such as "> 0" or "0 to 20"; empty if everything is allowed.
std::string text(const bounds& b);

/// Fills members by visit(): `Section s; section_reader r(...); s.visit(r); r.finish();`
///
/// A wrong type or a value out of bounds is a core::user_error with the value's place.
class section_reader {
 public:
  /// `given` may be null: all members keep their defaults. `extra` are keys that others read.
  section_reader(std::string section, const section_content* given, std::vector<std::string> extra);

  template <class T>
  void operator()(const char* key, T& member, const bounds& b, const char* doc) {
    parameter_row row{section_, key, type_of<T>(), toml_text(as_value(member)), "", doc, ""};
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) row.allowed = text(b);
    if constexpr (is_list<T>::value) row.allowed = text(b);
    if (const value* v = find(key)) assign(*v, key, b, member);
    row.chosen = toml_text(as_value(member));
    rows_.push_back(std::move(row));
  }

  /// Fails if the section has a key that no member took.
  void finish() const;
  /// A member as TOML.
  template <class T>
  static std::string toml(const T& member) {
    return toml_text(as_value(member));
  }
  const std::vector<parameter_row>& rows() const { return rows_; }

 private:
  template <class T>
  struct is_list : std::false_type {};
  template <class T, std::size_t n>
  struct is_list<std::array<T, n>> : std::true_type {};
  template <class T>
  struct is_list<std::vector<T>> : std::true_type {};

  template <class T>
  static std::string type_of();
  template <class T>
  static value as_value(const T& member);
  const value* find(const char* key);

  void assign(const value& v, const std::string& key, const bounds& b, bool& member) const;
  void assign(const value& v, const std::string& key, const bounds& b, int& member) const;
  void assign(const value& v, const std::string& key, const bounds& b, double& member) const;
  void assign(const value& v, const std::string& key, const bounds& b, std::string& member) const;
  template <class Enum>
  requires std::is_enum_v<Enum>
  void assign(const value& v, const std::string& key, const bounds&, Enum& member) const {
    member = static_cast<Enum>(choice(v, key, enum_names<Enum>::value));
  }
  template <class T, std::size_t n>
  void assign(const value& v, const std::string& key, const bounds& b, std::array<T, n>& member) const {
    expect_items(v, key, type_of<std::array<T, n>>(), static_cast<int>(n));
    for (std::size_t i = 0; i < n; ++i) assign(v.items[i], key, b, member[i]);
  }
  template <class T>
  void assign(const value& v, const std::string& key, const bounds& b, std::vector<T>& member) const {
    expect_items(v, key, type_of<std::vector<T>>(), -1);
    member.assign(v.items.size(), T{});
    for (std::size_t i = 0; i < v.items.size(); ++i) assign(v.items[i], key, b, member[i]);
  }

  void expect_items(const value& v, const std::string& key, const std::string& type, int count) const;
  std::size_t choice(const value& v, const std::string& key, std::span<const char* const> names) const;
  [[noreturn]] void wrong_type(const value& v, const std::string& key, const std::string& expected) const;
  void expect_within(const value& v, const std::string& key, const bounds& b) const;

  std::string section_;
  const section_content* given_;
  std::vector<std::string> known_;
  std::vector<parameter_row> rows_;
};

template <class T>
std::string section_reader::type_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return "boolean";
  } else if constexpr (std::is_same_v<T, int>) {
    return "integer";
  } else if constexpr (std::is_same_v<T, double>) {
    return "number";
  } else if constexpr (std::is_same_v<T, std::string>) {
    return "string";
  } else if constexpr (std::is_enum_v<T>) {
    std::string names;
    for (const char* n : enum_names<T>::value) names += (names.empty() ? "one of " : ", ") + std::string(n);
    return names;
  } else if constexpr (requires { std::tuple_size<T>::value; }) {
    const std::string count = std::to_string(std::tuple_size_v<T>);
    const std::string item = type_of<typename T::value_type>();
    return "array of " + count + (std::is_enum_v<typename T::value_type> ? ", each " + item : " " + item + "s");
  } else {
    const std::string item = type_of<typename T::value_type>();
    return std::is_enum_v<typename T::value_type> ? "array, each " + item : "array of " + item + "s";
  }
}

template <class T>
value section_reader::as_value(const T& member) {
  value v;
  if constexpr (std::is_same_v<T, bool>) {
    v.what = value::kind::boolean;
    v.boolean = member;
  } else if constexpr (std::is_same_v<T, int>) {
    v.what = value::kind::integer;
    v.integer = member;
  } else if constexpr (std::is_same_v<T, double>) {
    v.what = value::kind::number;
    v.number = member;
  } else if constexpr (std::is_same_v<T, std::string>) {
    v.what = value::kind::string;
    v.string = member;
  } else if constexpr (std::is_enum_v<T>) {
    v.what = value::kind::string;
    v.string = enum_names<T>::value[static_cast<std::size_t>(member)];
  } else {
    v.what = value::kind::array;
    for (const auto& item : member) v.items.push_back(as_value(item));
  }
  return v;
}

}  // namespace rednova::config
