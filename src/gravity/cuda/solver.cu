#include "gravity/cuda/solver.hpp"

#include "core/check.hpp"
#include "gravity/cuda/device_place.hpp"
#include "gravity/cuda/kernels_of.hpp"

namespace rednova::gravity::cuda {

struct solver::work {
  work(const exec::cuda::context& where, const config::gravity& par, const mesh::tree& tree, exec::context* ranks,
       const mesh::share& own)
      : who(tree),
        all({{&where}}, tree, who, operators(par.order), par.cell_mass, kernels_of(where, par, tree), ranks, own) {}
  plan who;
  resident_solve<device_place> all;
};

solver::solver(const exec::cuda::context& where, const config::gravity& par, const mesh::tree& tree) {
  start(where, par, tree, nullptr, mesh::share(tree));
}
solver::solver(const exec::cuda::context& where, const config::gravity& par, const mesh::tree& tree,
               exec::context& ranks, const mesh::share& own) {
  start(where, par, tree, &ranks, own);
}
void solver::start(const exec::cuda::context& where, const config::gravity& par, const mesh::tree& tree,
                   exec::context* ranks, const mesh::share& own) {
  EXPECT((tree.box().base == core::vec3i{1, 1, 1}));
  EXPECT(!tree.box().periodic[0] && !tree.box().periodic[1] && !tree.box().periodic[2]);
  EXPECT(par.near_radius_squared >= 3 && par.near_radius_squared <= 15);
  work_ = std::make_unique<work>(where, par, tree, ranks, own);
}
solver::solver(solver&&) noexcept = default;
solver& solver::operator=(solver&&) noexcept = default;
solver::~solver() = default;

void solver::solve(const double* density, std::size_t stride, double* result) {
  work_->all.solve(density, stride, result);
}

std::size_t solver::bytes() const { return work_->all.bytes(); }

}  // namespace rednova::gravity::cuda
