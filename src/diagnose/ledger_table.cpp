#include "diagnose/ledger_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rednova::diagnose {

namespace {

using step::totals;

/// |a| / scale; what is exactly 0 has not drifted, whatever its scale.
double relative(double a, double scale) { return a == 0 ? 0 : std::abs(a) / scale; }

double largest(core::vec3d a) { return std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z)}); }

/// One row's numbers from each column of the books.
struct columns {
  const step::ledger& books;
  totals outflow, remainder;

  template <class Pick>
  std::string row(const std::string& name, double scale, const Pick& pick) const {
    const double left = pick(remainder);
    return fmt::format("{:<22}{:>15.7e}{:>12.3e}{:>12.3e}{:>12.3e}{:>12.3e}{:>11.1e}\n", name, pick(books.grid),
                       pick(outflow), pick(books.floors), pick(books.regrid), left, relative(left, scale));
  }
};

}  // namespace

drift relative_drift(const step::ledger& books) {
  const totals left = books.remainder();
  const totals& scale = books.magnitude;
  drift d;
  for (std::size_t k = 0; k < left.species.size(); ++k)
    d.mass = std::max(d.mass, relative(left.species[k], scale.species[k]));
  d.momentum = relative(largest(left.momentum), largest(scale.momentum));
  d.angular_momentum = relative(largest(left.angular_momentum), largest(scale.angular_momentum));
  d.energy = relative(left.energy, scale.energy);
  return d;
}

std::string ledger_table(const step::ledger& books, const std::vector<std::string>& species) {
  const columns c{books, books.total_outflow(), books.remainder()};
  const totals& scale = books.magnitude;
  std::string text = fmt::format("{:<22}{:>15}{:>12}{:>12}{:>12}{:>12}{:>11}\n", "conserved", "grid", "outflow",
                                 "floors", "regrid", "remainder", "relative");
  if (species.size() > 1)
    for (std::size_t k = 0; k < species.size(); ++k)
      text += c.row("mass of " + species[k], scale.species[k], [k](const totals& t) { return t.species[k]; });
  text += c.row("mass", scale.mass(), [](const totals& t) { return t.mass(); });
  for (int d = 0; d < 3; ++d)
    text += c.row(fmt::format("momentum {}", "xyz"[d]), largest(scale.momentum),
                  [d](const totals& t) { return t.momentum[d]; });
  for (int d = 0; d < 3; ++d)
    text += c.row(fmt::format("angular momentum {}", "xyz"[d]), largest(scale.angular_momentum),
                  [d](const totals& t) { return t.angular_momentum[d]; });
  return text + c.row("energy", scale.energy, [](const totals& t) { return t.energy; });
}

}  // namespace rednova::diagnose
