// One-sided writes into the memory of other ranks, over libfabric.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rednova::exec {

/// Memory that others may write into and that may be written from, until it is destroyed.
class fabric_memory {
 public:
  virtual ~fabric_memory() = default;
  std::uint64_t key = 0;
  /// Where it begins, as others say it.
  std::uint64_t address = 0;
};

/// A reliable, connectionless endpoint (FI_EP_RDM) with one completion queue that is polled. One thread uses it.
///
/// libfabric is opened by dlopen when the first endpoint is made: programs that use none do not need it.
class fabric_endpoint {
 public:
  /// What a completion queue says.
  struct news {
    /// A write of another rank has come; its number.
    std::function<void(std::uint32_t)> written;
    /// An own write's memory may be used again; what was given with it.
    std::function<void(std::uint64_t)> sent;
  };

  /// @param provider as libfabric calls it, such as "shm" or "tcp;ofi_rxm"
  /// @return null, and the reason, if this machine does not have it
  static std::unique_ptr<fabric_endpoint> open(const std::string& provider, std::string& reason);

  fabric_endpoint() = default;
  fabric_endpoint(const fabric_endpoint&) = delete;
  fabric_endpoint& operator=(const fabric_endpoint&) = delete;
  virtual ~fabric_endpoint() = default;

  /// What others need to find this endpoint.
  virtual std::vector<std::byte> address() const = 0;
  /// Makes known those to whom is written, in the order of ranks.
  virtual void introduce(const std::vector<std::vector<std::byte>>& addresses) = 0;
  virtual std::unique_ptr<fabric_memory> share(std::span<std::byte> memory) = 0;
  /// Writes bytes of shared memory to an address of `rank`; `number` comes there after them, `tag` here.
  /// What the provider cannot take now goes out with later polls, in order.
  virtual void write(int rank, std::span<const std::byte> bytes, const fabric_memory& from, std::uint64_t address,
                     std::uint64_t key, std::uint32_t number, std::uint64_t tag) = 0;
  /// Writes eight bytes that mean nothing, with a number that does.
  virtual void notify(int rank, std::uint64_t address, std::uint64_t key, std::uint32_t number) = 0;
  /// True if there was something. @throws core::user_error if a write failed: its rank or the network is lost.
  virtual bool poll(const news& handle) = 0;
};

}  // namespace rednova::exec
