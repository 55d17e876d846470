// Reading the input file: TOML and --set overrides into the configuration structs.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/parameters.hpp"
#include "config/section_reader.hpp"

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
  /// The input that a checkpoint holds, of a run that goes on.
  static input from_checkpoint(const std::string& text, const std::string& name,
                               const std::vector<std::string>& overrides);
  input(input&&) noexcept;
  input& operator=(input&&) noexcept;
  ~input();

  /// Fills a struct from its section. An unknown key, a wrong type or a value out of bounds is an error.
  template <class Section>
  void read(Section& s) {
    section_reader reader = start(Section::section);
    s.visit(reader);
    finish(reader);
  }
  /// All sections of the parameters, then the checks that span sections.
  parameters read_parameters();
  /// The value of problem.name.
  std::string problem_name() const;
  /// Where a key was set, such as "binary.toml:12", or the file's name if it was not: for messages.
  std::string place(const std::string& section, const std::string& key) const;
  /// The same for "section.key".
  std::string place(const std::string& path) const;
  /// Whether it is a checkpoint's: then the gas is there, and nobody needs the initial model.
  bool goes_on() const;
  /// The path of a file that the input names, which is seen from where the input file is.
  std::string beside(const std::string& path) const;
  /// Notes a file that the input names and that nobody reads now.
  void note_file(const std::string& path) const;
  /// All that were asked for by beside() or noted, as the input names them.
  const std::vector<std::string>& files() const;
  /// Whether the file or an override sets a key.
  bool gives(const std::string& section, const std::string& key) const;
  /// A default that the problem has in place of the common one, for a member that was read: taken unless the file or an
  /// override sets the key.
  template <class T>
  void set_default(const std::string& section, const std::string& key, T& member, const T& of_problem) {
    if (gives(section, key)) return;
    member = of_problem;
    note_chosen(section, key, section_reader::toml(member));
  }
  /// Notes that a key means nothing in this input, which does not give it.
  void note_idle(const std::string& section, const std::string& key) const;
  /// Fails if the input gives a key, and says why it must not; else notes it as idle.
  void expect_absent(const std::string& section, const std::string& key, const std::string& why) const;
  /// Notes what is no error but will not do what it says, such as a key that another one makes idle.
  void warn(const std::string& text);
  const std::vector<std::string>& warnings() const;
  /// Fails if the file has a section that no read() asked for. [test] belongs to the test suite (config::assertion) and
  /// may stand, without other keys than its own.
  void expect_all_read() const;
  /// The effective input as TOML: the file as it is or, if there were overrides, its values with them. names: of files
  /// as the input has them → as the text has them instead.
  std::string text(const std::map<std::string, std::string>& names = {}) const;
  /// All parameters that were read, in order, for the manual.
  const std::vector<parameter_row>& rows() const;
  /// Every parameter that was read with the value it got, defaults included, as TOML; idle ones are left out, so that
  /// this is an input, too.
  std::string all_values() const;

 private:
  struct content;
  explicit input(std::unique_ptr<content> c);
  section_reader start(const std::string& section) const;
  void finish(const section_reader& reader);
  void note_chosen(const std::string& section, const std::string& key, const std::string& toml);
  std::unique_ptr<content> content_;
};

}  // namespace rednova::config
