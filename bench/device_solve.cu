#include "device_solve.hpp"

#include <memory>

#include "gravity/cuda/device_place.hpp"
#include "gravity/cuda/kernels_of.hpp"

namespace rednova::bench {

namespace {

struct solve {
  solve(const exec::cuda::context& where, const config::gravity& par, const mesh::tree& tree)
      : lists(tree),
        all({{&where}}, tree, lists, gravity::operators(par.order), par.cell_mass,
            gravity::cuda::kernels_of(where, par, tree)),
        density(gravity::index(tree.leaves()) * mesh::cells),
        result(density.size() * gravity::result_fields) {
    density.copy_from(where, std::vector<double>(density.size(), 1.0));
  }
  gravity::interaction_lists lists;
  gravity::device_solve<gravity::cuda::device_place> all;
  exec::cuda::array<double> density, result;
};

}  // namespace

std::function<void()> device_solve(const exec::cuda::context& where, const config::gravity& par,
                                   const mesh::tree& tree) {
  return [all = std::make_shared<solve>(where, par, tree)] {
    all->all.solve(all->density.data(), mesh::cells, all->result.data());
  };
}

}  // namespace rednova::bench
