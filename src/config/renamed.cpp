#include "config/renamed.hpp"

#include <array>

#include "core/check.hpp"
#include "core/shortened.hpp"

namespace rednova::config {

namespace {

struct renamed_key {
  const char *section, *before, *now;
};

// Of version 0.1. A row goes with the release after the one that warned.
constexpr std::array renamed{
    renamed_key{"hydro", "rough_contrast", "density_contrast"},
    renamed_key{"hydro", "heat_ceiling", "specific_energy_ceiling"},
    renamed_key{"hydro", "heat_ceiling_density", "thin_gas_density"},
};

std::string warning(const std::string& place, const renamed_key& r) {
  return fmt::format("{}: {}.{} is now called {}.{}; the old name will go with the next release", place, r.section,
                     r.before, r.section, r.now);
}

}  // namespace

void rename_old_keys(document& given, std::vector<std::string>& warnings) {
  for (const renamed_key& r : renamed) {
    const auto section = given.find(r.section);
    if (section == given.end()) continue;
    auto& keys = section->second.keys;
    const auto old = keys.find(r.before);
    if (old == keys.end()) continue;
    const auto present = keys.find(r.now);
    if (present != keys.end())
      core::fail("{}: {}.{} is the old name of {}.{}, which {} gives, too; remove one of them", old->second.place,
                 r.section, r.before, r.section, r.now, present->second.place);
    warnings.push_back(warning(old->second.place, r));
    keys.emplace(r.now, old->second);
    keys.erase(r.before);
  }
}

std::string with_present_name(const std::string& assignment, std::vector<std::string>& warnings) {
  for (const renamed_key& r : renamed) {
    const std::string before = fmt::format("{}.{}", r.section, r.before);
    const auto end = assignment.find_first_of("= ");
    if (assignment.substr(0, end) != before || end == std::string::npos) continue;
    warnings.push_back(warning("--set " + core::shortened(assignment), r));
    return fmt::format("{}.{}{}", r.section, r.now, assignment.substr(end));
  }
  return assignment;
}

}  // namespace rednova::config
