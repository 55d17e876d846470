// What keeps density and heat positive: first-order fluxes where a stage failed, then floors that are counted.
#include <algorithm>
#include <array>

#include "exchange/gather.hpp"
#include "step/cell_limits.hpp"
#include "step/stage.hpp"

namespace rednova::step {

namespace {

using mesh::cells;
using mesh::N;

cell_limits limits_of(const simulation& s, double dt) {
  return {s.fields, hydro::floor_limits(s.par.hydro, s.eos), s.rotation, dt};
}

bool all_slow_enough(const simulation& s, const cell_limits& limits, int leaf, const double* u) {
  using T = exec::pack;
  double x[N];
  for (int i = 0; i < N; ++i) x[i] = s.tree.centre(leaf, i, 0, 0).x;
  const double h = s.tree.cell_width(leaf);
  for (int c = 0; c < cells; c += exec::lanes<T>) {
    const T rho = hydro::mass_density<T>(u + c, cells, s.fields.species());
    const double y = s.tree.centre(leaf, 0, c / N % N, 0).y;
    if (exec::any(!slow_enough(limits, u + c, rho, exec::load<T>(x + c % N), y, h))) return false;
  }
  return true;
}

bool all_within_limits(const simulation& s, const hydro::floor_limits& limits, const double* u) {
  using T = exec::pack;
  for (int c = 0; c < cells; c += exec::lanes<T>) {
    if (exec::any(!within_limits<T>(s.fields, limits, u + c))) return false;
  }
  return true;
}

// Raises what lies below the density floor in one leaf; the masses that it adds.
totals floor_density_of_leaf(simulation& s, int leaf) {
  totals sum(s.fields.species());
  const double volume = cell_volume(mesh::view(s.tree), leaf);
  std::vector<double>& account = s.work->floor_density[s.work->own(leaf)];
  // Rows first, as a device's threads add up.
  for (int first = 0; first < cells; first += N) {
    std::array<double, config::max_species> of_row{};
    for (int c = first; c < first + N; ++c) {
      const double gained =
          raise_cell_density(s.fields, s.par.hydro.density_floor, volume, s.u.at(leaf) + c, of_row.data());
      if (gained == 0) continue;
      if (account.empty()) account.assign(cells, 0.0);
      account[static_cast<std::size_t>(c)] += gained;
    }
    for (std::size_t k = 0; k < sum.species.size(); ++k) sum.species[k] += of_row[k];
  }
  return sum;
}

// Marks of a tree's leaves spread to whom they touch: the blocks whose fluxes change if a marked one's cells are
// updated to first order.
std::vector<char> touched(const mesh::tree& t, const std::vector<char>& marked) {
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

}  // namespace

bool find_bad_cells(const simulation& s, int leaf, double dt, double* marks) {
  const double* u = s.work->next.at(leaf);
  const cell_limits limits = limits_of(s, dt);
  if (all_within_limits(s, limits.floors, u) && all_slow_enough(s, limits, leaf, u)) return false;
  const double h = s.tree.cell_width(leaf);
  bool found = false;
  for (int c = 0; c < cells; ++c) {
    const core::vec3d x = s.tree.centre(leaf, c % N, c / N % N, 0);
    if ((marks != nullptr && marks[c] != 0) || !bad_cell(limits, u + c, x.x, x.y, h)) continue;
    found = true;
    if (marks == nullptr) break;
    marks[c] = 1;
  }
  return found;
}

bool any_marked(const simulation& s, const std::vector<char>& own_leaves) {
  return exchange::on_any_rank(*s.where, std::ranges::any_of(own_leaves, [](char b) { return b != 0; }));
}

void repeat_while_bad(const simulation& s, std::vector<char> marked, const std::function<std::vector<char>()>& find,
                      const std::function<void(const std::vector<char>& leaves)>& again) {
  // First-order fluxes beside a good cell may drain it in its turn. Each round marks more cells, and one with
  // first-order fluxes at all of its faces keeps its mass, so this ends.
  for (std::vector<char> found = find(); any_marked(s, found); found = find()) {
    for (std::size_t i = 0; i < marked.size(); ++i) marked[i] |= found[i];
    // Twice: a coarse block takes the new fluxes of the finer ones that touch a troubled cell.
    again(touched(s.tree, touched(s.tree, exchange::gather_lists(*s.where, marked))));
  }
}

void positivity_phase(simulation& s, const stage_form& form, double dt, int stage) {
  if (!any_marked(s, s.work->bad)) return;
  mesh::block_data troubled(s.links->nodes(), 1);
  const auto find = [&] {
    std::vector<char> found(s.work->bad.size(), 0);
    exchange::for_leaves(*s.where, "positivity", s.links->share(),
                         [&](int leaf) { found[s.work->own(leaf)] = find_bad_cells(s, leaf, dt, troubled.at(leaf)); });
    return found;
  };
  repeat_while_bad(s, s.work->bad, find, [&](const std::vector<char>& leaves) {
    s.links->restrict_scalar(troubled, 0);
    s.links->fetch_scalar(troubled, 0);
    hydro_phase_again(s, form, dt, stage, leaves, troubled);
  });
}

void raise_density(simulation& s, const stage_form& form, int stage, double ends, int leaf) {
  std::vector<double>& account = s.work->floor_density[s.work->own(leaf)];
  if (stage == 0) account.clear();
  for (double& v : account) v *= form.b;
  if (all_within_limits(s, hydro::floor_limits(s.par.hydro, s.eos), s.u.at(leaf))) return;
  const double angle = s.rotation * ends;
  s.work->sums.add(leaf, tally::floors, form.floor_weight, floor_density_of_leaf(s, leaf).rotated(angle));
}

void raise_energy(simulation& s, const stage_form& form, int leaf) {
  const hydro::floor_limits limits(s.par.hydro, s.eos);
  double* u = s.u.at(leaf);
  if (all_within_limits(s, limits, u)) return;
  const double volume = cell_volume(mesh::view(s.tree), leaf);
  double added = 0;
  for (int first = 0; first < cells; first += N) {
    double of_row = 0;
    for (int c = first; c < first + N; ++c) of_row += volume * raise_cell_energy(s.fields, limits, s.eos, u + c);
    added += of_row;
  }
  s.work->sums.add_energy(leaf, tally::floors, form.floor_weight * added);
}

void dual_energy_phase(simulation& s) {
  const mesh::fields& f = s.fields;
  s.links->restrict_scalar(s.u, f.energy());
  s.links->fetch_scalar(s.u, f.energy());
  exchange::for_leaves(*s.where, "dual energy", s.links->share(), [&](int leaf) {
    double* around = s.work->scratch().ghosted.data();
    s.work->ghosts.gather_scalar(s.u, leaf, f.energy(), around);
    for (int c = 0; c < cells; ++c) {
      synchronise_cell(f, s.par.hydro.dual_energy_update, s.eos, s.u.at(leaf) + c,
                       around + mesh::ghosted(c % N, c / N % N, c / N / N));
    }
  });
}

}  // namespace rednova::step
