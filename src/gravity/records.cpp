#include "gravity/records.hpp"

#include <bit>
#include <map>
#include <tuple>

#include "core/check.hpp"
#include "gravity/basis.hpp"
#include "gravity/stencil.hpp"

namespace rednova::gravity {

namespace {

/// The sources of a group's targets, in the order of the records: range, place above, place below.
using key = std::tuple<int, int, int>;
/// The places of the targets' coefficients; 0 is that of zeros.
using targets = std::array<std::int32_t, classes>;

int place_in_stage(int reach, int x, int y, int z) {
  return reach == 2 ? stage_shape<2>::source(x, y, z) : stage_shape<3>::source(x, y, z);
}

class collector {
 public:
  collector(const stencil& of, int numbers, records& to) : of_(of), numbers_(numbers), to_(to) {}

  void add(int parity, const stencil_plane& plane, int group, int target_class, const offset& o) {
    // The slabs of the classes that are read together follow each other.
    const int row = slab_row(numbers_, of_.width()), slab = slab_size(numbers_, of_.reach());
    const int source_class = group * of_.grouped_classes() + o.source / slab, place = o.source % slab;
    const int y = place / row - of_.reach(), x = place % row - slab_margin(of_.width());
    const int above = parity + plane.c, below = parity - plane.c;
    const int z = plane.folded == fold::below ? below : above;
    const int folded = plane.folded == fold::both ? 1 : 0;
    const auto in_stage = [&](int at) { return place_in_stage(to_.reach, x, y, at >> 1); };
    const int target = target_class + 4 * parity;
    const int range = records::range(target / to_.together, source_class + 4 * (z & 1), folded);
    met_[{range, in_stage(z), in_stage(folded == 1 ? below : z)}][index(target % to_.together)] = o.coefficient;
  }

  void write() const {
    for (const auto& [where, coefficients] : met_) {
      const auto [range, above, below] = where;
      records::span& span = to_.ranges[index(range)];
      if (span.count++ == 0) span.first = static_cast<int>(to_.values.size()) / to_.doubles();
      const std::size_t next = to_.values.size() + index(to_.doubles());
      to_.values.push_back(std::bit_cast<double>(record_header{above, below}));
      for (int t = 0; t < to_.together; ++t) {
        const double* from = of_.coefficients() + coefficients[index(t)];
        to_.values.insert(to_.values.end(), from, from + to_.coefficient_count);
      }
      to_.values.resize(next);
    }
    to_.values.insert(to_.values.end(), index(records::read_ahead * to_.doubles()), 0.0);
  }

 private:
  const stencil& of_;
  int numbers_;
  records& to_;
  std::map<key, targets> met_;
};

}  // namespace

records::records(const stencil& of, int order, int numbers, int children)
    : together(children),
      coefficient_count(coefficients(order)),
      reach(stage_reach(of.reach())),
      ranges(index(range(groups(), 0, 0)), span{0, 0}) {
  EXPECT(together == 2 || together == 4);
  collector all(of, numbers, *this);
  for (int parity = 0; parity < 2; ++parity) {
    for (const stencil_plane& plane : of.planes(parity)) {
      for (int group = 0; group < static_cast<int>(plane.lists.size()); ++group) {
        for (int target = 0; target < classes; ++target) {
          for (const offset& o : plane.lists[index(group)][index(target)].offsets) {
            all.add(parity, plane, group, target, o);
          }
        }
      }
    }
  }
  all.write();
}

}  // namespace rednova::gravity
