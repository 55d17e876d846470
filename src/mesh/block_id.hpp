// The global address of a block: its level and position, in 8 bytes, valid on every rank.
#pragma once

#include <compare>
#include <cstdint>

#include "core/vec3.hpp"

namespace rednova::mesh {

/// A Morton number with a leading one: the root is 1, the children of b are 8 b + 0 … 7 (x lowest bit).
///
/// The root of ids is the smallest cube of 2^r base blocks' edge that holds the base lattice; a block of mesh
/// level l has id level r + l, at most 20.
class block_id {
 public:
  static constexpr int max_level = 20;

  constexpr block_id() = default;
  constexpr explicit block_id(std::uint64_t bits) : bits_(bits) {}
  /// The block at position p (0 … 2^level - 1 in each direction).
  static block_id at(int level, core::vec3i p);

  constexpr std::uint64_t bits() const { return bits_; }
  int level() const;
  core::vec3i place() const;
  constexpr block_id parent() const { return block_id(bits_ >> 3); }
  constexpr block_id child(int octant) const { return block_id((bits_ << 3) | static_cast<std::uint64_t>(octant)); }
  constexpr int octant() const { return static_cast<int>(bits_ & 7); }
  /// The first id of the finest level that lies in this block: sorts blocks along the curve.
  std::uint64_t curve() const;
  friend constexpr bool operator==(block_id, block_id) = default;

 private:
  std::uint64_t bits_ = 1;
};

}  // namespace rednova::mesh
