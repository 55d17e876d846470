#include "step/ledger.hpp"

#include <cmath>
#include <numeric>

namespace rednova::step {

totals::totals(const double* numbers, int n_species) : species(numbers, numbers + n_species) {
  numbers += n_species;
  for (int d = 0; d < 3; ++d) momentum[d] = numbers[d];
  for (int d = 0; d < 3; ++d) angular_momentum[d] = numbers[3 + d];
  energy = numbers[6];
  for (int d = 0; d < 3; ++d) spin[d] = numbers[7 + d];
}

double totals::mass() const { return std::accumulate(species.begin(), species.end(), 0.0); }

totals& totals::operator+=(const totals& b) { return add(1, b); }

totals& totals::add(double factor, const totals& b) {
  if (species.size() < b.species.size()) species.resize(b.species.size(), 0.0);
  for (std::size_t k = 0; k < b.species.size(); ++k) species[k] += factor * b.species[k];
  momentum += factor * b.momentum;
  angular_momentum += factor * b.angular_momentum;
  energy += factor * b.energy;
  spin += factor * b.spin;
  return *this;
}

void totals::rotate(double c, double s) {
  for (core::vec3d* v : {&momentum, &angular_momentum, &spin}) *v = {c * v->x - s * v->y, s * v->x + c * v->y, v->z};
}

totals totals::rotated(double angle) const {
  totals r = *this;
  r.rotate(std::cos(angle), std::sin(angle));
  return r;
}

totals ledger::total_outflow() const {
  totals sum;
  for (const totals& side : outflow) sum += side;
  return sum;
}

totals ledger::remainder() const {
  totals r = grid;
  return r.add(-1, initial).add(1, total_outflow()).add(-1, floors).add(-1, regrid).add(-1, points).add(-1, driven);
}

}  // namespace rednova::step
