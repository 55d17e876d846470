// A CUDA device as a place of resident_solve. Only sources that nvcc compiles include this.
#pragma once

#include <vector>

#include "exec/cuda/for_each.hpp"
#include "gravity/cuda/across.hpp"
#include "gravity/resident_solve.hpp"

namespace rednova::gravity::cuda {

struct device_place {
  template <class T>
  using array = exec::cuda::array<T>;
  using near_field = cuda::near_field;
  using far_field = cuda::far_field;

  const exec::cuda::context* where;

  operator const exec::cuda::context&() const { return *where; }
  template <class T>
  array<T> copy_of(const std::vector<T>& values) const {
    return exec::cuda::on_device(*where, values);
  }
  template <class Kernel>
  void for_each(int count, const Kernel& kernel) const {
    exec::cuda::for_each(*where, count, kernel);
  }
};

}  // namespace rednova::gravity::cuda
