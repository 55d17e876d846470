// A whole solve on a device: all arrays of a rank live in the device's memory, densities go in, fields come out.
//
// The steps are written once for every Space: a CUDA device (cuda/device_space.hpp), or the processor in tests.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "config/parameters.hpp"
#include "exchange/device_block_exchange.hpp"
#include "gravity/device_plan.hpp"
#include "gravity/interaction_lists.hpp"
#include "gravity/sweeps.hpp"

namespace rednova::gravity {

/// The kernels of the interactions on a level: P2P, M2L and M2P, with the functions of cuda/interactions.hpp.
template <class Near, class Far>
struct interaction_kernels {
  Near near;             ///< with the stencil of the root if the tree is one block
  Far far, far_of_root;  ///< by where the cells' parents are
};

/// Solves on a rank's part of a tree. Other ranks' data arrive between the launches (local_partition). The tree, its
/// interaction lists and the context of the ranks must outlive this object.
///
/// Space: one of exec/space.hpp with near_field and far_field, its kernels for P2P and for M2L and M2P.
template <class Space>
class device_solve {
 public:
  using kernels = interaction_kernels<typename Space::near_field, typename Space::far_field>;

  /// One rank alone.
  device_solve(const Space& space, const mesh::tree& tree, const interaction_lists& lists, const operators& ops,
               config::cell_mass masses, kernels interactions)
      : device_solve(space, tree, lists, ops, masses, std::move(interactions), nullptr, mesh::local_partition(tree)) {}
  /// Several ranks: all construct it, solve and destroy it together. ranks: null for one rank alone.
  device_solve(const Space& space, const mesh::tree& tree, const interaction_lists& lists, const operators& ops,
               config::cell_mass masses, kernels interactions, exec::context* ranks, mesh::local_partition own)
      : space_(space),
        numbers_(basis_size(ops.order)),
        own_(std::move(own)),
        partition_(ranks, tree, lists, own_, numbers_),
        blocks_(tree, lists, partition_),
        smooth_(masses == config::cell_mass::smooth),
        m2m_(space, translation_tables(ops.m2m, numbers_)),
        l2l_(space, translation_tables(ops.l2l, numbers_)),
        kernels_(std::move(interactions)),
        leaves_(space.copy_of(blocks_.tables.leaves)),
        ghosts_(space.copy_of(blocks_.tables.ghosts)),
        children_(space.copy_of(blocks_.tables.children)),
        parents_(space.copy_of(blocks_.tables.parents)),
        masses_(blocks_of(blocks_.places.leaves, 1)),
        fields_(blocks_of(blocks_.leaves(), 4)),
        ghost_masses_(index(blocks_.places.ghosts) * octant_cells),
        ghost_fields_(blocks_of(blocks_.ghosts, 4)),
        moments_(blocks_of(blocks_.places.refined_nodes, numbers_)),
        expansions_(blocks_of(blocks_.expanded_blocks(), numbers_ + 3)),
        sums_(blocks_of(std::min(blocks_.refined_blocks(), blocks_at_once), kernels_.far.sums())) {
    const device_sources at{masses_.data(), ghost_masses_.data(), moments_.data(), numbers_};
    around_refined_ = space.copy_of(blocks_.around_refined(at));
    around_leaves_ = space.copy_of(blocks_.points_around_leaves(at));
    around_ghosts_ = space.copy_of(blocks_.points_around_ghosts(at));
    multipoles_ = space.copy_of(blocks_.multipoles_around_leaves(at));
    if (!own_.alone()) open_exchanges();
  }
  // Sources point into the arrays.
  device_solve(const device_solve&) = delete;
  device_solve& operator=(const device_solve&) = delete;

  /// As solver::solve, with arrays of the space. density: [own leaf], `stride` doubles apart, with the mass density
  /// first; result: [own leaf][result_fields]; leaves along the curve, cells in the order of mesh::cell().
  void solve(const double* density, std::size_t stride, double* result) {
    const int leaves = blocks_.leaves(), ghosts = blocks_.ghosts;
    const block_array<double> to{result, index(result_fields * mesh::cells)};
    run(set_masses{leaves_.data(), {density, stride}, all_masses()}, 0, leaves);
    mass_exchange_.send(masses_.data());
    upward_pass();
    moment_exchange_.send(moments_.data());
    mass_exchange_.receive(masses_.data());
    run(set_ghost_masses{ghosts_.data(), all_masses(), ghost_masses_.data()}, 0, blocks_.places.ghosts);
    // P2P runs while other ranks' moments arrive.
    if (leaves > 0) kernels_.near.p2p(space_, leaves, around_leaves_.data(), fields_.data());
    if (ghosts > 0) kernels_.near.p2p(space_, ghosts, around_ghosts_.data(), ghost_fields_.data());
    moment_exchange_.receive(moments_.data());
    m2l();
    downward_pass();
    if (blocks_.beside_refined > 0)
      kernels_.far.m2p(space_, blocks_.beside_refined, multipoles_.data(), fields_.data());
    run(set_fields{parents(), smooth_, leaves_.data(), all_masses(), {fields_.data(), 4}, to}, 0, leaves);
    run(add_ghost_fields{leaves_.data(), ghosts_.data(), ghost_masses_.data(), {ghost_fields_.data(), 4}, to}, 0,
        ghosts);
    run(divide_torques{leaves_.data(), to}, 0, leaves);
  }

  /// Bytes held in the execution space's memory for masses, moments, expansions and fields, the scratch memory
  /// included, and for the sources of every block.
  std::size_t bytes() const {
    std::size_t doubles = 0, sources = 0;
    for (const auto* a : {&masses_, &fields_, &ghost_masses_, &ghost_fields_, &moments_, &expansions_, &sums_})
      doubles += a->size();
    for (const auto* a : {&around_refined_, &around_leaves_, &around_ghosts_, &multipoles_}) sources += a->size();
    return doubles * sizeof(double) + sources * sizeof(source_block);
  }

