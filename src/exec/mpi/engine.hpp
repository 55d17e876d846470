// The one door to MPI: a table of functions that a module fills in, compiled once for each MPI of the machine.
#pragma once

#include <cstddef>

namespace rednova::exec::mpi {

/// What the program asks of MPI. Only the thread that called start() calls any of it (MPI_THREAD_FUNNELED).
///
/// Operations that take time are begun by one call, which gives their number (0, 1, …; small, used again), and end in
/// test_some(). What they read and write stays in place until then. Negative results are errors: failure() says
/// which.
struct engine {
  static constexpr int current_version = 2;
  int version;

  int (*start)();            ///< 0, or negative
  const char* (*library)();  ///< name and version of this MPI
  const char* (*failure)();  ///< what the last negative result was about
  int (*rank)();
  int (*size)();
  /// 1 if send() and receive() take memory of a CUDA device too (this MPI says that it is "CUDA-aware"), else 0.
  int (*reads_devices)();

  int (*send)(const void* data, std::size_t bytes, int peer, int tag);
  /// A message of another length is an error of test_some().
  int (*receive)(void* data, std::size_t bytes, int peer, int tag);
  int (*barrier)();
  /// `bytes` of each rank, in the order of ranks.
  int (*gather_all)(const void* mine, std::size_t bytes, void* all);
  /// `bytes` from each rank to each.
  int (*swap_all)(const void* outgoing, std::size_t bytes, void* incoming);
  /// How many operations have ended; `ended` points to their numbers until an operation is begun or tested.
  int (*test_some)(const int** ended);
  /// Takes back a receive that nothing has matched; its number is free then.
  int (*cancel)(int operation);

  void (*abort)(int code);  ///< ends all ranks; does not return
  int (*finish)();          ///< after it, nothing
};

/// Tags are not larger than this on any MPI (MPI 4.0, section 9.1.2).
inline constexpr int highest_tag = 32767;

}  // namespace rednova::exec::mpi

/// The only name that a module exports.
extern "C" __attribute__((visibility("default"))) const rednova::exec::mpi::engine* rednova_mpi_engine();
