// What the two halves of hdf5_file, writing and reading, share of the library.
#pragma once

#include <hdf5.h>

#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

namespace rednova::output::library {

static_assert(sizeof(hid_t) == sizeof(std::int64_t));

/// An identifier of the library, released when it goes.
class handle {
 public:
  handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  handle(const handle&) = delete;
  handle& operator=(const handle&) = delete;
  ~handle() {
    if (id_ >= 0) close_(id_);
  }
  hid_t id() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

template <class T>
hid_t memory_type() {
  if constexpr (std::same_as<T, double>) {
    return H5T_NATIVE_DOUBLE;
  } else if constexpr (std::same_as<T, std::int64_t>) {
    return H5T_NATIVE_INT64;
  } else {
    return H5T_NATIVE_UINT64;
  }
}

/// How many points a lattice of such extents has.
std::uint64_t product(const std::vector<std::uint64_t>& shape);

/// The system's reason for the last failure, from the library's error stack; empty where it gives none.
std::string reason();

/// The library prints its error stack unless told not to; the messages here say more to a user.
void silence();

/// Text of any length, as attributes have it.
hid_t text_type();

}  // namespace rednova::output::library
