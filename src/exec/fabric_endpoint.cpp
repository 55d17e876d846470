// The only file that includes libfabric's headers; without them it says so.
#include "exec/fabric_endpoint.hpp"

#ifndef REDNOVA_LIBFABRIC

namespace rednova::exec {

std::unique_ptr<fabric_endpoint> fabric_endpoint::open(const std::string& /*provider*/, std::string& reason) {
  reason = "this program was built without libfabric (Debian: libfabric-dev)";
  return nullptr;
}

}  // namespace rednova::exec

#else

#include <fmt/format.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>

#include <array>
#include <cstring>
#include <deque>

#include "core/check.hpp"
#include "exec/shared_library.hpp"

namespace rednova::exec {

namespace {

/// The functions of libfabric that are symbols; all others are called through its objects.
struct library {
  decltype(&::fi_getinfo) getinfo;
  decltype(&::fi_freeinfo) freeinfo;
  decltype(&::fi_dupinfo) dupinfo;
  decltype(&::fi_fabric) fabric;
  decltype(&::fi_strerror) text;

  static const library* open(std::string& reason) {
    static const shared_library file({"libfabric.so.1"});
    if (!file.open()) {
      reason = "libfabric.so.1 is not on this machine";
      return nullptr;
    }
    static const library all{load<decltype(getinfo)>(file, "fi_getinfo"), load<decltype(freeinfo)>(file, "fi_freeinfo"),
                             load<decltype(dupinfo)>(file, "fi_dupinfo"), load<decltype(fabric)>(file, "fi_fabric"),
                             load<decltype(text)>(file, "fi_strerror")};
    return &all;
  }

 private:
  template <class Function>
  static Function load(const shared_library& from, const char* name) {
    Function found = nullptr;
    if (!from.find(name, found)) core::fail("{} has no {}", from.name(), name);
    return found;
  }
};

struct close_object {
  template <class Object>
  void operator()(Object* o) const {
    fi_close(&o->fid);
  }
};
template <class Object>
using owned = std::unique_ptr<Object, close_object>;

struct free_info {
  const library* fabric;
  void operator()(fi_info* info) const { fabric->freeinfo(info); }
};
using owned_info = std::unique_ptr<fi_info, free_info>;

class memory final : public fabric_memory {
 public:
  owned<fid_mr> registration;
};

/// What the provider borrows until a write has ended (mode FI_CONTEXT2), with what is to be told then.
struct operation {
  fi_context2 context{};
  std::uint64_t tag = 0;
};

struct request {
  int rank;
  std::span<const std::byte> bytes;  ///< none: a notice
  void* descriptor;
  std::uint64_t address, key;
  std::uint32_t number;
  std::uint64_t tag;
};

class endpoint final : public fabric_endpoint {
 public:
  endpoint(const library& fabric, owned_info info);
  std::vector<std::byte> address() const override;
  void introduce(const std::vector<std::vector<std::byte>>& addresses) override;
  std::unique_ptr<fabric_memory> share(std::span<std::byte> bytes) override;
  void write(int rank, std::span<const std::byte> bytes, const fabric_memory& from, std::uint64_t address,
             std::uint64_t key, std::uint32_t number, std::uint64_t tag) override {
    issue({rank, bytes, fi_mr_desc(static_cast<const memory&>(from).registration.get()), address, key, number, tag});
  }
  void notify(int rank, std::uint64_t address, std::uint64_t key, std::uint32_t number) override {
    issue({rank, {}, nullptr, address, key, number, 0});
  }
  bool poll(const news& handle) override;

 private:
  void check(int code, const char* where) const {
    if (code < 0) core::fail("libfabric ({}): {}: {}", info_->fabric_attr->prov_name, where, fabric_.text(-code));
  }
  void issue(const request& r) {
    if (!delayed_.empty() || !begin(r)) delayed_.push_back(r);
  }
  bool begin(const request& r);
  [[noreturn]] void failed();

