// Any file in place of a snapshot or a checkpoint: what is read of it has its kind and size, or there is a user_error.
//
// The bytes are a file; or, behind a zero, say of which kind and size the objects of a sound and sealed file are. A
// seal on other bytes would test the library, which is known to fall over some (output/seal.hpp).
#include <hdf5.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "core/check.hpp"
#include "output/hdf5.hpp"

namespace {

using namespace rednova;

constexpr std::array attributes{"version", "checksum", "species", "OutputDatasetNames", "time", "step"};

template <class F>
void attempt(const F& f) {
  try {
    f();
  } catch (const core::user_error&) {
    // Said to the user.
  }
}

/// A type of values by a number.
hid_t type_of(std::uint8_t number) {
  const hid_t text = H5Tcopy(H5T_C_S1);
  switch (number % 7) {
    case 0:
      return H5Tcopy(H5T_NATIVE_DOUBLE);
    case 1:
      return H5Tcopy(H5T_NATIVE_INT64);
    case 2:
      return H5Tcopy(H5T_NATIVE_UINT8);
    case 3:
      H5Tset_size(text, 1 + number);
      return text;
    case 4:
      H5Tset_size(text, H5T_VARIABLE);
      return text;
    case 5:
      return H5Tcreate(H5T_OPAQUE, 1 + number);
    default:
      return H5Tcopy(H5T_NATIVE_FLOAT);
  }
}

/// A space by a number: nothing, one value, or a lattice, which may be wide where it takes no room.
hid_t space_of(std::uint8_t number, std::uint8_t length) {
  if (number % 8 == 0) return H5Screate(H5S_NULL);
  if (number % 8 < 4) return H5Screate(H5S_SCALAR);
  const hsize_t wide = number % 8 == 7 ? hsize_t{1} << (length % 60) : length;
  const std::vector<hsize_t> dims{wide, 2, static_cast<hsize_t>(number % 3), 2, 2};
  return H5Screate_simple(1 + number % 5, dims.data(), nullptr);
}

/// Writes a sound file whose objects have the names that are read, and kinds and sizes by the bytes.
void build(const std::string& path, const std::uint8_t* data, std::size_t size) {
  std::size_t at = 0;
  const auto next = [&] { return at < size ? data[at++] : std::uint8_t{0}; };
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  for (const char* name : {"/Info", "/Rednova", "/Params"}) H5Gclose(H5Gcreate2(file, name, 0, 0, 0));
  for (const char* name : {"/input", "/Rednova/input", "/leaves", "/u", "/ledger", "/prim_density", "/Levels"}) {
    const std::uint8_t kind = next(), shape = next();
    const hid_t type = type_of(kind), space = space_of(shape, next());
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (set >= 0) H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
  }
  for (const char* name : attributes) {
    const std::uint8_t kind = next(), shape = next();
    const hid_t type = type_of(kind), space = space_of(shape % 8 == 7 ? 0 : shape, next() % 16);
    const hid_t a = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (a >= 0) H5Aclose(a);
    H5Sclose(space);
    H5Tclose(type);
  }
  H5Fclose(file);
}

/// What the readers of checkpoints and snapshots ask of a file.
void read_all(const output::hdf5_file& file) {
  for (const char* name : {"/input", "/Rednova/input", "/leaves", "/Info"}) attempt([&] { file.read_text(name); });
  for (const char* name : {"/u", "/ledger", "/prim_density", "/leaves", "/input"}) {
    attempt([&] { file.read<double>(name); });
    attempt([&] { file.read<std::uint64_t>(name); });
    attempt([&] {
      std::vector<double> row(8);
      file.read_rows(name, 1, row);
    });
  }
  attempt([&] { file.read<std::int64_t>("/Levels"); });
  for (const char* object : {"/", "/Info", "/Rednova", "/Params"}) {
    for (const char* name : attributes) {
      attempt([&] { file.get_text(object, name); });
      attempt([&] { file.get_texts(object, name); });
      attempt([&] { file.get<double>(object, name); });
      attempt([&] { file.get<std::int64_t>(object, name); });
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  // A file of its own for each: the library knows files by their number, and keeps some that it could not close.
  std::string path = std::filesystem::temp_directory_path() / "rednova_fuzz_XXXXXX";
  const int file = ::mkstemp(path.data());
  if (file < 0) std::abort();
  if (data[0] == 0) {
    build(path, data + 1, size - 1);
    output::seal(path, {});
  } else if (::write(file, data, size) != static_cast<ssize_t>(size)) {
    std::abort();
  }
  ::close(file);
  attempt([&] {
    const output::hdf5_file in = output::hdf5_file::open(path);
    attempt([&] { check_rows(path, in.sealed()); });
    read_all(in);
  });
  ::unlink(path.c_str());
  return 0;
}
