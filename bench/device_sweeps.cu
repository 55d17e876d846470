#include "device_sweeps.hpp"

#include <random>

#include "exec/cuda/for_each.hpp"
#include "gravity/resident_plan.hpp"

namespace rednova::bench {

namespace {

using namespace gravity;

using exec::cuda::on_device;

exec::cuda::array<double> random_blocks(const exec::cuda::context& where, int blocks, int numbers) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> value(0.5, 1.5);
  std::vector<double> all(index(blocks) * index(block_size(numbers)));
  for (double& v : all) v = value(generator);
  return on_device(where, all);
}

}  // namespace

sweeps::sweeps(const exec::cuda::context& where, int order) : numbers_(basis_size(order)) {
  const operators by(order);
  const translation_tables up(by.m2m, numbers_), down(by.l2l, numbers_);
  up_ = on_device(where, up.entries);
  up_starts_ = on_device(where, up.starts);
  down_ = on_device(where, down.entries);
  down_starts_ = on_device(where, down.starts);
  // Parents come first among the refined blocks.
  std::vector<either_block> below;
  std::vector<child_of> above(parents, child_of{-1, 0});
  std::vector<leaf_end> ends;
  for (int i = 0; i < children; ++i) {
    below.push_back({parents + i, true});
    above.push_back({i / 8, i % 8});
    ends.push_back({i, above.back(), 0.01, {-1, -1, -1, -1, -1, -1, -1, -1}});
  }
  children_ = on_device(where, below);
  parents_ = on_device(where, above);
  ends_ = on_device(where, ends);
  moments_ = random_blocks(where, parents + children, numbers_);
  expansions_ = random_blocks(where, parents + children, numbers_);
  torques_ = random_blocks(where, parents + children, 3);
  masses_ = random_blocks(where, children, 1);
  fields_ = random_blocks(where, children, 4);
  result_ = exec::cuda::array<double>(index(children * mesh::cells * result_fields));
}

void sweeps::lift(const exec::cuda::context& where) {
  exec::cuda::for_each(
      where, parents * mesh::cells,
      lift_cells{{up_.data(), up_starts_.data(), numbers_}, children_.data(), 0, masses_.data(), moments_.data()});
}

void sweeps::sink(const exec::cuda::context& where) {
  exec::cuda::for_each(where, children * mesh::cells,
                       sink_cells{{down_.data(), down_starts_.data(), numbers_},
                                  parents_.data(),
                                  parents,
                                  moments_.data(),
                                  expansions_.data(),
                                  torques_.data()});
}

void sweeps::end(const exec::cuda::context& where) {
  exec::cuda::for_each(where, children * mesh::cells,
                       end_cells{{down_.data(), down_starts_.data(), numbers_},
                                 true,
                                 ends_.data(),
                                 masses_.data(),
                                 fields_.data(),
                                 nullptr,
                                 nullptr,
                                 moments_.data(),
                                 expansions_.data(),
                                 torques_.data(),
                                 result_.data()});
}

}  // namespace rednova::bench
