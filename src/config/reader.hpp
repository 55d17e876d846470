// Reading the input file: TOML and --set overrides into the configuration structs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "config/parameters.hpp"

namespace rednova::config {

/// An input file with overrides applied, from which sections are read into structs.
///
/// Every failure is a core::user_error that names file, line, section, key and the remedy.
class input {
 public:
  /// Reads a TOML file and applies overrides of the form "section.key=value" (TOML values).
  static input from_file(const std::string& path, const std::vector<std::string>& overrides);
  /// The same from text; `name` stands for the file in messages.
  static input from_text(const std::string& text, const std::string& name, const std::vector<std::string>& overrides);
  input(input&&) noexcept;
  input& operator=(input&&) noexcept;
  ~input();

  /// Fills a struct from its section. An unknown key, a wrong type or a value out of bounds is an error.
  template <class Section>
  void read(Section& s);
  /// All sections of the parameters, then the checks that span sections.
  parameters read_parameters();
  /// The value of problem.name.
  std::string problem_name() const;
  /// Fails if the file has a section that no read() asked for.
  void expect_all_read() const;
  /// The effective input: the file with overrides, as TOML.
  std::string text() const;

 private:
  struct content;
  explicit input(std::unique_ptr<content> c);
  std::unique_ptr<content> content_;
};

}  // namespace rednova::config
