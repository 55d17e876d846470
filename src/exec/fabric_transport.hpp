// Mailboxes over one-sided writes of libfabric.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "exec/array.hpp"
#include "exec/fabric_endpoint.hpp"
#include "exec/transport.hpp"

namespace rednova::exec {

/// A post is one write (fi_writedata) into the peer's buffer, whose number tells the peer which message came. A buffer
/// is written again only after its reader has given it back: a release is a notice to the sender, and writable() means
/// that the own memory is free and that the notice has come. Addresses and keys travel over MPI when a mailbox is
/// opened; so do the collective functions.
class fabric_transport : public transport {
 public:
  /// @param provider "" chooses: shm if all ranks are on one machine, else the best network there is
  fabric_transport(std::shared_ptr<mpi_session> session, double patience, std::string provider);
  ~fabric_transport() override;
  /// @throws core::user_error if this machine does not have the provider
  static void expect_provider(const std::string& provider);
  std::string describe() const override;

 protected:
  void begin() override;
  bool poll() override;
  void opening(mailbox& box, std::vector<postcard>& mine) override;
  void closing(mailbox& box) override;
  void send(mailbox& box, channel& c, std::size_t slot) override;
  void receive(mailbox& box, channel& c, std::size_t slot) override;
  // The end of the write, and the notice.
  int arrivals_until_writable() const override { return 2; }

 private:
  struct open_box {
    std::unique_ptr<fabric_memory> outgoing, incoming;
    std::vector<std::uint32_t> lines;  // by channel
  };
  /// One's own end of a channel.
  struct line {
    channel* end = nullptr;
    std::uint32_t owed = 0;  ///< notices that have not been given, as bits of the number
  };
  void written(std::uint32_t number);
  void give_notices();
  std::uint32_t own_number(const mailbox& box, const channel& c) const;

  std::string provider_;
  std::unique_ptr<fabric_endpoint> endpoint_;
  // Where notices are written to, which say nothing but their number.
  array<std::byte> doorbell_;
  std::unique_ptr<fabric_memory> shared_doorbell_;
  struct doorbell {
    std::uint64_t address, key;
  };
  std::vector<doorbell> doorbells_;  // by rank
  std::map<int, open_box> boxes_;    // by number
  std::vector<line> lines_;          // by what peers call them
  std::vector<std::uint32_t> free_lines_;
  std::vector<std::uint32_t> owing_;  // lines with notices to give
  std::chrono::steady_clock::time_point owing_since_;
};

}  // namespace rednova::exec
