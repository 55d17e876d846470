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
#include <span>
#include <string>
#include <vector>

#include "core/check.hpp"
#include "output/hdf5.hpp"

namespace {

using namespace rednova;

// Few objects a file: readers do the same whatever the name, so more files show more than larger ones.
constexpr std::array sets{"/input", "/Rednova/input", "/leaves", "/u"};
constexpr std::array attributes{"version", "species", "time"};
constexpr std::array groups{"/Info", "/Rednova"};

template <class F>
void attempt(const F& f) {
  try {
    f();
  } catch (const core::user_error&) {
    // Said to the user.
  }
}

/// Closes an identifier of the library.
void done(hid_t id) {
  if (id >= 0) H5Idec_ref(id);
}

/// A type of values by a number.
hid_t type_of(std::uint8_t number) {
  const auto text = [](std::size_t length) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, length);
    return type;
  };
  switch (number % 7) {
    case 0:
      return H5Tcopy(H5T_NATIVE_DOUBLE);
    case 1:
      return H5Tcopy(H5T_NATIVE_INT64);
    case 2:
      return H5Tcopy(H5T_NATIVE_UINT8);
    case 3:
      return text(1 + number);
    case 4:
      return text(H5T_VARIABLE);
    case 5:
      return H5Tcreate(H5T_OPAQUE, 1 + number);
    default:
      return H5Tcopy(H5T_NATIVE_FLOAT);
  }
}

/// A wide extent: any power of two but for most of those that a reader takes for possible and that cost time.
hsize_t wide(std::uint8_t length) {
  const int power = length % 60;
  return hsize_t{1} << (power > 8 && power < 26 ? power % 9 : power);
}

/// A space by a number: nothing, one value, or a lattice, which may be wide where it takes no room.
hid_t space_of(std::uint8_t number, std::uint8_t length) {
  if (number % 8 == 0) return H5Screate(H5S_NULL);
  if (number % 8 < 4) return H5Screate(H5S_SCALAR);
  const hsize_t first = number % 8 == 7 ? wide(length) : length;
  const std::array<hsize_t, 5> dims{first, 2, static_cast<hsize_t>(number % 3), 2, 2};
  return H5Screate_simple(1 + number % 5, dims.data(), nullptr);
}

/// The library's ways, made once: what it frees it keeps for the next file (the tables of an open file are half a
/// megabyte), and a file goes to the disk in one piece when it is closed.
hid_t writing() {
  static const hid_t access = [] {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5set_free_list_limits(-1, -1, -1, -1, -1, -1);
    const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(list, 1 << 14, 1);
    return list;
  }();
  return access;
}

/// Where rows are said to lie in a file, by four numbers: none, or some that are in it, with a hash that is most likely
/// wrong.
std::vector<output::sealed_rows> rows_by(const std::array<std::uint8_t, 4>& numbers, std::uint64_t size) {
  const output::row_place place{8 * std::uint64_t{numbers[0]}, numbers[1], 8 * std::uint64_t{numbers[2]}};
  if (numbers[1] == 0 || place.end() > size) return {};
  return {{place, numbers[3] % 2 == 0 ? output::hash_of_rows({}) : numbers[3]}};
}

/// Writes a sound and sealed file whose objects have the names that are read, and kinds and sizes by the bytes.
void build(const std::string& path, const std::uint8_t* data, std::size_t size) {
  std::size_t at = 0;
  const auto next = [&] { return at < size ? data[at++] : std::uint8_t{0}; };
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, writing());
  for (const char* name : groups) done(H5Gcreate2(file, name, 0, 0, 0));
  for (const char* name : sets) {
    const std::uint8_t kind = next(), shape = next();
    const hid_t type = type_of(kind), space = space_of(shape, next());
    done(H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    done(space);
    done(type);
  }
  const auto attribute = [&](const char* object, const char* name) {
    const std::uint8_t kind = next(), shape = next();
    const hid_t type = type_of(kind), space = space_of(shape % 8 == 7 ? 0 : shape, next() % 16);
    done(H5Acreate_by_name(file, object, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    done(space);
    done(type);
  };
  for (const char* name : attributes) attribute("/", name);
  attribute("/Info", attributes[next() % attributes.size()]);
  H5Fclose(file);
  const std::array numbers{next(), next(), next(), next()};
  output::seal(path, rows_by(numbers, std::filesystem::file_size(path)));
}

/// What the readers of checkpoints and snapshots ask of a file.
void read_all(const output::hdf5_file& file) {
  for (const char* name : {"/input", "/Rednova/input", "/Info"}) attempt([&] { file.read_text(name); });
  for (const char* name : {"/u", "/leaves", "/input"}) {
    attempt([&] { file.read<double>(name); });
    attempt([&] { file.read<std::uint64_t>(name); });
    attempt([&] {
      std::vector<double> row(8);
      file.read_rows(name, 1, row);
    });
  }
  attempt([&] { file.read<std::int64_t>("/leaves"); });
  attempt([&] {
    std::array<double, 8> numbers{};
    file.read<double>("/u", std::span<double>(numbers));
  });
  attempt([&] { file.read<double>("/missing"); });
  const auto ask = [&](const char* object, const char* name) {
    attempt([&] { file.get_text(object, name); });  // and get_texts
    attempt([&] { file.get<double>(object, name); });
    attempt([&] { file.get<std::int64_t>(object, name); });
    attempt([&] { file.get<std::uint64_t>(object, name); });
  };
  for (const char* name : attributes) ask("/", name);
  for (const char* name : attributes) {
    if (file.has_attribute("/Info", name)) ask("/Info", name);
  }
  attempt([&] { file.get_text("/Rednova", "missing"); });
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
