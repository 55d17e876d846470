#include "config/section_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "config/nearest.hpp"
#include "core/check.hpp"
#include "core/shortened.hpp"

namespace rednova::config {

std::string text(const bounds& b) {
  const bool below = std::isfinite(b.lower), above = std::isfinite(b.upper);
  if (!below && !above) return "";
  if (below && !above) return fmt::format("{} {}", b.lower_open ? ">" : ">=", b.lower);
  if (!below) return fmt::format("<= {}", b.upper);
  if (b.lower_open) return fmt::format("> {}, <= {}", b.lower, b.upper);
  return fmt::format("{} to {}", b.lower, b.upper);
}

section_reader::section_reader(std::string section, const section_content* given, std::vector<std::string> extra)
    : section_(std::move(section)), given_(given), known_(std::move(extra)) {}

const value* section_reader::find(const char* key) {
  known_.emplace_back(key);
  if (!given_) return nullptr;
  const auto found = given_->keys.find(key);
  return found == given_->keys.end() ? nullptr : &found->second;
}

void section_reader::finish() const {
  if (!given_) return;
  for (const auto& [key, v] : given_->keys) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    std::string all;
    for (const std::string& k : known_) all += (all.empty() ? "" : ", ") + k;
    core::fail("{}: unknown key '{}' in [{}].{} Its keys are: {}.", v.place, core::shortened(key), section_,
               did_you_mean(key, known_), all);
  }
}

void section_reader::wrong_type(const value& v, const std::string& key, const std::string& expected) const {
  const char* article = expected.find_first_of("aeio") == 0 && expected.compare(0, 3, "one") != 0 ? "an " : "a ";
  const bool plain = expected.compare(0, 3, "one") == 0;
  core::fail("{}: {}.{} expects {}{}, but {} is {}", v.place, section_, key, plain ? "" : article, expected,
             core::shortened(toml_text(v)), name(v.what));
}

void section_reader::expect_within(const value& v, const std::string& key, const bounds& b) const {
  const bool above = b.lower_open ? v.number > b.lower : v.number >= b.lower;
  if (std::isfinite(v.number) && above && v.number <= b.upper) return;
  const std::string interval = std::isfinite(v.number) ? text(b) : "";
  core::fail("{}: {}.{} = {} is not possible; it must be {}", v.place, section_, key, core::shortened(toml_text(v)),
             interval.empty() ? "a finite number" : interval);
}

void section_reader::assign(const value& v, const std::string& key, const bounds&, bool& member) const {
  if (v.what != value::kind::boolean) wrong_type(v, key, "boolean (true or false)");
  member = v.boolean;
}

void section_reader::assign(const value& v, const std::string& key, const bounds& b, int& member) const {
  if (v.what != value::kind::integer) wrong_type(v, key, "integer");
  expect_within(v, key, b);
  using limits = std::numeric_limits<int>;
  expect_within(v, key, between(limits::min(), limits::max()));
  member = static_cast<int>(v.integer);
}

void section_reader::assign(const value& v, const std::string& key, const bounds& b, double& member) const {
  if (v.what != value::kind::number && v.what != value::kind::integer) wrong_type(v, key, "number");
  expect_within(v, key, b);
  member = v.number;
}

void section_reader::assign(const value& v, const std::string& key, const bounds&, std::string& member) const {
  if (v.what != value::kind::string) wrong_type(v, key, "string");
  member = v.string;
}

std::size_t section_reader::choice(const value& v, const std::string& key, std::span<const char* const> names) const {
  const std::vector<std::string> choices(names.begin(), names.end());
  std::string list;
  for (const std::string& c : choices) list += (list.empty() ? "" : ", ") + c;
  if (v.what != value::kind::string) wrong_type(v, key, "one of the words " + list);
  const auto found = std::find(choices.begin(), choices.end(), v.string);
  if (found == choices.end())
    core::fail("{}: {}.{} = {} is not possible; it must be one of {}.{}", v.place, section_, key,
               core::shortened(toml_text(v)), list, did_you_mean(v.string, choices));
  return static_cast<std::size_t>(found - choices.begin());
}

void section_reader::expect_items(const value& v, const std::string& key, const std::string& type, int count) const {
  if (v.what != value::kind::array) wrong_type(v, key, type);
  if (count >= 0 && v.items.size() != static_cast<std::size_t>(count))
    core::fail("{}: {}.{} expects an {}, but {} has {}", v.place, section_, key, type, core::shortened(toml_text(v)),
               v.items.size());
}

}  // namespace rednova::config
