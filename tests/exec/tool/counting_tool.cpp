// A library of Kokkos Tools that counts what it is told of, and writes that into the file that COUNTING_TOOL_FILE
// names, with its rank after a dot where a launcher gives it one.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <string>

namespace {

std::mutex guard;
std::map<std::string, long> begun;
std::map<std::uint64_t, std::string> open_now;
std::uint64_t next = 0;
long started = 0, ended = 0, strange = 0;

}  // namespace

extern "C" {

void kokkosp_init_library(int, std::uint64_t, std::uint32_t, void*) { ++started; }

void kokkosp_begin_parallel_for(const char* name, std::uint32_t, std::uint64_t* number) {
  const std::scoped_lock lock(guard);
  ++begun[name];
  *number = ++next;
  open_now[next] = name;
}

void kokkosp_end_parallel_for(std::uint64_t number) {
  const std::scoped_lock lock(guard);
  if (open_now.erase(number) == 1)
    ++ended;
  else
    ++strange;
}

void kokkosp_finalize_library() {
  std::string file = std::getenv("COUNTING_TOOL_FILE");
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"}) {
    const char* const rank = std::getenv(name);
    if (rank == nullptr) continue;
    file += std::string(".") + rank;
    break;
  }
  std::ofstream out(file);
  out << "started " << started << "\nended " << ended << "\nopen " << open_now.size() << "\nstrange " << strange
      << "\n";
  for (const auto& [name, count] : begun) out << count << " " << name << "\n";
}
}
