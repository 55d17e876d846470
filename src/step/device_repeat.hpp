// Of device_step.hpp: stages that are repeated around invalid cells.
#pragma once

#include "step/device_step.hpp"

namespace rednova::step {

template <class Space>
void device_step<Space>::keep_positive(const stage_now& now) {
  if (!any_flagged(s_, invalid_)) return;
  const auto at = launches();
  array<double> troubled_cells(static_cast<std::size_t>(s_.halo().nodes().count()) * mesh::cells);
  space_.for_each(s_.halo().nodes().count() * mesh::cells, no_troubled{troubled_cells.data()});
  mesh::block_view<double> troubled = view_.u;
  troubled.values = troubled_cells.data();
  troubled.fields = 1;
  const auto find = [&] {
    find_invalid(*this, now.dt, all(), troubled);
    return exec::on_host(space_, on_.invalid);
  };
  repeat_while_invalid(s_, invalid_, find, [&](const std::vector<std::uint8_t>& which) {
    halo_.restrict_scalar(troubled, 0);
    halo_.fetch_scalar(troubled, 0);
    update_again(now, which, troubled);
  });
}

template <class Space>
void device_step<Space>::update_again(const stage_now& now, const std::vector<std::uint8_t>& which,
                                      const mesh::block_view<const double>& troubled) {
  std::vector<int> list, coarse;
  for (const int leaf : tables_.leaves) {
    if (which[static_cast<std::size_t>(leaf)] == 0) continue;
    list.push_back(leaf);
    if (work_.faces.finer(leaf) != 0) coarse.push_back(leaf);
  }
  around_ = array<double>(static_cast<std::size_t>(on_.together) * mesh::ghosted_cells);
  first_order_ = array<std::uint8_t>(around_.size());
  const update_list repeated = on_.update(space_, tables_, list, s_.rotation(), first_order_.data());
  const array<int> beside_finer = space_.copy_of(coarse);
  const batch again{-1, 0, repeated.leaves.data(), repeated.count, beside_finer.data(), static_cast<int>(coarse.size()),
                    0,  0};
  repeating_ = &repeated;
  update_leaves(*this, now, again, troubled);
  repeating_ = nullptr;
  fine_fluxes_.exchange(on_.registers.data());
  correct_fluxes(*this, now, again);
  // The faces of other leaves stay as they are: cells of a fixed side have their state again, and what the first pass
  // brought them is booked.
  for (const int leaf : list) {
    batch faces = tables_.alone(&leaf);
    faces.count = faces.beside_finer_count = 0;
    if (faces.boundary_count > 0) correct_fluxes(*this, now, faces);
  }
}

}  // namespace rednova::step
