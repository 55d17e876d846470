// Cells and blocks are counted in int, containers in size_t.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rednova::core {

constexpr std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace rednova::core
