// The processor as a place of device_solve with the device's kernels for M2L, M2P and P2P, on thread blocks of its
// threads.
#pragma once

#include "gravity/finish.hpp"
#include "gravity/thread_block_convolve.hpp"
#include "host_space.hpp"

namespace rednova::gravity::test {

/// Multipoles of order 3, blocks of 8³ cells.
struct thread_block_space : host_space {
  /// A kernel for each block with the stage that the records were made for.
  template <class Shape, int Together, int Parents>
  static void convolve(const records& by, int blocks, const source_block* sources, double* sums, write_mode mode) {
    const auto launch = [&]<int Reach>() {
      if constexpr (H == 4) {
        using kernel = thread_block_convolve<Shape, Reach, Together, Parents, 1>;
        exec::for_each_thread_block(blocks, kernel::memory,
                                    kernel{sources, by.ranges.data(), by.values.data(), sums, mode});
      }
    };
    if (by.reach == 2) {
      launch.template operator()<2>();
    } else {
      launch.template operator()<3>();
    }
  }

  class near_field {
   public:
    near_field(const thread_block_space&, const stencil& near) : by_(near, 1, 1, classes) {}
    void p2p(const thread_block_space&, int blocks, const source_block* sources, double* fields) const {
      convolve<operator_shape<1, 0, 1, 0, gravity::sums::plain>, classes, 2>(by_, blocks, sources, fields,
                                                                             write_mode::set);
    }

   private:
    records by_;
  };

  class far_field {
   public:
    far_field(const thread_block_space&, const operators& by, const stencil& far)
        : operators_(by), by_(far, 3, numbers, 2) {}
    int sums() const { return whole::numbers; }
    void m2l(const thread_block_space&, int blocks, const source_block* sources, const double* moments, double* sums,
             double* expansions, double* torque) const {
      convolve<whole, 2, 1>(by_, blocks, sources, sums, write_mode::set);
      for (int i = 0; i < blocks * mesh::cells; ++i) {
        const auto at = [&](int n) { return i / HH * HH * n + i % HH; };
        finish<3, double>(sums + at(whole::numbers), HH, rotations(operators_), moments + at(numbers),
                          expansions + at(numbers), torque + at(3));
      }
    }
    void m2p(const thread_block_space&, int blocks, const source_block* sources, double* fields) const {
      convolve<operator_shape<3, 0, 1, 3, gravity::sums::plain>, 2, 2>(by_, blocks, sources, fields, write_mode::add);
    }

   private:
    using whole = operator_shape<3, 0, 3, 3, gravity::sums::split>;
    static constexpr int numbers = basis_size(3);
    operators operators_;
    records by_;
  };
};

}  // namespace rednova::gravity::test
