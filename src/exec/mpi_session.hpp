// MPI as a guest: found and opened when a launcher has started the process, and not needed otherwise.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exec/mpi/engine.hpp"

namespace rednova::exec {

/// What the environment says about who started this process.
struct launch {
  std::string launcher;               ///< for messages: "Open MPI's mpirun", …
  int ranks = 0;                      ///< 0 if the launcher does not say
  std::vector<std::string> flavours;  ///< of modules that understand it, the best first
};

/// Reads the variables of Open MPI, of Hydra (MPICH, Intel MPI, MVAPICH), of PMI (SLURM, PALS) and of PMIx.
/// @return nothing if no launcher started the process. A batch script is no launcher: srun within it is.
std::optional<launch> find_launch(const std::function<const char*(const char*)>& variable);

/// The launch that this process belongs to, by its environment.
/// @param requested as for mpi_session::open
/// @return nothing if no launcher started the process, or no MPI is asked for.
std::optional<launch> launch_of_process(const std::string& requested = "");

/// The rank that a launcher has given this process, before MPI says so; 0 if none has.
int rank_of_process();

/// MPI from its start to its end. One in a process.
class mpi_session {
 public:
  /// @param requested "" lets the launcher decide; the flavour of a module (openmpi, mpich, mpi), the path of a module,
  /// or
  ///   "none", which leaves MPI alone. Without one the variable REDNOVA_MPI is one.
  /// @return nothing if no launcher started the process, or no MPI is asked for.
  /// @throws core::user_error if there is no module for the launcher, or MPI does not start.
  static std::unique_ptr<mpi_session> open(const std::string& requested = "");

  mpi_session(const mpi_session&) = delete;
  mpi_session& operator=(const mpi_session&) = delete;
  /// Ends MPI. If an exception is on its way it ends all ranks when the process exits, since the others may wait for
  /// this one.
  ~mpi_session();

  const mpi::engine& engine() const { return *engine_; }
  /// From here the session ends as if by an exception.
  void give_up() { given_up_ = true; }
  /// The exit code of this process, should it have to end within the session's end.
  void process_ends_with(int code) { exit_code_ = code; }

 private:
  explicit mpi_session(const mpi::engine& e);
  const mpi::engine* engine_;
  int exceptions_;
  bool given_up_ = false;
  int exit_code_ = 0;
};

/// Flavours of the modules that are there.
std::vector<std::string> mpi_modules();

}  // namespace rednova::exec
