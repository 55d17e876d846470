// A whole solve where the numbers stay: all arrays of a tree in one place's memory, densities in, fields out.
//
// The steps are written once. Place says where they run: a CUDA device (cuda/solver.hpp), or the processor in tests.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "config/parameters.hpp"
#include "gravity/plan.hpp"
#include "gravity/resident_plan.hpp"

namespace rednova::gravity {

/// The kernels of the step across, with the functions of cuda/across.hpp.
template <class Near, class Far>
struct across_kernels {
  Near direct;           ///< with the stencil of the root if the tree is one block
  Far far, far_of_root;  ///< by where the cells' parents are
};

/// A tree of one rank alone: what other ranks hold does not come here. Tree and plan must outlive the solves.
///
/// Place: one of exec/place.hpp with near_field and far_field, its kernels of the step across.
template <class Place>
class resident_solve {
 public:
  using kernels = across_kernels<typename Place::near_field, typename Place::far_field>;

  resident_solve(const Place& where, const mesh::tree& tree, const plan& who, const operators& by,
                 config::cell_mass masses, kernels across)
      : where_(where),
        blocks_(tree, who),
        numbers_(basis_size(by.order)),
        smooth_(masses == config::cell_mass::smooth),
        up_(where, translation_tables(by.m2m, numbers_)),
        down_(where, translation_tables(by.l2l, numbers_)),
        kernels_(std::move(across)),
        number_(where.copy_of(blocks_.leaf_at)),
        cell_width_(where.copy_of(blocks_.cell_width)),
        ends_(where.copy_of(blocks_.ends)),
        virtuals_(where.copy_of(blocks_.virtuals)),
        children_(where.copy_of(blocks_.children)),
        parents_(where.copy_of(blocks_.parents)),
        masses_(numbers_of(leaves(), 1)),
        fields_(numbers_of(leaves(), 4)),
        shares_(index(blocks_.virtual_blocks() * octant_cells)),
        fields_of_shares_(numbers_of(blocks_.virtual_blocks(), 4)),
        moments_(numbers_of(blocks_.refined_blocks(), numbers_)),
        expansions_(numbers_of(blocks_.refined_blocks(), numbers_)),
        torques_(numbers_of(blocks_.refined_blocks(), 3)),
        sums_(numbers_of(std::min(blocks_.refined_blocks(), blocks_at_once), kernels_.far.sums())) {
    const resident_sources at{masses_.data(), shares_.data(), moments_.data(), numbers_};
    around_refined_ = where.copy_of(blocks_.around_refined(at));
    points_ = where.copy_of(blocks_.points_around_leaves(at));
    points_of_shares_ = where.copy_of(blocks_.points_around_virtuals(at));
    multipoles_ = where.copy_of(blocks_.multipoles_around_leaves(at));
  }
  // Sources point into the arrays.
  resident_solve(const resident_solve&) = delete;
  resident_solve& operator=(const resident_solve&) = delete;

  /// As solver::solve, with arrays of the place. density: [leaf], `stride` doubles apart, with the mass density first;
  /// result: [leaf][result_fields]; leaves in the tree's order, cells in that of mesh::cell().
  void solve(const double* density, std::size_t stride, double* result) {
    where_.for_each(leaves() * mesh::cells,
                    set_leaf_masses{density, stride, number_.data(), cell_width_.data(), masses_.data()});
    where_.for_each(blocks_.virtual_blocks() * octant_cells,
                    share_masses{virtuals_.data(), masses_.data(), shares_.data()});
    up();
    across();
    down();
    kernels_.direct.p2p(where_, leaves(), points_.data(), fields_.data());
    if (blocks_.beside_refined > 0)
      kernels_.far.m2p(where_, blocks_.beside_refined, multipoles_.data(), fields_.data());
    if (blocks_.virtual_blocks() > 0) {
      kernels_.direct.p2p(where_, blocks_.virtual_blocks(), points_of_shares_.data(), fields_of_shares_.data());
    }
    where_.for_each(leaves() * mesh::cells, end_cells{down_.view(numbers_), smooth_, ends_.data(), masses_.data(),
                                                      fields_.data(), shares_.data(), fields_of_shares_.data(),
                                                      moments_.data(), expansions_.data(), torques_.data(), result});
  }

