// Self-gravity on a device (gravity/solver.hpp is the processor's): all that a solve needs stays in its memory.
#pragma once

#include <memory>

#include "config/parameters.hpp"
#include "exec/cuda/device.hpp"
#include "exec/for_each.hpp"
#include "mesh/share.hpp"

namespace rednova::gravity::cuda {

/// Potential and forces of the leaves' masses, G = 1. The plan belongs to the tree, which must outlive the solver, as
/// the contexts must, and is made anew when the mesh changes.
class solver {
 public:
  /// One rank alone.
  solver(const exec::cuda::context& where, const config::gravity& par, const mesh::tree& tree);
  /// On a rank's share of the tree; all ranks make it, solve and destroy it together.
  solver(const exec::cuda::context& where, const config::gravity& par, const mesh::tree& tree, exec::context& ranks,
         const mesh::share& own);
  solver(solver&&) noexcept;
  solver& operator=(solver&&) noexcept;
  ~solver();

  /// Launches a solve, and waits for messages of other ranks. Both pointers are the device's; own leaves along the
  /// curve, cells in the order of mesh::cell(). density: [leaf], `stride` doubles apart, with the mass density first.
  /// result: [leaf][result_fields].
  void solve(const double* density, std::size_t stride, double* result);

  /// Bytes held on the device for masses, moments, expansions, fields and the list of sources.
  std::size_t bytes() const;

 private:
  struct work;
  void start(const exec::cuda::context& where, const config::gravity& par, const mesh::tree& tree, exec::context* ranks,
             const mesh::share& own);
  std::unique_ptr<work> work_;
};

}  // namespace rednova::gravity::cuda