 private:
  template <class T>
  using array = typename Space::template array<T>;

  /// Refined blocks whose sums M2L holds at once: enough to fill a device several times over.
  static constexpr int blocks_at_once = 1024;

  struct tables {
    tables(const Space& space, const translation_tables& of)
        : entries(space.copy_of(of.entries)), starts(space.copy_of(of.starts)) {}
    translations view(int rows) const { return {entries.data(), starts.data(), rows}; }
    array<matrix_entry> entries;
    array<int> starts;
  };

  static array<double> blocks_of(int blocks, int numbers) {
    return array<double>(index(blocks) * index(block_size(numbers)));
  }
  block_array<double> all_masses() { return {masses_.data(), 1}; }
  block_array<double> all_moments() { return {moments_.data(), numbers_}; }
  block_array<double> all_expansions() { return {expansions_.data(), numbers_}; }
  /// The torques follow the expansions of all blocks.
  block_array<double> all_torques() { return {all_expansions()[blocks_.expanded_blocks()], 3}; }
  parent_blocks parents() { return {l2l_.view(numbers_), all_moments(), all_expansions(), all_torques()}; }

  /// A thread for each cell of `blocks` blocks from a place on.
  template <class Functor>
  void run(const Functor& work, int first_place, int blocks) {
    space_.for_each(blocks * Functor::cells, single_cells<Functor>{work, first_place});
  }

  void open_exchanges() {
    const auto block = [this](int numbers) {
      return [this, numbers](int node) { return std::ptrdiff_t{blocks_.place(node)} * block_size(numbers); };
    };
    // The numbers of a node are its expansions, then its torques.
    const auto expansion = [this](int node, int number) {
      const std::ptrdiff_t place = blocks_.place(node), expansions = block_size(numbers_);
      if (number < expansions) return place * expansions + number;
      return blocks_.expanded_blocks() * expansions + place * block_size(3) + number - expansions;
    };
    mass_exchange_ = {space_, partition_.masses, block(1)};
    moment_exchange_ = {space_, partition_.moments, block(numbers_)};
    for (int level = 0; level < blocks_.levels(); ++level) {
      upward_exchange_.emplace_back(space_, partition_.upward[index(level)], block(numbers_));
      downward_exchange_.emplace_back(space_, partition_.downward[index(level)], expansion);
    }
  }

  /// Level by level from the finest. The octants of own children are computed here, the others by their owners. Masses
  /// are sent while the finest level is worked on.
  void upward_pass() {
    for (int level = blocks_.levels() - 1; level >= 0; --level) {
      add_up(blocks_.first_of_level, level);
      add_up(blocks_.first_of_others, level);
      mass_exchange_.post();
      if (!own_.alone()) upward_exchange_[index(level)].exchange(moments_.data());
    }
  }
  void add_up(const std::vector<int>& firsts, int level) {
    const auto [first, count] = part_of(firsts, level);
    run(add_up_moments{m2m_.view(numbers_), children_.data(), all_masses(), all_moments()}, first, count);
  }

  /// All levels alike except the root, where all cells interact with each other.
  void m2l() {
    if (blocks_.levels() == 0) return;
    const int all = blocks_.refined_blocks(), roots = blocks_.first_of_level[1];
    if (roots > 0) m2l(kernels_.far_of_root, 0, roots);
    for (int first = roots; first < all; first += blocks_at_once)
      m2l(kernels_.far, first, std::min(blocks_at_once, all - first));
  }
  void m2l(const typename Space::far_field& kernel, int first, int count) {
    kernel.m2l(space_, count, around_refined_.data() + index(first) * mesh::sides, all_moments()[first], sums_.data(),
               all_expansions()[first], all_torques()[first]);
  }

  /// Level by level from the root, which has no parent.
  void downward_pass() {
    for (int level = 0; level < blocks_.levels(); ++level) {
      const auto [first, count] = part_of(blocks_.first_of_level, level);
      if (level > 0) {
        run(hand_down{parents(), parents_.data(), all_expansions(), all_torques()}, first, count);
      }
      if (!own_.alone()) downward_exchange_[index(level)].exchange(expansions_.data());
    }
  }
  /// First block and number of blocks.
  static std::array<int, 2> part_of(const std::vector<int>& firsts, int level) {
    const int first = firsts[index(level)];
    return {first, firsts[index(level) + 1] - first};
  }

  Space space_;
  int numbers_;  // of a multipole
  mesh::local_partition own_;
  local_partition partition_;
  device_plan blocks_;
  bool smooth_;
  tables m2m_, l2l_;
  kernels kernels_;
  array<leaf_block> leaves_;
  array<octant_of> ghosts_;
  array<either_block> children_;
  array<child_of> parents_;
  array<double> masses_, fields_;              // [stored leaf], [own leaf]
  array<double> ghost_masses_, ghost_fields_;  // [stored ghost block], [own one]
  array<double> moments_;                      // [stored refined block]
  array<double> expansions_;                   // [expanded block], then torques of the same
  array<double> sums_;                         // of M2L, for some refined blocks
  array<source_block> around_refined_, around_leaves_, around_ghosts_, multipoles_;
  exchange::device_block_exchange<Space> mass_exchange_, moment_exchange_;
  std::vector<exchange::device_block_exchange<Space>> upward_exchange_,
      downward_exchange_;  // [level of the parent]; none if alone
};

}  // namespace rednova::gravity
