#include "output/process_load.hpp"

#include <sys/resource.h>

#include <fstream>
#include <sstream>
#include <string>

namespace rednova::output {

namespace {

double seconds(const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); }

/// Lines "Name:  number …" of /proc/self/status.
void read_status(process_load& load) {
  constexpr double kibibyte = 1024;
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    double number = 0;
    if (!(words >> name >> number)) continue;
    if (name == "VmRSS:") load.resident = kibibyte * number;
    if (name == "VmHWM:") load.high_water = kibibyte * number;
    if (name == "Threads:") load.threads = static_cast<int>(number);
  }
}

/// Of a device's numbers the first are the bytes received, the ninth those sent.
double network_bytes() {
  constexpr int received = 0, sent = 8;
  std::ifstream file("/proc/net/dev");
  double sum = 0;
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos || line.find_first_not_of(' ') == line.find("lo:")) continue;
    std::istringstream numbers(line.substr(colon + 1));
    double number = 0;
    for (int column = 0; column <= sent && numbers >> number; ++column)
      if (column == received || column == sent) sum += number;
  }
  return sum;
}

}  // namespace

process_load read_process_load() {
  process_load load;
  rusage used{};
  if (getrusage(RUSAGE_SELF, &used) == 0) load.processor = seconds(used.ru_utime) + seconds(used.ru_stime);
  read_status(load);
  load.network = network_bytes();
  return load;
}

}  // namespace rednova::output
