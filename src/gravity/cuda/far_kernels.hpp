// The kernels of multipoles for one order of expansion, each order compiled apart. Only sources that nvcc compiles
// include this.
#pragma once

#include "exec/cuda/for_each.hpp"
#include "exec/cuda/thread_block.hpp"
#include "gravity/cuda/interactions.hpp"
#include "gravity/thread_block_convolve.hpp"

namespace rednova::gravity::cuda {

/// Launches a kernel for each block with the stage that the records were made for.
template <class Shape, int Together, int Parents, int TeamsAtOnce>
void convolve_blocks(const exec::cuda::context& context, const device_records& records, int blocks,
                     const source_block* sources, double* sums, write_mode mode) {
  const auto launch = [&]<int Reach>() {
    using kernel = thread_block_convolve<Shape, Reach, Together, Parents, TeamsAtOnce>;
    exec::cuda::for_each_thread_block(context, blocks, kernel::memory,
                                      kernel{sources, records.ranges(), records.values(), sums, mode});
  };
  if (records.reach() == 2) {
    launch.template operator()<2>();
  } else {
    launch.template operator()<3>();
  }
}

/// The children of a parent that a thread of the multipoles' kernels holds: more sums do not fit its registers.
inline constexpr int far_together = 2;

template <int P>
using whole_shape = operator_shape<P, 0, P, P, sums::split>;

/// The orders of the targets that are summed together: sums and coefficients of both children stay in 255 registers.
template <int P, class Run>
void for_each_pass(const Run& run) {
  const auto pass = [&]<int First, int Last>() {
    run.template operator()<operator_shape<P, First, Last, P - First, sums::split>>();
  };
  if constexpr (P == 3) {
    pass.template operator()<0, 3>();
  } else if constexpr (P == 4) {
    pass.template operator()<0, 2>();
    pass.template operator()<3, 4>();
  } else {
    pass.template operator()<0, 1>();
    pass.template operator()<2, 2>();
    pass.template operator()<3, 3>();
    pass.template operator()<4, 5>();
  }
}

/// Expansion and torque of cell i of the blocks.
template <int P>
struct finish_cells {
  rotations turns;
  const double *moments, *sums;
  double *expansions, *torque;

  REDNOVA_FN void operator()(int i) const {
    constexpr int numbers = basis_size(P), kept = whole_shape<P>::numbers;
    const std::size_t in_class = static_cast<std::size_t>(i % HH), first = static_cast<std::size_t>(i) - in_class;
    finish<P, double>(sums + first * kept + in_class, HH, turns, moments + first * numbers + in_class,
                      expansions + first * numbers + in_class, torque + first * 3 + in_class);
  }
};

/// far_field::m2l for order P. turns: in the device's memory.
template <int P>
void m2l_of_order(const exec::cuda::context& context, const device_records& records, const rotations& turns, int blocks,
                  const source_block* sources, const double* moments, double* sums, double* expansions,
                  double* torque) {
  for_each_pass<P>([&]<class Shape>() {
    convolve_blocks<Shape, far_together, 1, 1>(context, records, blocks, sources, sums, write_mode::set);
  });
  exec::cuda::for_each(context, blocks * mesh::cells, finish_cells<P>{turns, moments, sums, expansions, torque});
}

/// far_field::m2p for order P.
template <int P>
void m2p_of_order(const exec::cuda::context& context, const device_records& records, int blocks,
                  const source_block* sources, double* fields) {
  using shape = operator_shape<P, 0, 1, P, rednova::gravity::sums::plain>;
  convolve_blocks<shape, far_together, 2, 2>(context, records, blocks, sources, fields, write_mode::add);
}

#define REDNOVA_ORDER(word, P)                                                                        \
  word void m2l_of_order<P>(const exec::cuda::context&, const device_records&, const rotations&, int, \
                            const source_block*, const double*, double*, double*, double*);           \
  word void m2p_of_order<P>(const exec::cuda::context&, const device_records&, int, const source_block*, double*)
REDNOVA_ORDER(extern template, 3);
REDNOVA_ORDER(extern template, 4);
REDNOVA_ORDER(extern template, 5);

}  // namespace rednova::gravity::cuda
