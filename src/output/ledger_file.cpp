#include "output/ledger_file.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "diagnose/angular_momentum_law.hpp"
#include "diagnose/flow_drift.hpp"
#include "diagnose/relative.hpp"
#include "output/durable.hpp"

namespace rednova::output {
namespace {

using json = nlohmann::ordered_json;

// Vectors become arrays.
json value(double x) { return x; }
json value(const core::vec3d& v) { return json::array({v.x, v.y, v.z}); }

/// The entry of one quantity; `of` picks it from a column of the ledger.
template <class F>
json entry(const step::ledger& ledger, const json& relative, const F& of) {
  json e;
  const step::totals remainder = ledger.remainder();
  e["grid"] = value(of(ledger.grid));
  e["outflow"] = value(of(ledger.total_outflow()));
  e["floors"] = value(of(ledger.floors));
  e["regrid"] = value(of(ledger.regrid));
  e["points"] = value(of(ledger.points));
  e["driven"] = value(of(ledger.driven));
  e["remainder"] = value(of(remainder));
  e["relative"] = relative;
  e["conserved"] = true;
  e["initial"] = value(of(ledger.initial));
  e["magnitude"] = value(of(ledger.magnitude));
  e["outflow_by_side"] = json::array();
  for (const step::totals& side : ledger.outflow) e["outflow_by_side"].push_back(value(of(side)));
  return e;
}

void add_law(json& e, const diagnose::angular_momentum_law& law) {
  if (!law.holds_for_all()) {
    e["conserved"] = false;
    e["conserved_components"] = law.holds;
    e["reason"] = law.why_not;
  }
  if (!law.loss.empty()) e["note"] = law.loss;
}

/// The flow's part of the angular momentum, with its drift.
json flow_entry(const step::ledger& ledger, const diagnose::angular_momentum_law& law) {
  const diagnose::flow_drift drift = diagnose::flow_drift::of(ledger, law);
  const core::vec3d size{std::abs(drift.share.x), std::abs(drift.share.y), std::abs(drift.share.z)};
  json e = entry(ledger, value(size), [](const step::totals& t) { return t.flow(); });
  e["drift"] = value(drift.share);
  e["relative_to"] = drift.of_magnitude ? "sum of absolute values" : "angular momentum at the start";
  e["scale"] = drift.scale;
  return e;
}

}  // namespace

std::string ledger_json(const step::simulation& s, const provenance& from) {
  const step::ledger& ledger = s.ledger();
  json all;
  const step::totals relative = diagnose::relative_remainder(ledger);
  all["mass"] =
      entry(ledger, diagnose::relative_mass_remainder(ledger), [](const step::totals& t) { return t.mass(); });
  for (int k = 0; k < s.fields().species(); ++k) {
    const auto species = [k](const step::totals& t) {
      const auto at = static_cast<std::size_t>(k);
      return at < t.species.size() ? t.species[at] : 0.0;  // ledger without entries yet have no species
    };
    all["mass_" + s.fields()[k].name] = entry(ledger, value(species(relative)), species);
  }
  all["momentum"] = entry(ledger, value(relative.momentum), [](const step::totals& t) { return t.momentum; });
  all["angular_momentum"] =
      entry(ledger, value(relative.angular_momentum), [](const step::totals& t) { return t.angular_momentum; });
  const diagnose::angular_momentum_law law = diagnose::law_of_angular_momentum(s.par());
  add_law(all["angular_momentum"], law);
  all["flow"] = flow_entry(ledger, law);
  add_law(all["flow"], law);
  all["energy"] = entry(ledger, value(relative.energy), [](const step::totals& t) { return t.energy; });
  const json units = {{"length_cm", s.units().length}, {"mass_g", s.units().mass}, {"time_s", s.units().time}};
  all["run"] = {{"version", from.version}, {"commit", from.commit}, {"step", s.step()},
                {"time", s.time()},        {"units", units},        {"input", from.input}};
  return all.dump(2) + '\n';
}

void write_ledger(const std::string& path, const step::simulation& s, const provenance& from) {
  write_file(path, ledger_json(s, from));
}

}  // namespace rednova::output
