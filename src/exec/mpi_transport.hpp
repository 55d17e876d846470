// Mailboxes over two-sided MPI.
#pragma once

#include <memory>
#include <string>

#include "exec/transport.hpp"

namespace rednova::exec {

/// A receive waits for each free buffer, so a message goes straight to its place; one for a buffer that was not
/// released waits in MPI. writable() means that MPI has taken the last message but one, not that the peer has read it.
class mpi_transport : public transport {
 public:
  explicit mpi_transport(std::shared_ptr<mpi_session> session, double patience);
  ~mpi_transport() override;
  std::string describe() const override;
  bool reads_devices() const override;

 protected:
  void opened(mailbox& box) override;
  void closing(mailbox& box) override;
  void send(mailbox& box, channel& c, std::size_t slot) override;
  void receive(mailbox& box, channel& c, std::size_t slot) override;
};

}  // namespace rednova::exec
