// What the threads and devices of a context have noted in its trace.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "exec/run.hpp"

namespace rednova::exec {

struct noted {
  trace_record record;
  std::string name;
  int slot;
};
inline std::vector<noted> drained(context& c) {
  std::vector<noted> all;
  c.times().drain([&](int slot, std::span<const trace_record> records) {
    for (const trace_record& r : records) all.push_back({r, c.times().names(slot)[r.name], slot});
  });
  return all;
}

}  // namespace rednova::exec
