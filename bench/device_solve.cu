#include "device_solve.hpp"

#include <memory>

#include "gravity/cuda/device_space.hpp"
#include "gravity/cuda/kernels_of.hpp"

namespace rednova::bench {

namespace {

struct solve {
  solve(const exec::cuda::context& context, const config::gravity& par, const mesh::tree& tree)
      : lists(tree),
        all({{&context}}, tree, lists, gravity::operators(par.order), par.cell_mass,
            gravity::cuda::kernels_of(context, par, tree)),
        density(gravity::index(tree.leaves()) * mesh::cells),
        result(density.size() * gravity::result_fields) {
    density.copy_from(context, std::vector<double>(density.size(), 1.0));
  }
  gravity::interaction_lists lists;
  gravity::device_solve<gravity::cuda::device_space> all;
  exec::cuda::array<double> density, result;
};

}  // namespace

std::function<void()> device_solve(const exec::cuda::context& context, const config::gravity& par,
                                   const mesh::tree& tree) {
  return [all = std::make_shared<solve>(context, par, tree)] {
    all->all.solve(all->density.data(), mesh::cells, all->result.data());
  };
}

}  // namespace rednova::bench
