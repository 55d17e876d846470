#include "mesh/fields.hpp"

#include "core/check.hpp"

namespace rednova::mesh {

namespace {

std::vector<std::string> numbered(int species) {
  std::vector<std::string> names;
  for (int k = 0; k < species; ++k) names.push_back("species_" + std::to_string(k));
  return names;
}

}  // namespace

fields::fields(const std::vector<std::string>& names, bool gravity, bool stored_gas)
    : field_numbers(static_cast<int>(names.size()), gravity, stored_gas) {
  EXPECT(species() >= 1);
  for (const std::string& name : names) table_.push_back({name, "mass/length^3", field_kind::scalar});
  for (const char* axis : {"x", "y", "z"}) {
    table_.push_back({std::string("momentum_") + axis, "mass/(length^2 time)", field_kind::momentum});
  }
  table_.push_back({"energy", "mass/(length time^2)", field_kind::scalar});
  table_.push_back({"entropy_tracer", "(mass/(length time^2))^(1/gamma)", field_kind::scalar});
  for (const char* axis : {"x", "y", "z"}) {
    table_.push_back({std::string("spin_") + axis, "mass/(length time)", field_kind::spin});
  }
}

fields fields::of(const config::parameters& p) {
  const bool tabulated = p.eos.model == config::gas_model::stellar;
  const bool stored = p.eos.model != config::gas_model::ideal || p.radiation.enabled;  // as eos::gas::stored
  fields all(p.hydro.species, p.gravity.enabled, stored);
  // Of gas from a table the tracer is the entropy by volume.
  if (tabulated) all.table_[static_cast<std::size_t>(all.entropy())].units = "mass/length^3 k/m_u";
  return all;
}

fields::fields(int species, bool gravity, bool stored_gas) : fields(numbered(species), gravity, stored_gas) {}

}  // namespace rednova::mesh
