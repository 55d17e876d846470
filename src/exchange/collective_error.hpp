// An error that all ranks find at the same point of the program.
#pragma once

#include "core/check.hpp"

namespace rednova::exchange {

/// Every rank throws it, with the same words: one of them may speak for all.
class collective_error : public core::user_error {
 public:
  using user_error::user_error;
};

/// What f() gives. All ranks call it for the same result without messages, so what one finds wrong all find.
template <class F>
auto by_all(const F& f) {
  try {
    return f();
  } catch (const collective_error&) {
    throw;
  } catch (const core::user_error& e) {
    throw collective_error(e.what());
  }
}

}  // namespace rednova::exchange
