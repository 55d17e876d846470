// Whether a mesh fits into the memory of this machine: asked before it is made, since the system ends who asks too
// late.
#pragma once

#include <functional>

#include "step/simulation.hpp"

namespace rednova::step {

/// Memory of this machine in bytes; infinite if the system does not say.
double physical_memory();

/// Bytes that a rank of a run with so many leaves needs at least.
double least_memory(const config::parameters& p, double leaves, int ranks);

/// Bytes that a run with so many leaves on one rank is likely to need, within a quarter or so.
double likely_memory(const config::parameters& p, double leaves);

/// A user_error where the mesh that a run begins with, mesh.base_blocks refined to mesh.min_level, cannot fit into
/// `memory` bytes. place("section.key") says where a key was set.
void expect_memory(const config::parameters& p, int ranks, double memory,
                   const std::function<std::string(const std::string&)>& place);

/// The same for a mesh that grows while the initial model is made. All ranks make it and come to the same.
class memory_budget {
 public:
  explicit memory_budget(const simulation& s);
  /// A user_error, said by all ranks, where a mesh of so many leaves cannot fit.
  void expect(int leaves) const;

 private:
  config::parameters par_;
  int ranks_ = 1;
  double memory_ = 0;  // the least that any rank has for itself
};

}  // namespace rednova::step
