#include "exchange/flux_exchange.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "exec/transport.hpp"

namespace rednova::exchange {

block_exchange flux_exchange(exec::context& context, const std::string& name, const face_plan& faces,
                             const mesh::local_partition& own, int numbers) {
  std::vector<request> requests;
  for (const coarse_face& f : faces.coarse_faces()) {
    for (const int fine : f.fine) {
      const int owner = own.owner(fine);
      if (owner == context.ranks()->rank()) continue;
      requests.push_back({owner, key_of_face(fine, f.face ^ 1), {{0, numbers}}});
    }
  }
  return {context, name, std::make_shared<const communication_plan>(context, std::move(requests)), 1, 0};
}

}  // namespace rednova::exchange