  const library& fabric_;
  // In the order in which they are made: each needs those before it.
  owned_info info_;
  std::deque<operation> operations_;  // never move; lent to the endpoint until it is closed
  owned<fid_fabric> network_;
  owned<fid_domain> domain_;
  owned<fid_av> ranks_;
  owned<fid_cq> completions_;
  owned<fid_ep> endpoint_;
  std::vector<fi_addr_t> addresses_;
  std::vector<operation*> free_;
  std::deque<request> delayed_;
};

endpoint::endpoint(const library& fabric, owned_info info) : fabric_(fabric), info_(std::move(info)) {
  fid_fabric* network = nullptr;
  check(fabric.fabric(info_->fabric_attr, &network, nullptr), "fi_fabric");
  network_.reset(network);
  fid_domain* domain = nullptr;
  check(fi_domain(network, info_.get(), &domain, nullptr), "fi_domain");
  domain_.reset(domain);

  fi_av_attr of_ranks{};
  of_ranks.type = info_->domain_attr->av_type;
  fid_av* ranks = nullptr;
  check(fi_av_open(domain, &of_ranks, &ranks, nullptr), "fi_av_open");
  ranks_.reset(ranks);

  fi_cq_attr of_completions{};
  of_completions.format = FI_CQ_FORMAT_DATA;
  of_completions.wait_obj = FI_WAIT_NONE;
  of_completions.size = info_->tx_attr->size + info_->rx_attr->size;
  fid_cq* completions = nullptr;
  check(fi_cq_open(domain, &of_completions, &completions, nullptr), "fi_cq_open");
  completions_.reset(completions);

  fid_ep* ep = nullptr;
  check(fi_endpoint(domain, info_.get(), &ep, nullptr), "fi_endpoint");
  endpoint_.reset(ep);
  check(fi_ep_bind(ep, &ranks->fid, 0), "fi_ep_bind");
  check(fi_ep_bind(ep, &completions->fid, FI_TRANSMIT | FI_RECV), "fi_ep_bind");
  check(fi_enable(ep), "fi_enable");
}

std::vector<std::byte> endpoint::address() const {
  std::size_t length = 0;
  fi_getname(&endpoint_->fid, nullptr, &length);
  std::vector<std::byte> name(length);
  check(fi_getname(&endpoint_->fid, name.data(), &length), "fi_getname");
  return name;
}

void endpoint::introduce(const std::vector<std::vector<std::byte>>& addresses) {
  addresses_.assign(addresses.size(), FI_ADDR_UNSPEC);
  for (std::size_t r = 0; r < addresses.size(); ++r) {
    const int inserted = fi_av_insert(ranks_.get(), addresses[r].data(), 1, &addresses_[r], 0, nullptr);
    if (inserted != 1) core::fail("libfabric ({}): rank {} cannot be addressed", info_->fabric_attr->prov_name, r);
  }
}

std::unique_ptr<fabric_memory> endpoint::share(std::span<std::byte> bytes) {
  auto shared = std::make_unique<memory>();
  fid_mr* registration = nullptr;
  // A provider that does not choose keys (FI_MR_PROV_KEY) is given different ones.
  static std::uint64_t next_key = 1;
  check(fi_mr_reg(domain_.get(), bytes.data(), bytes.size(), FI_WRITE | FI_REMOTE_WRITE, 0, next_key++, 0,
                  &registration, nullptr),
        "fi_mr_reg");
  shared->registration.reset(registration);
  if ((info_->domain_attr->mr_mode & FI_MR_ENDPOINT) != 0) {
    check(fi_mr_bind(registration, &endpoint_->fid, 0), "fi_mr_bind");
    check(fi_mr_enable(registration), "fi_mr_enable");
  }
  shared->key = fi_mr_key(registration);
  const bool virtual_addresses = (info_->domain_attr->mr_mode & FI_MR_VIRT_ADDR) != 0;
  shared->address = virtual_addresses ? reinterpret_cast<std::uint64_t>(bytes.data()) : 0;
  return shared;
}

bool endpoint::begin(const request& r) {
  const fi_addr_t to = addresses_[static_cast<std::size_t>(r.rank)];
  if (r.bytes.empty()) {
    static constexpr std::array<std::byte, 8> nothing{};
    const auto code =
        fi_inject_writedata(endpoint_.get(), nothing.data(), nothing.size(), r.number, to, r.address, r.key);
    if (code == -FI_EAGAIN) return false;
    check(static_cast<int>(code), "fi_inject_writedata");
    return true;
  }
  if (free_.empty()) free_.push_back(&operations_.emplace_back());
  operation* const o = free_.back();
  o->tag = r.tag;
  const auto code = fi_writedata(endpoint_.get(), r.bytes.data(), r.bytes.size(), r.descriptor, r.number, to, r.address,
                                 r.key, &o->context);
  if (code == -FI_EAGAIN) return false;
  check(static_cast<int>(code), "fi_writedata");
  free_.pop_back();
  return true;
}

bool endpoint::poll(const news& handle) {
  std::array<fi_cq_data_entry, 16> entries;
  const auto count = fi_cq_read(completions_.get(), entries.data(), entries.size());
  if (count == -FI_EAVAIL) failed();
  if (count < 0 && count != -FI_EAGAIN) check(static_cast<int>(count), "fi_cq_read");
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const fi_cq_data_entry& e = entries[static_cast<std::size_t>(i)];
    if ((e.flags & FI_REMOTE_CQ_DATA) != 0) {
      handle.written(static_cast<std::uint32_t>(e.data));
    } else {
      auto* const o = static_cast<operation*>(e.op_context);
      free_.push_back(o);
      handle.sent(o->tag);
    }
  }
  while (!delayed_.empty() && begin(delayed_.front())) delayed_.pop_front();
  return count > 0;
}

void endpoint::failed() {
  fi_cq_err_entry error{};
  fi_cq_readerr(completions_.get(), &error, 0);
  core::fail("libfabric ({}): a message failed: {}; a rank or the network is lost", info_->fabric_attr->prov_name,
             fabric_.text(error.err));
}

}  // namespace

std::unique_ptr<fabric_endpoint> fabric_endpoint::open(const std::string& provider, std::string& reason) {
  const library* const fabric = library::open(reason);
  if (fabric == nullptr) return nullptr;
  const owned_info hints(fabric->dupinfo(nullptr), free_info{fabric});
  hints->caps = FI_MSG | FI_RMA;
  // What this code does for providers that need it.
  hints->mode = FI_CONTEXT | FI_CONTEXT2;
  hints->ep_attr->type = FI_EP_RDM;
  hints->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
  hints->domain_attr->threading = FI_THREAD_DOMAIN;
  hints->domain_attr->cq_data_size = sizeof(std::uint32_t);
  hints->fabric_attr->prov_name = ::strdup(provider.c_str());  // freed with the hints
  fi_info* found = nullptr;
  const int code = fabric->getinfo(FI_VERSION(1, 9), nullptr, nullptr, 0, hints.get(), &found);
  if (code != 0) {
    reason = fmt::format("libfabric has no provider {} here that can write with remote completion data ({})", provider,
                         fabric->text(-code));
    return nullptr;
  }
  return std::make_unique<endpoint>(*fabric, owned_info(found, free_info{fabric}));
}

}  // namespace rednova::exec

#endif
