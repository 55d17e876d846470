#include "exec/for_each.hpp"
#include "exec/transport.hpp"

namespace rednova::exec {

context::context(int threads, transport& ranks) : context(threads) {
  leads_ = ranks.rank() == 0;
  if (ranks.size() == 1) return;
  ranks_ = &ranks;
  polled_ = &ranks;
  ranks.note_messages_in(&times_);
}

context::~context() {
  if (ranks_ != nullptr) ranks_->note_messages_in(nullptr);
}

}  // namespace rednova::exec
