#include "output/numbered_files.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "sample.hpp"

namespace rednova::output {

using numbered = in_directory;

TEST_F(numbered, files_come_by_number_and_nothing_else_is_one) {
  for (const char* name :
       {"checkpoint_1000000.h5", "checkpoint_999999.h5", "checkpoint_000007.h5", "checkpoint_.h5", "checkpoint_7x.h5",
        "checkpoint_-00007.h5", "checkpoint_000007.h5.part", "old_checkpoint_000007.h5", "checkpoint_ 00007.h5",
        "slices_000007.h5", "checkpoint.h5", "checkpoint_99999999999999999999.h5"})
    std::ofstream(file(name)) << "x";
  EXPECT_THAT(numbered_files(directory.string(), "checkpoint", ".h5"),
              testing::ElementsAre(numbered_file{7, file("checkpoint_000007.h5")},
                                   numbered_file{999999, file("checkpoint_999999.h5")},
                                   numbered_file{1000000, file("checkpoint_1000000.h5")}));
  EXPECT_TRUE(numbered_files(file("nowhere"), "checkpoint", ".h5").empty());
}

}  // namespace rednova::output
