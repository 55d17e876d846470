// Files that are either whole or not there, also after a crash.
#pragma once

#include <string>

namespace rednova::output {

/// Waits until the file's content is on the disk, gives it its final name, and waits until the name is too.
/// Throws core::user_error with the system's reason; the file of that name, if any, is then untouched.
void publish(const std::string& written, const std::string& name);

/// What the system says of an errno, and what a user can do about it.
std::string reason(int error);

/// Makes a run's directory and its parents where they are not there.
void make_directory(const std::string& directory);

/// Writes a text file under another name and publishes it.
void write_file(const std::string& path, const std::string& text);

/// The same without waiting for the disk: whole if the program is killed, but not if the machine is. For files that are
/// written often.
void replace_file(const std::string& path, const std::string& text);

}  // namespace rednova::output
