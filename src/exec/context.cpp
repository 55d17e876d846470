#include "exec/for_each.hpp"
#include "exec/transport.hpp"

namespace rednova::exec {

context::context(int threads, transport& ranks) : context(threads) {
  leads_ = ranks.rank() == 0;
  if (ranks.size() == 1) return;
  ranks_ = &ranks;
  polled_ = &ranks;
}

}  // namespace rednova::exec
