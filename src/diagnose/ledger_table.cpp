#include "diagnose/ledger_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagnose/flow_drift.hpp"
#include "diagnose/relative.hpp"

namespace rednova::diagnose {

namespace {

using step::totals;

/// One row's numbers from each column of the ledger.
struct columns {
  const step::ledger& ledger;
  std::size_t width;                        ///< of the names
  bool points = ledger.points.energy != 0;  ///< whether there are point masses, whose integration is never exact
  bool driven = ledger.driven.energy != 0;  ///< whether the orbit was driven
  totals outflow = ledger.total_outflow(), remainder = ledger.remainder(), relative = relative_remainder(ledger);

  /// Name, grid, outflow, floors, regrid, and points and driven where there are any.
  template <class Pick>
  std::string bookings(const std::string& name, const Pick& pick) const {
    return fmt::format("{:<{}}{:>15.7e}{:>12.3e}{:>12.3e}{:>12.3e}", name, width, pick(ledger.grid), pick(outflow),
                       pick(ledger.floors), pick(ledger.regrid)) +
           (points ? fmt::format("{:>12.3e}", pick(ledger.points)) : "") +
           (driven ? fmt::format("{:>12.3e}", pick(ledger.driven)) : "");
  }
  template <class Pick>
  std::string row(const std::string& name, const Pick& pick) const {
    return row(name, pick, pick(relative));
  }
  template <class Pick>
  std::string row(const std::string& name, const Pick& pick, double share) const {
    return bookings(name, pick) + fmt::format("{:>12.3e}{:>11.1e}\n", pick(remainder), share);
  }
  /// Of what is not conserved: a remainder would look like an error.
  template <class Pick>
  std::string row_without_law(const std::string& name, const Pick& pick) const {
    return bookings(name + " *", pick) + fmt::format("{:>12}{:>11}\n", "-", "-");
  }
};

std::string notes(const angular_momentum_law& law, const flow_drift& flow) {
  std::string text = fmt::format(
      "of the flow: the angular momentum of the momenta without the cells' spin; {} its drift, relative to {}\n",
      law.loss.empty() ? "its remainder is" : "its remainder and what regridding added are",
      flow.of_magnitude ? "the sum of absolute values, since there was none at the start"
                        : "the angular momentum at the start");
  if (!law.why_not.empty()) text += fmt::format("* not conserved: {}\n", law.why_not);
  if (!law.loss.empty()) text += fmt::format("{}\n", law.loss);
  return text;
}

}  // namespace

drift relative_drift(const step::ledger& ledger, const angular_momentum_law& law) {
  const totals relative = relative_remainder(ledger);
  const flow_drift flow = flow_drift::of(ledger, law);
  drift d;
  d.mass = std::ranges::max(relative.species);
  d.momentum = std::max({relative.momentum.x, relative.momentum.y, relative.momentum.z});
  for (int axis = 0; axis < 3; ++axis) {
    if (!law.holds[static_cast<std::size_t>(axis)]) continue;
    d.angular_momentum = std::max(d.angular_momentum.value_or(0), relative.angular_momentum[axis]);
    d.flow = std::max(d.flow.value_or(0), std::abs(flow.share[axis]));
  }
  d.energy = relative.energy;
  return d;
}

std::string ledger_table(const step::ledger& ledger, const std::vector<std::string>& species,
                         const angular_momentum_law& law) {
  const std::string mass_of = "mass of ", longest = "angular momentum x *";
  std::size_t width = longest.size() + 2;
  for (const std::string& name : species) width = std::max(width, mass_of.size() + name.size() + 2);
  const columns c{.ledger = ledger, .width = width};
  std::string text =
      fmt::format("{:<{}}{:>15}{:>12}{:>12}{:>12}", "conserved", width, "grid", "outflow", "floors", "regrid") +
      (c.points ? fmt::format("{:>12}", "points") : "") + (c.driven ? fmt::format("{:>12}", "driven") : "") +
      fmt::format("{:>12}{:>11}\n", "remainder", "relative");
  if (species.size() > 1)
    for (std::size_t k = 0; k < species.size(); ++k)
      text += c.row(mass_of + species[k], [k](const totals& t) { return t.species[k]; });
  text += c.row(
      "mass", [](const totals& t) { return t.mass(); }, relative_mass_remainder(ledger));
  for (int d = 0; d < 3; ++d)
    text += c.row(fmt::format("momentum {}", "xyz"[d]), [d](const totals& t) { return t.momentum[d]; });
  for (int d = 0; d < 3; ++d) {
    const std::string name = fmt::format("angular momentum {}", "xyz"[d]);
    const auto component = [d](const totals& t) { return t.angular_momentum[d]; };
    text += law.holds[static_cast<std::size_t>(d)] ? c.row(name, component) : c.row_without_law(name, component);
  }
  const flow_drift flow = flow_drift::of(ledger, law);
  for (int d = 0; d < 3; ++d) {
    const std::string name = fmt::format("  of the flow {}", "xyz"[d]);
    const auto component = [d](const totals& t) { return t.flow()[d]; };
    text += law.holds[static_cast<std::size_t>(d)] ? c.row(name, component, std::abs(flow.share[d]))
                                                   : c.row_without_law(name, component);
  }
  return text + c.row("energy", [](const totals& t) { return t.energy; }) + notes(law, flow);
}

}  // namespace rednova::diagnose
