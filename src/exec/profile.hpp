// Wall time by phase: what the step spends where.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

namespace rednova::exec {

class profile {
 public:
  struct entry {
    double seconds = 0;
    std::int64_t calls = 0;
  };

  /// Adds the life time of this object to its phase.
  class scope {
   public:
    scope(profile& p, const char* phase) : entry_(p.entries_[phase]), start_(clock::now()) {}
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    ~scope() {
      entry_.seconds += std::chrono::duration<double>(clock::now() - start_).count();
      ++entry_.calls;
    }

   private:
    using clock = std::chrono::steady_clock;
    entry& entry_;
    clock::time_point start_;
  };

  const std::map<std::string, entry>& entries() const { return entries_; }
  void clear() { entries_.clear(); }

 private:
  std::map<std::string, entry> entries_;
};

}  // namespace rednova::exec
