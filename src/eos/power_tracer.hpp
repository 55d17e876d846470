// The tracer of entropy of gas whose heat is a power of it, tau^gamma.
#pragma once

#include "exec/elementary.hpp"

namespace rednova::eos {

/// Whether heat may be less than half of tau^gamma: false where it surely is not. Takes no power. heat: not subnormal.
template <class T>
REDNOVA_FN auto may_be_colder(double gamma, const T& heat, const T& tau) {
  const T most = gamma * (exec::log2_below(tau) + exec::log2_below_by);  // of log2(tau^gamma)
  return (heat <= 0.0) || (most > 1.0 + exec::log2_below(heat));
}

}  // namespace rednova::eos
