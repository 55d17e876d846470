// What keeps density and heat positive: first-order fluxes where a stage failed, then floors that are counted.
#include <algorithm>
#include <cmath>

#include "exchange/gather.hpp"
#include "hydro/dual_energy.hpp"
#include "hydro/floors.hpp"
#include "hydro/primitives.hpp"
#include "step/stage.hpp"

namespace rednova::step {

namespace {

using core::vec3d;
using mesh::cells;
using mesh::N;

// A species that rounding made negative by less than this share of the mass is left to the floor, which books it:
// a species that is nowhere in a star would otherwise send every block of it back to first order.
constexpr double rounding_share = 1e-12;

// Whether the gas in a pack of cells crosses at most a cell in a step, as seen from the grid. The step is chosen so
// that it crosses less than half of one; what is faster after a stage took momentum without the mass that brings it, as
// a thin cell may from a steep parabola beside it, and could be emptied by the next stage even with first-order fluxes.
template <class T>
auto slow_enough(const simulation& s, const mesh::block_data& u, int leaf, int c, const T& rho, double dt) {
  const mesh::fields& f = s.fields;
  double x[exec::lanes<T>];
  const vec3d first = s.tree.centre(leaf, c % N, c / N % N, c / N / N);
  const double h = s.tree.cell_width(leaf), fastest = h / dt;
  for (int i = 0; i < exec::lanes<T>; ++i) x[i] = first.x + i * h;
  const auto momentum = [&](int d) { return exec::load<T>(u.at(leaf, f.momentum(d)) + c); };
  const core::vec3<T> flow{momentum(0) + (s.rotation * first.y) * rho,
                           momentum(1) - s.rotation * exec::load<T>(x) * rho, momentum(2)};
  return dot(flow, flow) <= (fastest * fastest) * (rho * rho);
}

// No mass, no heat, too fast or not a number: what a stage must not make. Energy may fall below the kinetic one in cold
// flow, where the tracer holds the heat.
bool bad_cell(const simulation& s, const mesh::block_data& u, int leaf, int c, double dt) {
  double rho = 0, smallest = 0;
  for (int k = 0; k < s.fields.species(); ++k) {
    const double m = u.at(leaf, k)[c];
    rho += m;
    smallest = std::min(smallest, m);
  }
  const bool good = rho >= s.par.hydro.density_floor && smallest >= -rounding_share * rho &&
                    u.at(leaf, s.fields.entropy())[c] > 0 && std::isfinite(u.at(leaf, s.fields.energy())[c]) &&
                    slow_enough(s, u, leaf, c, rho, dt);
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

bool slow_enough(const simulation& s, const mesh::block_data& u, int leaf, double dt) {
  using T = exec::pack;
  for (int c = 0; c < cells; c += exec::lanes<T>) {
    const T rho = hydro::mass_density<T>(u.at(leaf) + c, cells, s.fields.species());
    if (exec::any(!slow_enough(s, u, leaf, c, rho, dt))) return false;
  }
  return true;
}

bool within_limits(const simulation& s, const mesh::block_data& u, int leaf, const hydro::floor_limits& limits) {
  for (int c = 0; c < cells; c += exec::lanes<exec::pack>) {
    if (!pack_within_limits(s, u, leaf, c, limits)) return false;
  }
  return true;
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
  return hydro::mass_density<double>(u.at(leaf) + c, cells, s.fields.species());
}

// Raises what lies below the density floor in one leaf; the masses that it adds.
totals floor_density_of_leaf(simulation& s, int leaf) {
  mesh::block_data& u = s.u;
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

bool find_bad_cells(const simulation& s, int leaf, double dt, double* marks) {
  const mesh::block_data& u = s.work->next;
  if (within_limits(s, u, leaf, hydro::floor_limits(s.par.hydro, s.eos)) && slow_enough(s, u, leaf, dt)) return false;
  bool found = false;
  for (int c = 0; c < cells; ++c) {
    if ((marks != nullptr && marks[c] != 0) || !bad_cell(s, u, leaf, c, dt)) continue;
    found = true;
    if (marks == nullptr) break;
    marks[c] = 1;
  }
  return found;
}

void positivity_phase(simulation& s, const stage_form& form, double dt, int stage) {
  const auto any = [&](const std::vector<char>& found) {
    return exchange::on_any_rank(*s.where, std::ranges::any_of(found, [](char b) { return b != 0; }));
  };
  std::vector<char> marked = s.work->bad;
  if (!any(marked)) return;
  mesh::block_data troubled(s.links->nodes(), 1);
  // Whether any rank has cells that are bad and not marked, which are then marked.
  const auto more = [&] {
    std::vector<char> found(marked.size(), 0);
    exchange::for_leaves(*s.where, "positivity", s.links->share(), [&](int leaf) {
      const std::size_t i = s.work->own(leaf);
      found[i] = find_bad_cells(s, leaf, dt, troubled.at(leaf));
      marked[i] |= found[i];
    });
    return any(found);
  };
  // First-order fluxes beside a good cell may drain it in its turn. Each round marks more cells, and one with
  // first-order fluxes at all of its faces keeps its mass, so this ends.
  while (more()) {
    s.links->restrict_scalar(troubled, 0);
    s.links->fetch_scalar(troubled, 0);
    // Twice: a coarse block takes the new fluxes of the finer ones that touch a troubled cell.
    const std::vector<char> again = touched(s, touched(s, exchange::gather_lists(*s.where, marked)));
    hydro_phase_again(s, form, dt, stage, again, troubled);
  }
}

void raise_density(simulation& s, const stage_form& form, int stage, double ends, int leaf) {
  std::vector<double>& account = s.work->floor_density[s.work->own(leaf)];
  if (stage == 0) account.clear();
  for (double& v : account) v *= form.b;
  if (within_limits(s, s.u, leaf, hydro::floor_limits(s.par.hydro, s.eos))) return;
  const double angle = s.rotation * ends;
  s.work->sums.add(leaf, tally::floors, form.floor_weight, floor_density_of_leaf(s, leaf).rotated(angle));
}

void raise_energy(simulation& s, const stage_form& form, int leaf) {
  const mesh::fields& f = s.fields;
  mesh::block_data& u = s.u;
  const hydro::floor_limits limits(s.par.hydro, s.eos);
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
}

void dual_energy_phase(simulation& s) {
  const mesh::fields& f = s.fields;
  mesh::block_data& u = s.u;
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
