// The fast multipole method on a mesh by the textbook's operators: cells, their children, and one recursion over pairs.
#pragma once

#include <vector>

#include "gravity/lattice.hpp"
#include "gravity/operators_textbook.hpp"
#include "system.hpp"

namespace rednova::gravity::test {

/// Potential, acceleration and spin torque per volume of all leaf cells, as the solver's.
class textbook_solve {
 public:
  textbook_solve(const system& s, const config::gravity& par)
      : s_(s), p_(par.order), near2_(par.near_radius_squared), smooth_(par.cell_mass == config::cell_mass::smooth) {
    int root = 0;
    while (s.tree[root].level > 0) ++root;
    for (int c = 0; c < mesh::cells; ++c) top_.push_back(make_cell(root, place_of(c)));
    for (cell& c : top_) upward(c);
    // The cells of the root block have no parents: all of them interact.
    interact_with_each_other(top_);
    result.resize(s.mass.size());
    for (cell& c : top_) downward(c);
  }

  struct leaf_result {
    double potential;
    vec3d acceleration, torque;
  };
  std::vector<leaf_result> result;  ///< [leaf][cell]

 private:
  /// Of a leaf block, of a refined one, or a ghost child, by which a leaf cell takes part on the next finer level.
  struct cell {
    cell(int p, vec3d at, double width) : x(at), h(width), moments(p), expansion(p), top(p) {}
    double mass() const { return moments[{0, 0, 0}]; }

    vec3d x;        ///< centre
    double h;       ///< width
    int leaf = -1;  ///< number among the leaf cells
    bool refined = false;
    std::vector<cell> children;  ///< of a leaf cell: ghosts, once they are wanted
    textbook::tensors moments, expansion;
    textbook::tensors top;  ///< of the expansion, the terms of order p alone
    textbook::field near;   ///< by P2P
    vec3d torque{};
  };

  static core::vec3i place_of(int c) { return {c % mesh::N, c / mesh::N % mesh::N, c / (mesh::N * mesh::N)}; }
  /// From a cell's centre to its child's.
  static vec3d to_child(int octant, double h) {
    return {((octant & 1) - 0.5) * h / 2, ((octant >> 1 & 1) - 0.5) * h / 2, ((octant >> 2) - 0.5) * h / 2};
  }

  cell make_cell(int node, core::vec3i at) const {
    cell made(p_, s_.tree.centre(node, at.x, at.y, at.z), s_.tree.cell_width(node));
    if (s_.tree[node].leaf()) {
      made.leaf = node * mesh::cells + mesh::cell(at.x, at.y, at.z);
      return made;
    }
    made.refined = true;
    constexpr int half = mesh::N / 2;
    const int child = s_.tree[node].child[index(at.x / half + 2 * (at.y / half) + 4 * (at.z / half))];
    for (int o = 0; o < 8; ++o) {
      made.children.push_back(
          make_cell(child, {at.x % half * 2 + (o & 1), at.y % half * 2 + (o >> 1 & 1), at.z % half * 2 + (o >> 2)}));
    }
    return made;
  }

  void upward(cell& c) const {
    if (!c.refined) p2m(s_.mass[index(c.leaf)], {}, c.moments);
    for (cell& child : c.children) {
      upward(child);
      m2m(child.moments, child.x - c.x, c.moments);
    }
  }

  /// All pairs of different cells among these; their parents are near.
  void interact_with_each_other(std::vector<cell>& cells) const {
    for (auto a = cells.begin(); a != cells.end(); ++a) {
      for (auto b = a + 1; b != cells.end(); ++b) interact(*a, *b);
      if (a->refined) interact_with_each_other(a->children);
    }
  }

  void interact(cell& a, cell& b) const {
    const double distance2 = dot(a.x - b.x, a.x - b.x) / (a.h * a.h);  // a whole number but for rounding
    if (!a.refined && !b.refined) {
      act_directly(a, b, distance2);
      act_directly(b, a, distance2);
    } else if (distance2 > near2_ + 0.5) {
      act_from_afar(a, b);
      act_from_afar(b, a);
    } else {
      for (cell& of_a : children_of(a)) {
        for (cell& of_b : children_of(b)) interact(of_a, of_b);
      }
    }
  }

  std::vector<cell>& children_of(cell& c) const {
    if (c.children.empty()) {
      for (int o = 0; o < 8; ++o) {
        c.children.emplace_back(p_, c.x + to_child(o, c.h), c.h / 2);
        p2m(c.mass() / 8, {}, c.children.back().moments);
      }
    }
    return c.children;
  }

  void act_from_afar(const cell& source, cell& target) const {
    m2l(source.moments, target.x - source.x, target.expansion);
    m2l(source.moments, target.x - source.x, target.top, p_);
  }

  /// Cells that share a face attract each other more if their density is smooth.
  void act_directly(const cell& source, cell& target, double distance2) const {
    textbook::field f;
    p2p(source.mass(), target.x - source.x, f);
    target.near.potential += f.potential;
    target.near.gradient += (smooth_ && distance2 < 1.5 ? 1 + face_attraction : 1) * f.gradient;
  }

  void downward(cell& c) {
    if (!c.refined) return finish(c);
    c.torque += spin_torque(c.moments, c.top);
    for (cell& child : c.children) {
      l2l(c.expansion, child.x - c.x, child.expansion);
      if (c.mass() != 0) child.torque += child.mass() / c.mass() * c.torque;
      downward(child);
    }
  }

  /// What a leaf cell feels, and its ghosts: the mean of their fields, and the torque of their forces about its centre.
  void finish(cell& c) {
    textbook::field f = c.near;
    l2p(c.expansion, {}, f);
    if (smooth_) f.potential -= own_potential * c.mass() / c.h;
    for (const cell& ghost : c.children) {
      f.potential += ghost.near.potential / 8;
      f.gradient += 0.125 * ghost.near.gradient;
      c.torque += cross(ghost.x - c.x, -ghost.mass() * ghost.near.gradient);
    }
    result[index(c.leaf)] = {f.potential, -f.gradient, 1 / (c.h * c.h * c.h) * c.torque};
  }

  const system& s_;
  int p_, near2_;
  bool smooth_;
  std::vector<cell> top_;
};

}  // namespace rednova::gravity::test
