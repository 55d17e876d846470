#include "output/choices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

#include "config/nearest.hpp"
#include "core/check.hpp"
#include "core/shortened.hpp"
#include "output/field_list.hpp"
#include "output/planes.hpp"

namespace rednova::output {

namespace {

using place_of = std::function<std::string(const std::string&)>;

void expect_fields(const config::parameters& p, const place_of& place, const char* key,
                   const std::vector<std::string>& chosen) {
  const std::vector<std::string> known = field_names(p);
  std::vector<std::string> candidates = short_names();
  candidates.insert(candidates.end(), known.begin(), known.end());
  std::set<std::string> seen;
  for (const std::string& name : chosen) {
    const std::string dataset = dataset_of(name);
    if (std::ranges::find(known, dataset) == known.end())
      core::fail("{}: output.{}: this run has no field '{}'.{} There are {}", place(fmt::format("output.{}", key)), key,
                 core::shortened(name), config::did_you_mean(name, candidates), fmt::join(candidates, ", "));
    if (!seen.insert(dataset).second)
      core::fail("{}: output.{} names {} twice", place(fmt::format("output.{}", key)), key, dataset);
  }
}

void expect_no_name_twice(const place_of& place, const char* key, const std::vector<std::string>& names) {
  if (std::set<std::string>(names.begin(), names.end()).size() != names.size())
    core::fail("{}: {} has a name twice", place(key), key);
}

void expect_planes(const config::parameters& p, const place_of& place) {
  const config::mesh& m = p.mesh;
  for (const std::string& text : p.output.slices) {
    const auto found = plane_of(text);
    if (!found)
      core::fail("{}: output.slices: '{}' is no plane; give x, y or z, or where it lies, such as \"z=0.5\"",
                 place("output.slices"), core::shortened(text));
    const auto d = static_cast<std::size_t>(found->axis);
    const double lower = m.lower[d], upper = lower + m.base_width * m.base_blocks[d];
    if (found->at < lower || !(found->at < upper))
      core::fail(
          "{}: output.slices: the plane {} = {:g} misses the domain, {:g} to {:g}; say where it lies: \"{}={:g}\"",
          place("output.slices"), "xyz"[d], found -> at, lower, upper, "xyz"[d], (lower + upper) / 2);
  }
  for (const std::string& text : p.output.projections) {
    if (text.size() != 1 || !plane_of(text))
      core::fail("{}: output.projections: '{}' is no axis; give x, y or z", place("output.projections"),
                 core::shortened(text));
  }
  expect_no_name_twice(place, "output.slices", p.output.slices);
  expect_no_name_twice(place, "output.projections", p.output.projections);
}

}  // namespace

void expect_choices(const config::parameters& p, const place_of& place) {
  expect_fields(p, place, "fields", p.output.fields);
  expect_fields(p, place, "slice_fields", p.output.slice_fields);
  expect_fields(p, place, "tracer_fields", p.output.tracer_fields);
  expect_planes(p, place);
  for (const auto& [value, key] : {std::pair{p.output.tracer_time, "output.tracer_time"},
                                   std::pair{p.output.tracer_orbits, "output.tracer_orbits"}}) {
    if (p.tracers.count == 0 && value > 0)
      core::fail("{}: {} = {:g}, but there are no tracers: set tracers.count", place(key), key, value);
  }
  const bool none = p.output.slices.empty() && p.output.projections.empty();
  for (const auto& [value, key] :
       {std::pair{p.output.slice_time, "output.slice_time"}, std::pair{p.output.slice_orbits, "output.slice_orbits"}}) {
    if (none && value > 0)
      core::fail(
          "{}: {} = {:g}, but there is nothing to write: name planes in output.slices or axes in output.projections",
          place(key), key, value);
  }
  if (!none && p.output.slice_fields.empty())
    core::fail("{}: output.slice_fields is empty: name a field, or leave out output.slices and output.projections",
               place("output.slice_fields"));
}

}  // namespace rednova::output
