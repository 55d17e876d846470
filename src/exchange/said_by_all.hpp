// An error that all ranks find at the same place.
#pragma once

#include "core/check.hpp"

namespace rednova::exchange {

/// Every rank throws it, with the same words: one of them may speak for all.
class said_by_all : public core::user_error {
 public:
  using user_error::user_error;
};

}  // namespace rednova::exchange
