#include "exchange/face_plan.hpp"

namespace rednova::exchange {

face_plan::face_plan(const mesh::tree& t, const mesh::local_partition& own)
    : finer_(static_cast<std::size_t>(t.leaves()), 0u), slot_(static_cast<std::size_t>(t.leaves()) * mesh::faces, -1) {
  for (int leaf = 0; leaf < t.leaves(); ++leaf) {
    first_.push_back(static_cast<int>(coarse_.size()));
    for (int face = 0; face < mesh::faces; ++face) {
      const int m = t[leaf].neighbour[static_cast<std::size_t>(side_of_face(face))];
      if (m < t.leaves()) continue;  // a leaf, coarser or outside
      finer_[static_cast<std::size_t>(leaf)] |= 1u << face;
      const int d = face / 2;
      coarse_face f{leaf, face, {}};
      for (int q = 0; q < 4; ++q) {
        const int octant = (face % 2 ? 0 : 1 << d) | (q & 1) << transverse_a(d) | (q >> 1) << transverse_b(d);
        const int fine = t[m].child[static_cast<std::size_t>(octant)];
        f.fine[static_cast<std::size_t>(q)] = fine;
        if (own.owns(leaf) || own.owns(fine)) {
          slot_[static_cast<std::size_t>(fine * mesh::faces + (face ^ 1))] = slots_++;
        }
      }
      if (own.owns(leaf)) coarse_.push_back(f);
    }
  }
  first_.push_back(static_cast<int>(coarse_.size()));
}

face_view face_plan::view(flux_registers& registers) const {
  return {slot_.data(), coarse_.data(), first_.data(), registers.data(),
          static_cast<std::ptrdiff_t>(registers.stride())};
}

}  // namespace rednova::exchange
