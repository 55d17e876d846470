// Which transport a run gets.
#include "exec/fabric_transport.hpp"
#include "exec/mpi_transport.hpp"
#include "exec/transport.hpp"

namespace rednova::exec {

std::unique_ptr<transport> transport::connect(const transport_options& options) {
  return connect(options, mpi_session::open(options.mpi));
}

std::unique_ptr<transport> transport::connect(const transport_options& options, std::shared_ptr<mpi_session> session) {
  std::unique_ptr<transport> result;
  if (!session) {
    // One rank sends no messages, but the next run of this command may have more.
    if (!options.provider.empty()) fabric_transport::expect_provider(options.provider);
    result.reset(new transport(nullptr, options.patience));
    return result;
  }
  if (options.carrier == transport_options::kind::mpi) {
    result = std::make_unique<mpi_transport>(std::move(session), options.patience);
  } else {
    result = std::make_unique<fabric_transport>(std::move(session), options.patience, options.provider);
  }
  result->find_neighbours();
  result->begin();
  return result;
}

}  // namespace rednova::exec
