// Who started this process: read from the environment, which is all that a launcher leaves.
#include "exec/mpi_session.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

using namespace rednova;

namespace {

std::optional<exec::launch> found_in(const std::map<std::string, std::string>& environment) {
  return exec::find_launch([&](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

TEST(launch, needs_a_launcher) {
  EXPECT_FALSE(found_in({}));
  // The script of a batch job is one process, whatever it was given.
  EXPECT_FALSE(found_in({{"SLURM_JOB_ID", "1"}, {"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}}));
}

TEST(launch, knows_the_launchers_of_both_mpis) {
  const auto open = found_in({{"OMPI_COMM_WORLD_SIZE", "4"}, {"PMIX_RANK", "1"}});
  ASSERT_TRUE(open);
  EXPECT_EQ(open->ranks, 4);
  EXPECT_EQ(open->flavours.front(), "openmpi");
  const auto hydra = found_in({{"PMI_RANK", "2"}, {"PMI_SIZE", "3"}});
  ASSERT_TRUE(hydra);
  EXPECT_EQ(hydra->ranks, 3);
  EXPECT_EQ(hydra->flavours.front(), "mpich");
}

TEST(launch, takes_srun_for_a_launcher) {
  const auto pmix = found_in({{"PMIX_RANK", "0"}, {"SLURM_STEP_NUM_TASKS", "16"}});
  ASSERT_TRUE(pmix);
  EXPECT_EQ(pmix->ranks, 16);
  const auto unknown = found_in({{"PMIX_RANK", "0"}});
  ASSERT_TRUE(unknown);
  EXPECT_EQ(unknown->ranks, 0);
}

TEST(mpi_session, is_not_opened_without_a_launcher) { EXPECT_EQ(exec::mpi_session::open(), nullptr); }

}  // namespace
