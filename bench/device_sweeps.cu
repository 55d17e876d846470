#include "device_sweeps.hpp"

#include <random>

#include "exec/cuda/for_each.hpp"

namespace rednova::bench {

namespace {

using namespace gravity;

using exec::cuda::on_device;

exec::cuda::array<double> random_blocks(const exec::cuda::context& context, int blocks, int numbers) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> value(0.5, 1.5);
  std::vector<double> all(index(blocks) * index(block_size(numbers)));
  for (double& v : all) v = value(generator);
  return on_device(context, all);
}

template <class Functor>
void run(const exec::cuda::context& context, const Functor& work, int first_place, int blocks) {
  exec::cuda::for_each(context, blocks * Functor::cells, single_cells<Functor>{work, first_place});
}

}  // namespace

sweeps::sweeps(const exec::cuda::context& context, int order) : numbers_(basis_size(order)) {
  const operators by(order);
  const translation_tables up(by.m2m, numbers_), down(by.l2l, numbers_);
  up_ = on_device(context, up.entries);
  up_starts_ = on_device(context, up.starts);
  down_ = on_device(context, down.entries);
  down_starts_ = on_device(context, down.starts);
  // Parents come first among the refined blocks.
  std::vector<either_block> below;
  std::vector<child_of> above(parents, child_of{-1, 0});
  std::vector<leaf_block> leaves;
  for (int i = 0; i < children; ++i) {
    below.push_back({parents + i, true});
    above.push_back({i / 8, i % 8});
    leaves.push_back({.number = i, .parent = above.back(), .h = 0.01});
  }
  children_ = on_device(context, below);
  parents_ = on_device(context, above);
  leaves_ = on_device(context, leaves);
  moments_ = random_blocks(context, parents + children, numbers_);
  expansions_ = random_blocks(context, parents + children, numbers_);
  torques_ = random_blocks(context, parents + children, 3);
  masses_ = random_blocks(context, children, 1);
  fields_ = random_blocks(context, children, 4);
  result_ = exec::cuda::array<double>(index(children * mesh::cells * result_fields));
}

parent_blocks sweeps::from_parents() const {
  return {{down_.data(), down_starts_.data(), numbers_},
          {moments_.data(), numbers_},
          {expansions_.data(), numbers_},
          {torques_.data(), 3}};
}

void sweeps::add_up(const exec::cuda::context& context) {
  const add_up_moments work{
      {up_.data(), up_starts_.data(), numbers_}, children_.data(), {masses_.data(), 1}, {moments_.data(), numbers_}};
  run(context, work, 0, parents);
}

void sweeps::down(const exec::cuda::context& context) {
  const hand_down work{from_parents(), parents_.data(), {expansions_.data(), numbers_}, {torques_.data(), 3}};
  run(context, work, parents, children);
}

void sweeps::set(const exec::cuda::context& context) {
  const set_fields work{from_parents(),      true,
                        leaves_.data(),      {masses_.data(), 1},
                        {fields_.data(), 4}, {result_.data(), index(result_fields * mesh::cells)}};
  run(context, work, 0, children);
}

}  // namespace rednova::bench
