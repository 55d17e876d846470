// Self-gravity of the mesh: a fast multipole method on the lattice of cells (docs/gravity.md).
#pragma once

#include <memory>
#include <vector>

#include "config/parameters.hpp"
#include "exec/for_each.hpp"
#include "exec/task.hpp"
#include "gravity/result_field.hpp"
#include "mesh/block_data.hpp"
#include "mesh/local_partition.hpp"
#include "mesh/tree.hpp"

namespace rednova::gravity {

/// Potential and forces of the leaves' masses, G = 1.
///
/// A solver belongs to a tree and is made anew when the mesh changes.
class solver {
 public:
  solver(const config::gravity& par, const mesh::tree& tree);
  /// The same on a tree that ranks share; all construct and call it together. The partition must outlive the solver.
  solver(const config::gravity& par, const mesh::tree& tree, exec::context& context, const mesh::local_partition& own);
  solver(solver&&) noexcept;
  solver& operator=(solver&&) noexcept;
  ~solver();

  /// density: [own leaves or more][>=1 field] with the mass density in field 0.
  /// result: [own leaves][result_fields]: phi, g (3), and the torque t_g (3) per volume about the cells' centres.
  /// Net force and net orbital + spin torque vanish to rounding; sum m phi[m'] = sum m' phi[m].
  void solve(exec::context& context, const mesh::block_data& density, mesh::block_data& result);

  /// The same as tasks beside others, in one run of a scheduler. For each own leaf, from any thread: take() its
  /// density, wait for inputs(), give() its result.
  void add_tasks(exec::context& context, std::vector<exec::task>& to);
  void take(int leaf, const double* density);
  void add_inputs(int leaf, std::vector<exec::event*>& to);
  void give(int leaf, double* result);

  /// Seconds that an own node has taken in all solves so far, without the upward and downward passes.
  double seconds(int node) const;
  /// Number of solves since construction, for the step's budget.
  int solves() const;
  /// Bytes held for masses, moments, expansions, stencils and interaction lists.
  std::size_t bytes() const;

 private:
  struct work;
  void start(const config::gravity& par, const mesh::tree& tree, exec::context* context,
             const mesh::local_partition& own);

  std::unique_ptr<mesh::local_partition> whole_;  // where the solver has the tree alone
  std::unique_ptr<work> work_;
};

}  // namespace rednova::gravity
