#include "command/ranks.hpp"

#include "command/evolve.hpp"
#include "core/check.hpp"
#include "exchange/collective_error.hpp"
#include "exec/attached_tool.hpp"
#include "exec/mpi_session.hpp"
#include "exec/profile.hpp"
#include "output/published_hdf5.hpp"

namespace rednova::command {

namespace {

/// Tells the user's library of Kokkos Tools of the phases, from the initial model on, for as long as it lives.
class tool_of_user {
 public:
  explicit tool_of_user(exec::profile& times) : times_(times), tool_(exec::attached_tool::from_environment()) {
    times_.attach(tool_.get());
  }
  tool_of_user(const tool_of_user&) = delete;
  tool_of_user& operator=(const tool_of_user&) = delete;
  ~tool_of_user() { times_.attach(nullptr); }

 private:
  exec::profile& times_;
  std::unique_ptr<exec::attached_tool> tool_;
};

/// What a rank finds wrong with its input; empty if nothing is.
std::string mistake_of(const job& what, const std::function<void()>& read) {
  try {
    expect_counters_possible(what);
    read();
  } catch (const core::user_error& e) {
    return e.what();
  }
  return {};
}

/// Null on ranks that are not to speak, where the ranks cannot be connected and `wrong` is what is said of it all.
/// @throws core::user_error `wrong` where there is something, rather than what the connection lacks
std::unique_ptr<exec::transport> connected(const job& what, const std::string& wrong) {
  try {
    return exec::transport::connect(what.transport);
  } catch (const core::user_error&) {
    if (wrong.empty()) throw;
  }
  if (exec::rank_of_process() > 0) return nullptr;
  throw core::user_error(wrong);
}

/// What the first rank with a mistake says; empty if there is none.
std::string said_for_all(exec::context& context, const std::string& wrong) {
  try {
    output::agree(context, wrong);
  } catch (const exchange::collective_error& e) {
    return e.what();
  }
  return {};
}

/// The run itself: what all ranks find wrong is said by the first.
int body_on_ranks(exec::context& context, exec::transport& ranks,
                  const std::function<int(exec::context&, exec::transport&)>& body) {
  try {
    const int code = body(context, ranks);
    ranks.process_ends_with(code);
    return code;
  } catch (const exchange::collective_error&) {
    if (context.leads()) throw;
    return user_mistake;
  }
}

}  // namespace

int on_ranks(const job& what, const std::function<void()>& read,
             const std::function<int(exec::context&, exec::transport&)>& body) {
  const std::string wrong = mistake_of(what, read);
  std::string said;
  {
    // A file may be missing where one rank runs and not where another does: then all end in order.
    const std::unique_ptr<exec::transport> ranks = connected(what, wrong);
    if (!ranks) return user_mistake;
    exec::context context(threads_of(what), *ranks);
    said = said_for_all(context, wrong);
    if (said.empty()) {
      if (!what.profiled) context.times().switch_to(exec::profile::detail::nothing);
      const tool_of_user tool(context.times());
      return body_on_ranks(context, *ranks, body);
    }
    ranks->process_ends_with(user_mistake);
    if (!context.leads()) return user_mistake;
  }
  throw core::user_error(said);
}

}  // namespace rednova::command
