// Self-gravity on a device (gravity/solver.hpp is the processor's): all that a solve needs stays in its memory.
#pragma once

#include <memory>

#include "config/parameters.hpp"
#include "exec/cuda/device.hpp"
#include "mesh/tree.hpp"

namespace rednova::gravity::cuda {

/// Potential and forces of the leaves' masses, G = 1, on a tree of one rank alone. The plan belongs to the tree, which
/// must outlive the solver, as the context must, and is made anew when the mesh changes.
class solver {
 public:
  solver(const exec::cuda::context& where, const config::gravity& par, const mesh::tree& tree);
  solver(solver&&) noexcept;
  solver& operator=(solver&&) noexcept;
  ~solver();

  /// Launches a solve. Both pointers are the device's; leaves in the tree's order, cells in that of mesh::cell().
  /// density: [leaf], `stride` doubles apart, with the mass density first. result: [leaf][result_fields].
  void solve(const double* density, std::size_t stride, double* result);

  /// Bytes held on the device for masses, moments, expansions, fields and the list of sources.
  std::size_t bytes() const;

 private:
  struct work;
  std::unique_ptr<work> work_;
};

}  // namespace rednova::gravity::cuda
