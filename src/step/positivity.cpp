// What keeps density and heat positive: first-order fluxes where a stage failed, then floors that are counted.
#include <algorithm>
#include <cmath>

#include "exchange/gather.hpp"
#include "hydro/dual_energy.hpp"
#include "hydro/floors.hpp"
#include "step/stage.hpp"

namespace rednova::step {

namespace {

using core::vec3d;
using mesh::cells;
using mesh::N;

// A species that rounding made negative by less than this share of the mass is left to the floor, which books it:
// a species that is nowhere in a star would otherwise send every block of it back to first order.
constexpr double rounding_share = 1e-12;

// No mass, no heat or not a number: what a stage must not make. Energy may fall below the kinetic one in cold
// flow, where the tracer holds the heat.
bool bad_cell(const simulation& s, const mesh::block_data& u, int leaf, int c) {
  double rho = 0, smallest = 0;
  for (int k = 0; k < s.fields.species(); ++k) {
    const double m = u.at(leaf, k)[c];
    rho += m;
    smallest = std::min(smallest, m);
  }
  const bool good = rho >= s.par.hydro.density_floor && smallest >= -rounding_share * rho &&
                    u.at(leaf, s.fields.entropy())[c] > 0 && std::isfinite(u.at(leaf, s.fields.energy())[c]);
  return !good;
}

// Whether nothing in a pack of cells is below a floor or above the ceiling: the quick look that most blocks need alone.
bool pack_within_limits(const simulation& s, const mesh::block_data& u, int leaf, int c,
                        const hydro::floor_limits& limits) {
  using T = exec::pack;
  const mesh::fields& f = s.fields;
  const auto at = [&](int field) { return exec::load<T>(u.at(leaf, field) + c); };
  T rho = at(0), smallest = rho;
  for (int k = 1; k < f.species(); ++k) {
    const T m = at(k);
    rho = rho + m;
    smallest = exec::min(smallest, m);
  }
  const T kinetic = hydro::kinetic_energy(rho, core::vec3<T>{at(f.momentum(0)), at(f.momentum(1)), at(f.momentum(2))});
  return !exec::any(!hydro::within_limits(rho, smallest, at(f.energy()), kinetic, at(f.entropy()), limits));
}

bool within_limits(const simulation& s, const mesh::block_data& u, int leaf, const hydro::floor_limits& limits) {
  for (int c = 0; c < cells; c += exec::lanes<exec::pack>) {
    if (!pack_within_limits(s, u, leaf, c, limits)) return false;
  }
  return true;
}

bool bad_block(const simulation& s, const mesh::block_data& u, int leaf, const hydro::floor_limits& limits) {
  if (within_limits(s, u, leaf, limits)) return false;
  for (int c = 0; c < cells; ++c) {
    if (bad_cell(s, u, leaf, c)) return true;
  }
  return false;
}

// Marks of leaves spread to whom they touch: the blocks whose fluxes change if a marked one's cells are
// updated to first order.
std::vector<char> touched(const simulation& s, const std::vector<char>& marked) {
  const mesh::tree& t = s.tree;
  std::vector<char> node(static_cast<std::size_t>(t.size()), 0);
  std::copy(marked.begin(), marked.end(), node.begin());
  for (int n = t.leaves(); n < t.size(); ++n) {
    for (int c : t[n].child) node[static_cast<std::size_t>(n)] |= node[static_cast<std::size_t>(c)];
  }
  const auto near = [&](int n) {
    return std::ranges::any_of(t[n].neighbour, [&](int m) { return m >= 0 && node[static_cast<std::size_t>(m)]; });
  };
  std::vector<char> result(static_cast<std::size_t>(t.leaves()), 0);
  for (int n = 0; n < t.leaves(); ++n) {
    result[static_cast<std::size_t>(n)] = near(n) || (t[n].parent >= 0 && near(t[n].parent));
  }
  return result;
}

vec3d momentum_of(const simulation& s, const mesh::block_data& u, int leaf, int c) {
  return {u.at(leaf, s.fields.momentum(0))[c], u.at(leaf, s.fields.momentum(1))[c],
          u.at(leaf, s.fields.momentum(2))[c]};
}

double density_of(const simulation& s, const mesh::block_data& u, int leaf, int c) {
  double rho = u.at(leaf, 0)[c];
  for (int k = 1; k < s.fields.species(); ++k) rho += u.at(leaf, k)[c];
  return rho;
}

// Raises what lies below the density floor in one leaf; the masses that it adds.
totals floor_density_of_leaf(simulation& s, int leaf) {
  mesh::block_data& u = s.work->next;
  const int species = s.fields.species();
  totals sum(species);
  const double volume = std::pow(s.tree.cell_width(leaf), 3);
  std::vector<double> added(static_cast<std::size_t>(species));
  for (int c = 0; c < cells; ++c) {
    double smallest = 0;
    for (int k = 0; k < species; ++k) smallest = std::min(smallest, u.at(leaf, k)[c]);
    const double before = density_of(s, u, leaf, c);
    if (before >= s.par.hydro.density_floor && smallest >= 0) continue;
    hydro::floor_species(u.at(leaf, 0) + c, species, cells, s.par.hydro.density_floor, added.data());
    for (std::size_t k = 0; k < added.size(); ++k) sum.species[k] += volume * added[k];
    auto& account = s.work->floor_density[s.work->own(leaf)];
    if (account.empty()) account.assign(cells, 0.0);
    account[static_cast<std::size_t>(c)] += density_of(s, u, leaf, c) - before;
  }
  return sum;
}

}  // namespace

void positivity_phase(simulation& s, const stage_form& form, double dt, int stage) {
  const auto [first, last] = s.own_leaves();
  std::vector<char> mine(static_cast<std::size_t>(last - first), 0);
  const hydro::floor_limits limits(s.par.hydro, s.eos);
  exchange::for_leaves(*s.where, "positivity", s.links->share(),
                       [&](int leaf) { mine[s.work->own(leaf)] = bad_block(s, s.work->next, leaf, limits); });
  const bool here = std::ranges::any_of(mine, [](char b) { return b != 0; });
  if (!exchange::on_any_rank(*s.where, here)) return;

  const std::vector<char> bad = exchange::gather_lists(*s.where, mine);
  mesh::block_data troubled(s.links->nodes(), 1);
  for (int leaf = first; leaf < last; ++leaf) {
    if (!bad[static_cast<std::size_t>(leaf)]) continue;
    for (int c = 0; c < cells; ++c) troubled.at(leaf)[c] = bad_cell(s, s.work->next, leaf, c);
  }
  s.links->restrict_scalar(troubled, 0);
  s.links->fetch_scalar(troubled, 0);
  // Twice: a coarse block takes the new fluxes of the finer ones that touch a troubled cell.
  const std::vector<char> again = touched(s, touched(s, bad));
  std::vector<int> list;
  for (int leaf = first; leaf < last; ++leaf) {
    if (again[static_cast<std::size_t>(leaf)]) list.push_back(leaf);
  }
  hydro_phase_again(s, form, dt, stage, list, troubled);
  flux_correction_phase(s, form, dt, &again);
}

void density_floor_phase(simulation& s, const stage_form& form, int stage, double ends) {
  for (auto& account : s.work->floor_density) {
    if (stage == 0) account.clear();
    for (double& v : account) v *= form.b;
  }
  const hydro::floor_limits limits(s.par.hydro, s.eos);
  const double angle = s.rotation * ends;
  exchange::for_leaves(*s.where, "floors", s.links->share(), [&](int leaf) {
    if (within_limits(s, s.work->next, leaf, limits)) return;
    s.work->sums.add(leaf, tally::floors, form.floor_weight, floor_density_of_leaf(s, leaf).rotated(angle));
  });
}

void energy_phase(simulation& s, const stage_form& form, bool last) {
  const mesh::fields& f = s.fields;
  mesh::block_data& u = s.work->next;
  const hydro::floor_limits limits(s.par.hydro, s.eos);
  exchange::for_leaves(*s.where, "floors", s.links->share(), [&](int leaf) {
    if (within_limits(s, u, leaf, limits)) return;
    const double volume = std::pow(s.tree.cell_width(leaf), 3);
    double *energy = u.at(leaf, f.energy()), *tracer = u.at(leaf, f.entropy());
    double added = 0;
    for (int c = 0; c < cells; ++c) {
      const double rho = density_of(s, u, leaf, c);
      const double kinetic = hydro::kinetic_energy(rho, momentum_of(s, u, leaf, c));
      const auto r = hydro::limit_energy(rho, energy[c], kinetic, tracer[c], limits, s.eos);
      energy[c] = r.energy;
      tracer[c] = r.tracer;
      added += volume * r.added;
    }
    s.work->sums.add_energy(leaf, tally::floors, form.floor_weight * added);
  });
  if (!last) return;
  s.links->restrict_scalar(u, f.energy());
  s.links->fetch_scalar(u, f.energy());
  exchange::for_leaves(*s.where, "dual energy", s.links->share(), [&](int leaf) {
    auto& around = s.work->scratch().ghosted;
    s.work->ghosts.gather_scalar(u, leaf, f.energy(), around.data());
    double* tracer = u.at(leaf, f.entropy());
    for (int c = 0; c < cells; ++c) {
      const int g = mesh::ghosted(c % N, c / N % N, c / N / N);
      double largest = around[static_cast<std::size_t>(g)];
      for (int step : {1, mesh::M, mesh::M * mesh::M}) {
        largest =
            std::max({largest, around[static_cast<std::size_t>(g - step)], around[static_cast<std::size_t>(g + step)]});
      }
      const double kinetic = hydro::kinetic_energy(density_of(s, u, leaf, c), momentum_of(s, u, leaf, c));
      tracer[c] = hydro::synchronised_tracer(u.at(leaf, f.energy())[c], kinetic, tracer[c], largest,
                                             s.par.hydro.dual_energy_update, s.eos);
    }
  });
}

}  // namespace rednova::step
