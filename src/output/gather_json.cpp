#include "output/gather_json.hpp"

#include <cstddef>
#include <string>

namespace rednova::output {

std::vector<nlohmann::ordered_json> gather_json(exec::transport& ranks, const nlohmann::ordered_json& mine) {
  const std::string text = mine.dump();
  std::vector<std::vector<std::byte>> messages(static_cast<std::size_t>(ranks.size()));
  const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
  messages[0].assign(begin, begin + text.size());
  const std::vector<std::vector<std::byte>> got = ranks.exchange(std::move(messages));
  std::vector<nlohmann::ordered_json> all;
  if (ranks.rank() != 0) return all;
  for (const auto& bytes : got) {
    const auto* const words = reinterpret_cast<const char*>(bytes.data());
    all.push_back(nlohmann::ordered_json::parse(words, words + bytes.size()));
  }
  return all;
}

}  // namespace rednova::output
