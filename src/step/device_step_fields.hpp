// Of device_step.hpp: fields on their way to the host and to the next mesh, and what particles read of them.
#pragma once

#include "step/device_step.hpp"

namespace rednova::step {

template <class Space>
std::vector<core::vec3d> device_step<Space>::velocities(const std::vector<gas_place>& places) {
  const auto at = launches();
  space_.enter("tracer particles");
  halo_.fetch_ghosts(view_.u);
  if (places.empty()) return {};
  const leaves_with_places by_leaf(places);
  const array<gas_place> all = space_.copy_of(places);
  const array<int> leaves = space_.copy_of(by_leaf.leaves);
  array<core::vec3d> found(places.size());
  for (int i = 0; i < by_leaf.count(); i += on_.together) {
    const int count = std::min(on_.together, by_leaf.count() - i);
    const int first = by_leaf.first[static_cast<std::size_t>(i)],
              last = by_leaf.first[static_cast<std::size_t>(i + count)];
    ghosts_.gather(view_.u, leaves.data() + i, count, s_.rotation(), on_.ghosted.data());
    space_.for_each(last - first, interpolate_velocities{tree_, s_.fields(), on_.ghosted.data(), i, all.data() + first,
                                                         found.data() + first});
  }
  return exec::on_host(space_, found);
}

template <class Space>
void device_step<Space>::fetch() {
  if (fetched_) return;
  const auto at = launches();
  copies_[0].bring(space_, on_.state[parity()], s_.u(), s_.halo().nodes(), s_.fields().size());
  if (gravity_) {
    const mesh::slots leaves = mesh::slots::of_leaves(s_.halo().partition());
    copies_[1].bring(space_, on_.gravity, s_.gravity(), leaves, gravity::result_fields);
  }
  if (light_) light_->bring();
  fetched_ = true;
}

template <class Space>
std::unique_ptr<transferred_fields> device_step<Space>::transfer(const tree_change& to) {
  const auto at = launches();
  expect_memory_for_change(s_, to, free_memory_(), device_bytes());
  auto fields = transferred_to(space_, s_, tree_, mesh::block_view<const double>(view_.u), to);
  if (light_) fields->light = light_->transferred(to);
  fields->copies = std::move(copies_);
  return fields;
}

/// Own leaves stand first.
template <class Space>
void device_step<Space>::take_fields(transferred_fields& given) {
  auto* const transferred = dynamic_cast<transferred_in_place<Space>*>(&given);
  EXPECT(transferred != nullptr);  // else a stepper of another kind has left them
  exec::copy_within(space_, transferred->leaves.data(), on_.state[0].data(), transferred->leaves.size());
  copies_ = std::move(transferred->copies);
  if (s_.par().radiation.enabled) s_.light() = std::move(transferred->light);  // empty where a rank has no leaves
}

}  // namespace rednova::step
