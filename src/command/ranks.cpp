#include "command/ranks.hpp"

#include "command/evolve.hpp"
#include "core/check.hpp"
#include "exchange/collective_error.hpp"
#include "exec/mpi_session.hpp"

namespace rednova::command {

int on_ranks(const job& what, const std::function<void()>& read,
             const std::function<int(exec::context&, exec::transport&)>& body) {
  try {
    expect_counters_possible(what);
    read();
  } catch (const core::user_error&) {
    if (exec::rank_of_process() > 0) return user_mistake;
    throw;
  }
  const std::unique_ptr<exec::transport> ranks = exec::transport::connect(what.transport);
  exec::context context(threads_of(what), *ranks);
  try {
    const int code = body(context, *ranks);
    ranks->process_ends_with(code);
    return code;
  } catch (const exchange::collective_error&) {
    if (context.leads()) throw;
    return user_mistake;
  }
}

}  // namespace rednova::command
