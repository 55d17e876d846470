#include "output/checkpoint_rows.hpp"

namespace rednova::output {

kept_columns kept_columns::of(const step::simulation& s) {
  return {s.points().count > 0, s.par().driving.rate != 0 || s.ledger().driven.energy != 0};
}

std::vector<double> pack(const step::ledger& ledger, int species, const kept_columns& kept) {
  std::vector<double> table;
  for (const step::totals* row : ledger_rows(ledger, kept)) {
    std::vector<double> masses = row->species;
    masses.resize(static_cast<std::size_t>(species), 0.0);
    table.insert(table.end(), masses.begin(), masses.end());
    for (int d = 0; d < 3; ++d) table.push_back(row->momentum[d]);
    for (int d = 0; d < 3; ++d) table.push_back(row->angular_momentum[d]);
    table.push_back(row->energy);
    for (int d = 0; d < 3; ++d) table.push_back(row->spin[d]);
  }
  return table;
}

kept_columns kept_in(const std::vector<double>& table, int species, bool points) {
  const step::ledger any(species);
  const kept_columns driven{points, true};
  const auto columns = static_cast<std::size_t>(species + step::vector_and_energy);
  return {points, table.size() == columns * ledger_rows(any, driven).size()};
}

void unpack(const std::vector<double>& table, int species, const kept_columns& kept, step::ledger& ledger) {
  const double* p = table.data();
  for (step::totals* row : ledger_rows(ledger, kept)) {
    row->species.assign(p, p + species);
    p += species;
    for (int d = 0; d < 3; ++d) row->momentum[d] = *p++;
    for (int d = 0; d < 3; ++d) row->angular_momentum[d] = *p++;
    row->energy = *p++;
    for (int d = 0; d < 3; ++d) row->spin[d] = *p++;
  }
}

std::vector<double> pack(const std::vector<step::tracer_particle>& particles) {
  std::vector<double> table;
  for (const step::tracer_particle& p : particles)
    table.insert(table.end(), {p.position.x, p.position.y, p.position.z, p.left});
  return table;
}

std::vector<step::tracer_particle> particles_of(const std::vector<double>& table) {
  std::vector<step::tracer_particle> particles;
  for (std::size_t n = 0; n + particle_numbers <= table.size(); n += particle_numbers)
    particles.push_back({{table[n], table[n + 1], table[n + 2]}, table[n + 3]});
  return particles;
}

std::vector<double> pack(const step::point_masses& points) {
  std::vector<double> table;
  for (const step::point_mass& p : points) {
    table.insert(table.end(), {p.mass, p.softening, p.position.x, p.position.y, p.position.z, p.momentum.x,
                               p.momentum.y, p.momentum.z});
  }
  return table;
}

step::point_masses points_of(const std::vector<double>& table) {
  step::point_masses points;
  for (std::size_t n = 0; n < table.size(); n += point_numbers) {
    const double* p = table.data() + n;
    points.add({p[0], p[1], {p[2], p[3], p[4]}, {p[5], p[6], p[7]}});
  }
  return points;
}

}  // namespace rednova::output
