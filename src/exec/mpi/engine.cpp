// The only file that includes mpi.h. Compiled into librednova_mpi_<flavour>.so by the wrapper of each MPI.
#include "exec/mpi/engine.hpp"

#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>  // where it says what it was built with
#endif

#include <climits>
#include <string>
#include <vector>

namespace {

using rednova::exec::mpi::engine;

/// What was begun and has not ended; null requests are free numbers.
struct operations {
  std::vector<MPI_Request> requests;
  std::vector<MPI_Count> expected;  ///< bytes of a receive, else -1
  std::vector<int> free;
  // For MPI_Testsome, kept over the calls.
  std::vector<int> ended;
  std::vector<MPI_Status> status;
};

// A C table has no place for an object; a module is opened once in a process.
MPI_Comm world = MPI_COMM_NULL;
operations pending;
std::string failed;

int fail(const char* where, int code) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  failed = std::string(where) + ": " + text;
  return -1;
}

int take(const char* where, int code, MPI_Request request, MPI_Count expected) {
  if (code != MPI_SUCCESS) return fail(where, code);
  if (pending.free.empty()) {
    pending.free.push_back(static_cast<int>(pending.requests.size()));
    pending.requests.push_back(MPI_REQUEST_NULL);
    pending.expected.push_back(-1);
    pending.ended.push_back(0);
    pending.status.emplace_back();
  }
  const int number = pending.free.back();
  pending.free.pop_back();
  pending.requests[static_cast<std::size_t>(number)] = request;
  pending.expected[static_cast<std::size_t>(number)] = expected;
  return number;
}

/// So many bytes as a count of some type: MPI 3 counts in int.
class amount {
 public:
  explicit amount(std::size_t bytes) {
    if (bytes <= INT_MAX) {
      count = static_cast<int>(bytes);
      return;
    }
    constexpr std::size_t piece = 1 << 30;
    MPI_Datatype large = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(static_cast<int>(piece), MPI_BYTE, &large);
    const int lengths[] = {static_cast<int>(bytes / piece), static_cast<int>(bytes % piece)};
    const MPI_Aint places[] = {0, static_cast<MPI_Aint>(bytes - bytes % piece)};
    const MPI_Datatype types[] = {large, MPI_BYTE};
    MPI_Type_create_struct(2, lengths, places, types, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&large);
    count = 1;
  }
  amount(const amount&) = delete;
  amount& operator=(const amount&) = delete;
  ~amount() {
    if (type != MPI_BYTE) MPI_Type_free(&type);  // operations that were begun keep it
  }

  int count = 0;
  MPI_Datatype type = MPI_BYTE;
};

int start() {
  int provided = 0;
  const int code = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  if (code != MPI_SUCCESS) return fail("MPI_Init_thread", code);
  if (provided < MPI_THREAD_FUNNELED) {
    failed = "this MPI does not allow programs with threads";
    return -1;
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  return 0;
}

const char* library() {
  static std::string name;
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  name = text;
  name = name.substr(0, name.find_first_of(",\n"));
  for (char& c : name) {
    if (c == '\t') c = ' ';
  }
  return name.c_str();
}

const char* failure() { return failed.c_str(); }

int rank() {
  int r = 0;
  MPI_Comm_rank(world, &r);
  return r;
}

int size() {
  int n = 0;
  MPI_Comm_size(world, &n);
  return n;
}

int reads_devices() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)  // Open MPI
  return MPIX_CUDA_AWARE_SUPPORT != 0 && MPIX_Query_cuda_support() != 0 ? 1 : 0;
#elif defined(MPIX_GPU_SUPPORT_CUDA)  // MPICH and its kin
  int answer = 0;
  return MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &answer) == MPI_SUCCESS && answer != 0 ? 1 : 0;
#else
  return 0;
#endif
}

int send(const void* data, std::size_t bytes, int peer, int tag) {
  const amount n(bytes);
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_Isend(data, n.count, n.type, peer, tag, world, &request);
  return take("MPI_Isend", code, request, -1);
}

int receive(void* data, std::size_t bytes, int peer, int tag) {
  const amount n(bytes);
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_Irecv(data, n.count, n.type, peer, tag, world, &request);
  return take("MPI_Irecv", code, request, static_cast<MPI_Count>(bytes));
}

int barrier() {
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_Ibarrier(world, &request);
  return take("MPI_Ibarrier", code, request, -1);
}

int gather_all(const void* mine, std::size_t bytes, void* all) {
  const amount n(bytes);
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_Iallgather(mine, n.count, n.type, all, n.count, n.type, world, &request);
  return take("MPI_Iallgather", code, request, -1);
}

int swap_all(const void* outgoing, std::size_t bytes, void* incoming) {
  const amount n(bytes);
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_Ialltoall(outgoing, n.count, n.type, incoming, n.count, n.type, world, &request);
  return take("MPI_Ialltoall", code, request, -1);
}

int test_some(const int** numbers) {
  *numbers = pending.ended.data();
  const int all = static_cast<int>(pending.requests.size());
  if (static_cast<std::size_t>(all) == pending.free.size()) return 0;
  int count = 0;
  const int code = MPI_Testsome(all, pending.requests.data(), &count, pending.ended.data(), pending.status.data());
  if (count == MPI_UNDEFINED) count = 0;
  for (int i = 0; i < count; ++i) {
    const MPI_Status& s = pending.status[static_cast<std::size_t>(i)];
    if (code == MPI_ERR_IN_STATUS && s.MPI_ERROR != MPI_SUCCESS) return fail("MPI_Testsome", s.MPI_ERROR);
    const int number = pending.ended[static_cast<std::size_t>(i)];
    const MPI_Count expected = pending.expected[static_cast<std::size_t>(number)];
    MPI_Count came = 0;
    if (expected >= 0) MPI_Get_elements_x(&s, MPI_BYTE, &came);
    if (expected >= 0 && came != expected) {
      failed = "a message of " + std::to_string(came) + " bytes from rank " + std::to_string(s.MPI_SOURCE) +
               " came where " + std::to_string(expected) + " were expected";
      return -1;
    }
    pending.free.push_back(number);
  }
  if (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS) return fail("MPI_Testsome", code);
  return count;
}

int cancel(int operation) {
  MPI_Request& request = pending.requests[static_cast<std::size_t>(operation)];
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  pending.free.push_back(operation);
  return 0;
}

// Not the own communicator: MPICH 4.0 spins for ever then, if nothing is under way.
void abort(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

int finish() {
  MPI_Comm_free(&world);
  const int code = MPI_Finalize();
  return code == MPI_SUCCESS ? 0 : fail("MPI_Finalize", code);
}

constexpr engine table{engine::current_version,
                       start,
                       library,
                       failure,
                       rank,
                       size,
                       reads_devices,
                       send,
                       receive,
                       barrier,
                       gather_all,
                       swap_all,
                       test_some,
                       cancel,
                       abort,
                       finish};

}  // namespace

extern "C" const engine* rednova_mpi_engine() { return &table; }
