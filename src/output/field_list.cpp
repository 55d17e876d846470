#include "output/field_list.hpp"

#include <algorithm>

#include "diagnose/gas_state.hpp"
#include "gravity/result_field.hpp"
#include "radiation/scheme.hpp"

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

constexpr const char* density_units = "mass/length^3";
constexpr const char* velocity_units = "length/time";
constexpr const char* pressure_units = "mass/(length time^2)";

void add_light(const step::simulation& s, std::vector<snapshot_field>& list) {
  const radiation::scheme by = radiation::scheme_of(s.par());
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
  list.push_back(by_cell("temperature", "K", [by](const step::simulation& of, int leaf, int cell) {
    return diagnose::internal_energy(of, leaf, cell) / (of.density(leaf, cell) * by.heat_capacity);
  }));
  list.push_back(by_cell("optical_depth", "1", [by](const step::simulation& of, int leaf, int cell) {
    const double rho = of.density(leaf, cell);
    const double t = diagnose::internal_energy(of, leaf, cell) / (rho * by.heat_capacity);
    return by.opacities.by_volume(rho, t).flux * of.tree().cell_width(leaf);
  }));
}

}  // namespace

std::vector<snapshot_field> snapshot_fields(const step::simulation& s) {
  const mesh::fields& f = s.fields();
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
  if (s.eos().model == config::gas_model::white_dwarf) {
    list.push_back(by_cell("internal_energy_density", pressure_units, diagnose::internal_energy));
    list.push_back(by_cell("temperature", "K", diagnose::temperature));
  }
  list.push_back(conserved("cons_total_energy_density", pressure_units, f.energy()));
  list.push_back(conserved("entropy_tracer", f[f.entropy()].units, f.entropy()));
  for (int d = 0; d < 3; ++d) list.push_back(conserved(f[f.spin(d)].name, f[f.spin(d)].units, f.spin(d)));
  for (int k = 0; k < f.species(); ++k) {
    list.push_back(conserved("density_" + f[f.species(k)].name, density_units, f.species(k)));
  }
  if (!s.light().empty()) add_light(s, list);
  if (s.gravity().empty()) return list;
  list.push_back(gravitational("gravitational_potential", "length^2/time^2", gravity::potential));
  for (int d = 0; d < 3; ++d) {
    list.push_back(gravitational(std::string("gravitational_acceleration_") + "xyz"[d], "length/time^2",
                                 gravity::acceleration + d));
  }
  return list;
}

}  // namespace rednova::output
