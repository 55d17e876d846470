#include "output/durable.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "core/check.hpp"

namespace rednova::output {
namespace {

const char* remedy(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "; make room there, or name another directory (--out)";
    case EACCES:
    case EPERM:
    case EROFS:
      return "; name a directory in which you may write (--out), or change its permissions";
    default:
      return "";
  }
}

/// Syncs a file or a directory.
void sync(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = fd >= 0 && ::fsync(fd) == 0;
  const int error = errno;
  if (fd >= 0) ::close(fd);
  if (!synced) core::fail("{}: cannot be brought to the disk: {}", path, reason(error));
}

/// Writes path.part and gives its name.
std::string write_part(const std::string& path, const std::string& text) {
  std::string part = path + ".part";
  std::FILE* out = std::fopen(part.c_str(), "w");
  if (!out) core::fail("{}: cannot be written: {}", path, reason(errno));
  const bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  const bool closed = std::fclose(out) == 0;
  if (!written || !closed) {
    const int error = errno;
    ::unlink(part.c_str());
    core::fail("{}: cannot be written: {}", path, reason(error));
  }
  return part;
}

/// Gives what was written its final name.
void rename_part(const std::string& written, const std::string& name) {
  if (std::rename(written.c_str(), name.c_str()) != 0) {
    core::fail("{}: cannot be renamed to {}: {}", written, name, reason(errno));
  }
}

}  // namespace

std::string reason(int error) { return std::string(std::strerror(error)) + remedy(error); }

void publish(const std::string& written, const std::string& name) {
  sync(written);
  rename_part(written, name);
  const std::string directory = std::filesystem::path(name).parent_path().string();
  sync(directory.empty() ? "." : directory);
}

void make_directory(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error)
    core::fail("{}: the run's directory cannot be made: {}; choose another with --out", directory, error.message());
}

void write_file(const std::string& path, const std::string& text) { publish(write_part(path, text), path); }

void replace_file(const std::string& path, const std::string& text) { rename_part(write_part(path, text), path); }

}  // namespace rednova::output
