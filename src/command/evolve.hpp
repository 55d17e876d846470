// The part that a new run and a restart share: the loop with all its observers.
#pragma once

#include <memory>
#include <string>

#include "command/command.hpp"
#include "command/interruption.hpp"
#include "exec/for_each.hpp"
#include "output/profile_file.hpp"
#include "output/run_files.hpp"
#include "step/device.hpp"
#include "step/simulation.hpp"

namespace rednova::command {

/// While it lives SIGUSR1, which would end the program, asks for the rank's profile so far, which start_profile's file
/// prints. Of a run without a profile the signal says that there is none.
class profile_requests {
 public:
  explicit profile_requests(const job& what);

 private:
  answered_signal signal_;
};

/// The profile of a run in `directory`, kept up from now on, before its first step; null where the job wants none.
/// gpu: as for evolve.
std::unique_ptr<output::profile_file> start_profile(exec::context& context, const step::device* gpu,
                                                    const output::provenance& from, const std::string& directory,
                                                    const job& what);

/// Runs a prepared simulation to its end and returns the exit code: 128 + the signal's number after SIGINT,
/// SIGTERM or SIGHUP on any rank, which end the run with a checkpoint in `directory`. A second signal ends the program
/// at once. gpu: the device that carries out the steps, null if the cores do; profile: of start_profile.
int evolve(step::simulation& s, step::device* gpu, output::run_files& files, output::profile_file* profile,
           const output::provenance& from, const std::string& directory, const job& what);

/// A user_error where the file for the counters cannot be written: said before the run and not after it.
void expect_counters_possible(const job& what);

/// The number of threads that a job asks for, as exec::context takes it.
int threads_of(const job& what);
/// "1 thread", "2 threads".
std::string threads_text(int number);

}  // namespace rednova::command
