// Contracts at a module's door, and the error that a user can act upon.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace rednova::core {

/// Something that the user can mend (input, file, disk): printed as it is, exit code 2.
class user_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws user_error with a formatted message that names the place and the remedy.
template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> message, Args&&... args) {
  throw user_error(fmt::format(message, std::forward<Args>(args)...));
}

[[noreturn]] inline void contract_broken(const char* kind, const char* condition, const char* file, int line) {
  throw std::logic_error(fmt::format("{}:{}: {} broken: {}", file, line, kind, condition));
}

}  // namespace rednova::core

/// What a caller owes (checked in every build: used at doors, never in inner loops).
#define EXPECT(condition) \
  (static_cast<bool>(condition) ? void(0) : ::rednova::core::contract_broken("EXPECT", #condition, __FILE__, __LINE__))
/// What a callee owes.
#define ENSURE(condition) \
  (static_cast<bool>(condition) ? void(0) : ::rednova::core::contract_broken("ENSURE", #condition, __FILE__, __LINE__))
