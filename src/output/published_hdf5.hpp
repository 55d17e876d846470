// HDF5 files that appear only when they are whole and on the disk.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "output/hdf5.hpp"

namespace rednova::output {

/// Lets `fill` write a file of about so many bytes under another name, then gives it its name. Whatever goes wrong is
/// a core::user_error that says so and how to go on; nothing half-written stays, earlier files are untouched.
void write_published(const std::string& path, std::uint64_t bytes, const std::function<void(hdf5_file&)>& fill);

}  // namespace rednova::output
