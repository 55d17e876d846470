#include "gravity/cuda/interactions.hpp"

#include "core/check.hpp"
#include "gravity/cuda/far_kernels.hpp"

namespace rednova::gravity::cuda {

namespace {

using exec::cuda::on_device;

/// Calls run<order>().
template <class Run>
void for_order(int order, const Run& run) {
  if (order == 3) {
    run.template operator()<3>();
  } else if (order == 4) {
    run.template operator()<4>();
  } else {
    run.template operator()<5>();
  }
}

}  // namespace

device_records::device_records(const exec::cuda::context& context, const records& all)
    : reach_(all.reach), ranges_(on_device(context, all.ranges)), values_(on_device(context, all.values)) {}

near_field::near_field(const exec::cuda::context& context, const stencil& near)
    : records_(context, records(near, 1, 1, classes)) {}

void near_field::p2p(const exec::cuda::context& context, int blocks, const source_block* sources,
                     double* fields) const {
  using shape = operator_shape<1, 0, 1, 0, sums::plain>;
  convolve_blocks<shape, classes, 2, 8>(context, records_, blocks, sources, fields, write_mode::set);
}

far_field::far_field(const exec::cuda::context& context, const operators& ops, const stencil& far)
    : order_(ops.order),
      records_(context, records(far, ops.order, basis_size(ops.order), far_together)),
      rotation_{on_device(context, ops.rotation[0]), on_device(context, ops.rotation[1]),
                on_device(context, ops.rotation[2])} {
  EXPECT(order_ >= 3 && order_ <= 5);
}

int far_field::sums() const {
  int numbers = 0;
  for_order(order_, [&]<int P>() { numbers = whole_shape<P>::numbers; });
  return numbers;
}

void far_field::m2l(const exec::cuda::context& context, int blocks, const source_block* sources, const double* moments,
                    double* sums, double* expansions, double* torque) const {
  rotations turns;
  for (std::size_t d = 0; d < 3; ++d) {
    turns.entries[d] = rotation_[d].data();
    turns.count[d] = static_cast<int>(rotation_[d].size());
  }
  for_order(order_, [&]<int P>() {
    m2l_of_order<P>(context, records_, turns, blocks, sources, moments, sums, expansions, torque);
  });
}

void far_field::m2p(const exec::cuda::context& context, int blocks, const source_block* sources, double* fields) const {
  for_order(order_, [&]<int P>() { m2p_of_order<P>(context, records_, blocks, sources, fields); });
}

}  // namespace rednova::gravity::cuda
