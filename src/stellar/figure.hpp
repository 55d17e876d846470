// A figure of equilibrium: what the self-consistent field method finds in a given potential.
#pragma once

#include "exec/for_each.hpp"
#include "mesh/block_data.hpp"
#include "stellar/model.hpp"

namespace rednova::stellar {

class figure {
 public:
  virtual ~figure() = default;
  /// About the radius of the smallest body, which the first mesh has to show.
  virtual double size() const = 0;
  /// Whether a cube may hold a part of a body.
  virtual bool touches(core::vec3d lower, double width) const = 0;
  /// Writes a first density (model_field core_of_0 … envelope_of_1) on the leaves of m.tree.
  virtual void guess(exec::context& context, model& m) const = 0;
  /// Finds the figure in a potential: writes all model fields but the potential, omega, and what was reached.
  /// gravity: gravity::result_field, of the model's density. Returns whether it will look for another figure from now
  /// on, nearer to the request: of that one the densities up to here say nothing.
  virtual bool find(exec::context& context, const mesh::block_data& gravity, model& m) = 0;
  /// Whether the model is what was asked for, where find() comes to that in steps of its own; no model is the last one
  /// before.
  virtual bool meets_request(const model&) const { return true; }
  /// Called once, for the model that has converged, with the gravity of its own density: notes what the forces on the
  /// bodies say about it.
  virtual void weigh(exec::context&, const mesh::block_data&, model&) {}
};

}  // namespace rednova::stellar
