// Any input file, with any --set: it is read, or one user_error says what is wrong with it.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "config/reader.hpp"
#include "core/check.hpp"

/// The bytes: overrides, each with a zero at its end, then the file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rednova;
  std::string text(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> overrides;
  for (auto end = text.find('\0'); end != std::string::npos; end = text.find('\0')) {
    overrides.push_back(text.substr(0, end));
    text.erase(0, end + 1);
  }
  try {
    config::input in = config::input::from_text(text, "fuzz.toml", overrides);
    in.read_parameters();
    in.expect_all_read();
    // What it says of itself is an input again.
    config::input::from_text(in.all_values(), "values.toml", {}).read_parameters();
    config::input::from_text(in.text(), "text.toml", {}).read_parameters();
  } catch (const core::user_error&) {
    // Said to the user.
  }
  return 0;
}
