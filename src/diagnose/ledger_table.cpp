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

  /// Name, grid, outflow, floors, regrid.
  template <class Pick>
  std::string bookings(const std::string& name, const Pick& pick) const {
    return fmt::format("{:<22}{:>15.7e}{:>12.3e}{:>12.3e}{:>12.3e}", name, pick(books.grid), pick(outflow),
                       pick(books.floors), pick(books.regrid));
  }
  template <class Pick>
  std::string row(const std::string& name, double scale, const Pick& pick) const {
    const double left = pick(remainder);
    return bookings(name, pick) + fmt::format("{:>12.3e}{:>11.1e}\n", left, relative(left, scale));
  }
  /// Of what is not conserved: a remainder would look like an error.
  template <class Pick>
  std::string row_without_law(const std::string& name, const Pick& pick) const {
    return bookings(name + " *", pick) + fmt::format("{:>12}{:>11}\n", "-", "-");
  }
};

std::string notes(const angular_momentum_law& law) {
  std::string text;
  if (!law.why_not.empty()) text += fmt::format("* not conserved: {}\n", law.why_not);
  if (!law.loss.empty()) text += fmt::format("{}\n", law.loss);
  return text;
}

}  // namespace

drift relative_drift(const step::ledger& books, const angular_momentum_law& law) {
  const totals left = books.remainder();
  const totals& scale = books.magnitude;
  drift d;
  for (std::size_t k = 0; k < left.species.size(); ++k)
    d.mass = std::max(d.mass, relative(left.species[k], scale.species[k]));
  d.momentum = relative(largest(left.momentum), largest(scale.momentum));
  for (int axis = 0; axis < 3; ++axis) {
    if (!law.holds[static_cast<std::size_t>(axis)]) continue;
    const double one = relative(left.angular_momentum[axis], largest(scale.angular_momentum));
    d.angular_momentum = std::max(d.angular_momentum.value_or(0), one);
  }
  d.energy = relative(left.energy, scale.energy);
  return d;
}

std::string ledger_table(const step::ledger& books, const std::vector<std::string>& species,
                         const angular_momentum_law& law) {
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
  for (int d = 0; d < 3; ++d) {
    const std::string name = fmt::format("angular momentum {}", "xyz"[d]);
    const auto component = [d](const totals& t) { return t.angular_momentum[d]; };
    text += law.holds[static_cast<std::size_t>(d)] ? c.row(name, largest(scale.angular_momentum), component)
                                                   : c.row_without_law(name, component);
  }
  return text + c.row("energy", scale.energy, [](const totals& t) { return t.energy; }) + notes(law);
}

}  // namespace rednova::diagnose
