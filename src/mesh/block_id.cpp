#include "mesh/block_id.hpp"

#include <bit>

#include "core/check.hpp"

namespace rednova::mesh {

namespace {

// Spreads the low 21 bits of v so that two zero bits follow each.
std::uint64_t spread(std::uint64_t v) {
  v &= 0x1fffff;
  v = (v | v << 32) & 0x1f00000000ffff;
  v = (v | v << 16) & 0x1f0000ff0000ff;
  v = (v | v << 8) & 0x100f00f00f00f00f;
  v = (v | v << 4) & 0x10c30c30c30c30c3;
  v = (v | v << 2) & 0x1249249249249249;
  return v;
}

int gather(std::uint64_t v) {
  v &= 0x1249249249249249;
  v = (v ^ (v >> 2)) & 0x10c30c30c30c30c3;
  v = (v ^ (v >> 4)) & 0x100f00f00f00f00f;
  v = (v ^ (v >> 8)) & 0x1f0000ff0000ff;
  v = (v ^ (v >> 16)) & 0x1f00000000ffff;
  v = (v ^ (v >> 32)) & 0x1fffff;
  return static_cast<int>(v);
}

}  // namespace

block_id block_id::at(int level, core::vec3i p) {
  EXPECT(level >= 0 && level <= max_level);
  EXPECT(((p.x | p.y | p.z) >> level) == 0);
  const auto bits = [](int v) { return spread(static_cast<std::uint64_t>(v)); };
  return block_id((std::uint64_t{1} << 3 * level) | bits(p.x) | bits(p.y) << 1 | bits(p.z) << 2);
}

int block_id::level() const { return (63 - std::countl_zero(bits_)) / 3; }

core::vec3i block_id::place() const {
  const std::uint64_t morton = bits_ ^ (std::uint64_t{1} << 3 * level());
  return {gather(morton), gather(morton >> 1), gather(morton >> 2)};
}

std::uint64_t block_id::curve() const { return bits_ << 3 * (max_level - level()); }

}  // namespace rednova::mesh
