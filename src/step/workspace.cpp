#include "step/workspace.hpp"

#include <utility>

#include "exchange/flux_exchange.hpp"
#include "step/simulation.hpp"
#include "step/stage_tables.hpp"

namespace rednova::step {

workspace::workspace(const simulation& s, holds what)
    : ghosts(s.tree(), s.fields(), s.par().mesh.boundaries),
      faces(s.tree(), s.halo().partition()),
      update(s.par().hydro, s.fields(), s.eos()),
      tasks(s.context()),
      invalid(static_cast<std::size_t>(s.halo().partition().leaf_count())),
      sums(s.halo().partition(), s.fields().species()),
      seconds(static_cast<std::size_t>(s.halo().partition().leaf_count())),
      fluxes_ready_(static_cast<std::size_t>(faces.slots())),
      first_leaf_(s.own_leaves()[0]),
      fields_(s.fields().size()) {
  make_batches(s);
  const int register_fields = stage_tables::register_fields(s.fields(), s.par().gravity.enabled);
  if (s.context().ranks() != nullptr)
    refluxing = exchange::flux_exchange(s.context(), "fluxes", faces, s.halo().partition(),
                                        register_fields * mesh::N * mesh::N);
  if (s.par().gravity.enabled) open_potentials(s);
  if (what == holds::plans) return;
  const mesh::slots own = mesh::slots::of_leaves(s.halo().partition());
  registers = exchange::flux_registers(faces.slots(), register_fields);
  start = mesh::block_data(own, s.fields().evolved());
  next = mesh::block_data(s.halo().nodes(), s.fields().size());
  floor_density = mesh::block_data(own, 1);
  if (!s.par().gravity.enabled) return;
  start_potential = mesh::block_data(own, 1);
  gravity_work = mesh::block_data(own, 1);
  for (auto& flow : mass_flow)
    flow = exec::zeroed_array<double>(static_cast<std::size_t>(own.count()) * 3 * face_values);
  work_inputs = mesh::block_data(work_input_places, work_input_fields);
  work_inputs_ready_ = std::vector<exec::event>(static_cast<std::size_t>(work_input_places.count()));
}

void workspace::make_batches(const simulation& s) {
  std::vector<std::vector<int>> inner;
  bool was_outer = false;
  for (int leaf = s.own_leaves()[0]; leaf < s.own_leaves()[1]; ++leaf) {
    const bool outer = !s.halo().halo_of(leaf).empty();
    std::vector<std::vector<int>>& to = outer ? batches : inner;
    const bool goes_on = leaf > s.own_leaves()[0] && outer == was_outer;
    if (!goes_on || to.back().size() == leaves_of_batch) to.emplace_back();
    to.back().push_back(leaf);
    was_outer = outer;
  }
  inputs.assign(batches.size(), {true});
  inputs.resize(batches.size() + inner.size(), {false});
  batches.insert(batches.end(), inner.begin(), inner.end());
}

void workspace::open_potentials(const simulation& s) {
  const bool alone = s.context().ranks() == nullptr;
  exchange::halo_requests behind(s.tree(), s.halo().partition());
  if (!alone) request_potentials(s, behind);
  std::vector<int> others;
  behind.add_nodes(others);
  // Alone, the leaves are the first of all nodes.
  work_input_places =
      alone ? mesh::slots::of_leaves(s.halo().partition()) : mesh::slots::of(s.tree(), s.halo().partition(), others);
  behind_faces = exchange::block_exchange(
      s.context(), "potentials", std::make_shared<const exchange::communication_plan>(s.context(), behind.requests()),
      work_input_fields, mesh::cells);
}

/// The cells behind the faces of own leaves: two layers of leaves of the same level, one of coarser and of finer ones.
void workspace::request_potentials(const simulation& s, exchange::halo_requests& behind) const {
  for (int leaf = s.own_leaves()[0]; leaf < s.own_leaves()[1]; ++leaf) {
    for (int face = 0; face < mesh::faces; ++face) {
      const auto side = static_cast<std::size_t>(exchange::side_of_face(face));
      const int m = s.tree()[leaf].neighbour[side];
      if (m >= 0 && m < s.tree().leaves()) behind.face(m, face ^ 1, 2);
      if (m == mesh::no_block) behind.face(s.tree()[s.tree()[leaf].parent].neighbour[side], face ^ 1, 1);
    }
  }
  for (const exchange::coarse_face& f : faces.coarse_faces()) {
    for (const int fine : f.fine) behind.face(fine, f.face ^ 1, 1);
  }
}

void workspace::exchange_fluxes() {
  const auto at = [&](int key) { return exchange::register_of(registers, faces, key); };
  refluxing.start(at);
  refluxing.finish(at);
}

void workspace::add_flux_tasks(std::vector<exec::task>& to) {
  for (exec::event& e : fluxes_ready_) e.reset();
  const auto at = [this](int key) { return exchange::register_of(registers, faces, key); };
  const auto ready = [this](int key) -> exec::event& {
    return fluxes_ready_[static_cast<std::size_t>(exchange::slot_of(faces, key))];
  };
  refluxing.add_tasks(to, {.from = at, .ready = ready, .into = at, .came = [ready](int key) { ready(key).arrive(); }});
}

void workspace::add_potential_tasks(std::vector<exec::task>& to) {
  for (exec::event& e : work_inputs_ready_) e.reset();
  behind_faces.add_tasks(to, {.from = [this](int node) { return work_inputs.at(node); },
                              .ready = [this](int node) -> exec::event& { return work_inputs_ready(node); },
                              .into = [this](int node) { return work_inputs.at(node); },
                              .came = [this](int node) { work_inputs_ready(node).arrive(); }});
}

thread_scratch& workspace::scratch() const {
  thread_scratch& mine = scratch_.local();
  const auto fields = static_cast<std::size_t>(fields_);
  mine.ghosted.resize(fields * mesh::ghosted_cells);
  mine.around.resize(mesh::ghosted_cells);
  mine.rate.resize(fields * mesh::cells);
  mine.first_order.resize(mesh::ghosted_cells);
  mine.flags.resize(leaves_of_batch * mesh::cells);
  mine.floor_rows.resize(leaves_of_batch * fields * rows_of_leaf);
  return mine;
}

}  // namespace rednova::step
