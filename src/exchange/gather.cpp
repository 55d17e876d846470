#include "exchange/gather.hpp"

#include "core/check.hpp"

namespace rednova::exchange {

std::vector<std::byte> gather_bytes(exec::context& where, std::span<const std::byte> mine) {
  exec::transport* const ranks = where.ranks();
  if (ranks == nullptr || mine.empty()) return {mine.begin(), mine.end()};
  exec::profile::scope timed(where.times(), "gather");
  std::vector<std::byte> all(mine.size() * static_cast<std::size_t>(ranks->size()));
  exec::event done;
  ranks->start_gather_all(mine, all, done);
  ranks->wait(done);
  return all;
}

}  // namespace rednova::exchange
