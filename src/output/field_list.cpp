#include "output/field_list.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "diagnose/gas_state.hpp"
#include "gravity/result_field.hpp"
#include "radiation/gas_place.hpp"

namespace rednova::output {
namespace {

/// A field of which each cell's value is f(s, leaf, cell).
template <class F>
snapshot_field by_cell(std::string name, std::string units, F f) {
  return {std::move(name), std::move(units), [f](const step::simulation& s, int leaf, double* out) {
            for (int c = 0; c < mesh::cells; ++c) out[c] = f(s, leaf, c);
          }};
}

snapshot_field conserved(std::string name, std::string units, int field) {
  return {std::move(name), std::move(units), [field](const step::simulation& s, int leaf, double* out) {
            std::copy_n(s.u().at(leaf, field), mesh::cells, out);
          }};
}

snapshot_field gravitational(std::string name, std::string units, int field) {
  return {std::move(name), std::move(units), [field](const step::simulation& s, int leaf, double* out) {
            std::copy_n(s.gravity().at(leaf, field), mesh::cells, out);
          }};
}

constexpr const char* velocity_units = "length/time";
constexpr const char* pressure_units = "mass/(length time^2)";

// The same as ALIASES of python/rednova/snapshot.py.
constexpr std::array<std::pair<const char*, const char*>, 6> aliases{{{"density", "prim_density"},
                                                                      {"velocity_x", "prim_velocity_1"},
                                                                      {"velocity_y", "prim_velocity_2"},
                                                                      {"velocity_z", "prim_velocity_3"},
                                                                      {"pressure", "prim_pressure"},
                                                                      {"energy", "cons_total_energy_density"}}};

/// Gas of stars has its temperature in the list already.
void add_light(const config::parameters& p, std::vector<snapshot_field>& list) {
  const radiation::scheme by = radiation::scheme_of(p);
  list.push_back(by_cell("radiation_energy_density", pressure_units,
                         [c = by.k.speed](const step::simulation& of, int leaf, int cell) {
                           return of.light().at(leaf, radiation::field::energy)[cell] *
                                  of.light().at(leaf, radiation::field::speed)[cell] / c;
                         }));
  for (int d = 0; d < 3; ++d) {
    list.push_back(by_cell(std::string("radiation_flux_") + "xyz"[d], "mass/time^3",
                           [c = by.k.speed, d](const step::simulation& of, int leaf, int cell) {
                             return of.light().at(leaf, radiation::field::momentum(d))[cell] *
                                    of.light().at(leaf, radiation::field::speed)[cell] * c;
                           }));
  }
  list.push_back(by_cell("reduced_light_speed", velocity_units, [](const step::simulation& of, int leaf, int cell) {
    return of.light().at(leaf, radiation::field::speed)[cell];
  }));
  if (p.eos.model == config::gas_model::ideal)
    // In code units gas_constant says what a temperature is.
    list.push_back(by_cell("temperature", p.units.system == config::unit_system::solar ? "K" : "1",
                           [by](const step::simulation& of, int leaf, int cell) {
                             return radiation::temperature_of(by, of.eos(), of.density(leaf, cell),
                                                              diagnose::internal_energy(of, leaf, cell), 0);
                           }));
  list.push_back(by_cell("optical_depth", "1", [by](const step::simulation& of, int leaf, int cell) {
    const double energy = diagnose::internal_energy(of, leaf, cell), hydrogen = diagnose::hydrogen(of, leaf, cell);
    return radiation::opacities_of(by, of.eos(), of.density(leaf, cell), energy, hydrogen).flux *
           of.tree().cell_width(leaf);
  }));
}

/// What a state may have beside the gas.
struct company {
  bool gravity, light;
};

std::vector<snapshot_field> all_fields(const config::parameters& p, const company& with) {
  const mesh::fields f = mesh::fields::of(p);
  std::vector<snapshot_field> list;
  list.push_back(by_cell("prim_density", density_units,
                         [](const step::simulation& of, int leaf, int c) { return of.density(leaf, c); }));
  for (int d = 0; d < 3; ++d) {
    list.push_back(by_cell("prim_velocity_" + std::to_string(d + 1), velocity_units,
                           [field = f.momentum(d)](const step::simulation& of, int leaf, int c) {
                             return of.u().at(leaf, field)[c] / of.density(leaf, c);
                           }));
  }
  list.push_back(by_cell("prim_pressure", pressure_units, diagnose::pressure));
  if (p.eos.model != config::gas_model::ideal) {
    list.push_back(by_cell("internal_energy_density", pressure_units, diagnose::internal_energy));
    list.push_back(by_cell("temperature", "K", diagnose::temperature));
  }
  if (p.eos.model == config::gas_model::stellar) {
    list.push_back(by_cell("mean_molecular_weight", "1", [](const step::simulation& of, int leaf, int c) {
      return diagnose::particles(of, leaf, c).mean_weight;
    }));
    list.push_back(by_cell("electron_fraction", "1", [](const step::simulation& of, int leaf, int c) {
      return diagnose::particles(of, leaf, c).electrons;
    }));
  }
  list.push_back(conserved("cons_total_energy_density", pressure_units, f.energy()));
  list.push_back(conserved("entropy_tracer", f[f.entropy()].units, f.entropy()));
  for (int d = 0; d < 3; ++d) list.push_back(conserved(f[f.spin(d)].name, f[f.spin(d)].units, f.spin(d)));
  for (int k = 0; k < f.species(); ++k) {
    list.push_back(conserved("density_" + f[f.species(k)].name, density_units, f.species(k)));
  }
  if (with.light) add_light(p, list);
  if (!with.gravity) return list;
  list.push_back(gravitational("gravitational_potential", "length^2/time^2", gravity::potential));
  for (int d = 0; d < 3; ++d) {
    list.push_back(gravitational(std::string("gravitational_acceleration_") + "xyz"[d], "length/time^2",
                                 gravity::acceleration + d));
  }
  return list;
}

}  // namespace

std::vector<snapshot_field> snapshot_fields(const step::simulation& s, const std::vector<std::string>& chosen) {
  std::vector<snapshot_field> list = all_fields(s.par(), {!s.gravity().empty(), !s.light().empty()});
  if (chosen.empty()) return list;
  std::erase_if(list, [&](const snapshot_field& f) {
    return std::ranges::none_of(chosen, [&](const std::string& name) { return dataset_of(name) == f.name; });
  });
  return list;
}

std::vector<std::string> field_names(const config::parameters& p) {
  std::vector<std::string> names;
  for (const snapshot_field& f : all_fields(p, {p.gravity.enabled, p.radiation.enabled})) names.push_back(f.name);
  return names;
}

std::string dataset_of(const std::string& name) {
  const auto* const found = std::ranges::find_if(aliases, [&](const auto& a) { return name == a.first; });
  return found == aliases.end() ? name : found->second;
}

std::vector<std::string> short_names() {
  std::vector<std::string> names;
  for (const auto& a : aliases) names.emplace_back(a.first);
  return names;
}

}  // namespace rednova::output
