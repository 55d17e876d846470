// Fields in an execution space's memory (exec/space.hpp) on their way: to the host, and to the next mesh.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "mesh/block_data.hpp"
#include "regrid/device_transfer.hpp"
#include "step/simulation.hpp"
#include "step/stepper.hpp"

namespace rednova::step {

/// The memory of the host's copy of some fields: page-locked, where the space asks for that, as long as it stays where
/// it is.
template <class Space>
class host_copy {
 public:
  host_copy() = default;
  host_copy(host_copy&& b) noexcept : lock_(std::move(b.lock_)), at_(std::exchange(b.at_, nullptr)) {}
  host_copy& operator=(host_copy&& b) noexcept {
    std::swap(lock_, b.lock_);
    std::swap(at_, b.at_);
    return *this;
  }
  ~host_copy() = default;

  void pin(const Space& space, mesh::block_data& u) {
    if (at_ == u.data()) return;
    lock_ = {};
    lock_ = {space, u.data(), u.capacity()};
    at_ = u.data();
  }
  /// All of an array. u: reshaped to its size.
  void bring(const Space& space, const typename Space::template array<double>& from, mesh::block_data& u,
             const mesh::slots& places, int fields) {
    if (from.size() * sizeof(double) > u.capacity()) *this = {};  // before its memory goes
    u.reshape(places, fields);
    pin(space, u);
    space.download(from.data(), std::span<double>(u.data(), from.size()));
  }

 private:
  typename Space::pinned lock_;
  const double* at_ = nullptr;
};

/// The host's copies of simulation::u and simulation::gravity.
template <class Space>
using host_copies = std::array<host_copy<Space>, 2>;

/// What a device_step leaves to the one of the next tree.
template <class Space>
struct transferred_in_place final : transferred_fields {
  typename Space::template array<double> leaves;  ///< [own leaf][field][cell]
  host_copies<Space> copies;
  mesh::block_data light;  ///< of them, on the host; empty without radiation
};

/// there: the simulation's tree in the execution space's memory; u: restricted, with halo copies of what is around own
/// leaves and their parents.
template <class Space>
std::unique_ptr<transferred_in_place<Space>> transferred_to(const Space& space, simulation& s,
                                                            const mesh::tree_view& there,
                                                            const mesh::block_view<const double>& u,
                                                            const tree_change& to) {
  auto fields = std::make_unique<transferred_in_place<Space>>();
  fields->leaves = regrid::device_transfer(space, s.tree(), there, *to.next, to.before_migration, s.fields(), u);
  if (to.after_migration) {
    fields->leaves = regrid::device_migrate(s.context(), space, to.moves, to.before_migration, *to.after_migration,
                                            s.fields().size(), fields->leaves, *to.counts);
  }
  return fields;
}

}  // namespace rednova::step