  /// Bytes held in the place's memory for masses, moments, expansions and fields, the scratch memory included, and for
  /// the sources of every block.
  std::size_t bytes() const {
    std::size_t doubles = 0, sources = 0;
    for (const auto* a : {&masses_, &fields_, &shares_, &fields_of_shares_, &moments_, &expansions_, &torques_, &sums_})
      doubles += a->size();
    for (const auto* a : {&around_refined_, &points_, &points_of_shares_, &multipoles_}) sources += a->size();
    return doubles * sizeof(double) + sources * sizeof(source_block);
  }

 private:
  template <class T>
  using array = typename Place::template array<T>;

  /// Refined blocks whose sums M2L holds at once: enough to fill a device several times over.
  static constexpr int blocks_at_once = 1024;

  struct tables {
    tables(const Place& where, const translation_tables& of)
        : entries(where.copy_of(of.entries)), starts(where.copy_of(of.starts)) {}
    translations view(int rows) const { return {entries.data(), starts.data(), rows}; }
    array<matrix_entry> entries;
    array<int> starts;
  };

  static array<double> numbers_of(int blocks, int numbers) {
    return array<double>(index(blocks) * index(block_size(numbers)));
  }
  int leaves() const { return static_cast<int>(blocks_.leaf_at.size()); }

  /// Level by level, the finest first.
  void up() {
    for (int level = blocks_.levels() - 1; level >= 0; --level) {
      const auto [first, count] = blocks_of(level);
      where_.for_each(count * mesh::cells,
                      lift_cells{up_.view(numbers_), children_.data(), first, masses_.data(), moments_.data()});
    }
  }

  /// All levels alike, but for the root: all of its cells meet.
  void across() {
    const int all = blocks_.refined_blocks();
    if (all > 0) m2l(kernels_.far_of_root, 0, 1);
    for (int first = 1; first < all; first += blocks_at_once)
      m2l(kernels_.far, first, std::min(blocks_at_once, all - first));
  }
  void m2l(const typename Place::far_field& by, int first, int count) {
    by.m2l(where_, count, around_refined_.data() + index(first) * mesh::sides,
           block_at(moments_.data(), first, numbers_), sums_.data(), block_at(expansions_.data(), first, numbers_),
           block_at(torques_.data(), first, 3));
  }

  /// Level by level, those below the root first.
  void down() {
    for (int level = 1; level < blocks_.levels(); ++level) {
      const auto [first, count] = blocks_of(level);
      where_.for_each(count * mesh::cells, sink_cells{down_.view(numbers_), parents_.data(), first, moments_.data(),
                                                      expansions_.data(), torques_.data()});
    }
  }
  std::array<int, 2> blocks_of(int level) const {
    const int first = blocks_.first_of_level[index(level)];
    return {first, blocks_.first_of_level[index(level) + 1] - first};
  }

  Place where_;
  resident_plan blocks_;
  int numbers_;  // of a multipole
  bool smooth_;
  tables up_, down_;
  kernels kernels_;
  array<int> number_;
  array<double> cell_width_;
  array<leaf_end> ends_;
  array<octant_of> virtuals_;
  array<either_block> children_;
  array<child_of> parents_;
  array<double> masses_, fields_;                 // [leaf]
  array<double> shares_, fields_of_shares_;       // [virtual block]
  array<double> moments_, expansions_, torques_;  // [refined block]
  array<double> sums_;                            // of M2L, for some refined blocks
  array<source_block> around_refined_, points_, points_of_shares_, multipoles_;
};

}  // namespace rednova::gravity
