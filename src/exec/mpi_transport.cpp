#include "exec/mpi_transport.hpp"

#include <fmt/format.h>

#include <utility>

namespace rednova::exec {

mpi_transport::mpi_transport(std::shared_ptr<mpi_session> session, double patience)
    : transport(std::move(session), patience) {}

mpi_transport::~mpi_transport() { all_end_well(); }

std::string mpi_transport::describe() const { return fmt::format("MPI ({})", engine().library()); }

bool mpi_transport::reads_devices() const { return engine().reads_devices() == 1; }

void mpi_transport::opened(mailbox& box) {
  for (channel& c : box.channels()) {
    for (std::size_t slot = 0; slot < 2 && c.with.receive_bytes > 0; ++slot) receive(box, c, slot);
  }
}

void mpi_transport::closing(mailbox& box) {
  for (channel& c : box.channels()) {
    for (int& operation : c.receiving) {
      if (operation >= 0) engine().cancel(std::exchange(operation, -1));
    }
  }
}

void mpi_transport::send(mailbox& box, channel& c, std::size_t slot) {
  count_sent(c);
  follow(engine().send(c.outgoing[slot], c.with.send_bytes, c.with.rank, tag_of(box)),
         [&c, slot] { c.writable[slot].arrive(); });
}

void mpi_transport::receive(mailbox& box, channel& c, std::size_t slot) {
  c.receiving[slot] = engine().receive(c.incoming[slot], c.with.receive_bytes, c.with.rank, tag_of(box));
  follow(c.receiving[slot], [this, &c, slot] {
    c.receiving[slot] = -1;
    arrive(c, slot);
  });
}

}  // namespace rednova::exec
