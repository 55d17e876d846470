// Tables on disk: read when they are there and whole, made otherwise.
#include "eos/stellar_cache.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace rednova;
using ::testing::ElementsAre, ::testing::HasSubstr, ::testing::IsEmpty;
namespace fs = std::filesystem;

class stellar_cache : public ::testing::Test {
 protected:
  stellar_cache() {
    std::string name = (fs::temp_directory_path() / "stellar_cache_XXXXXX").string();
    directory = ::mkdtemp(name.data());
  }
  ~stellar_cache() override { fs::remove_all(directory); }

  /// A table that takes no time.
  static eos::stellar_parameters small() {
    eos::stellar_parameters p;
    p.hydrogen_tables = 1;
    p.density_min = -9;
    p.density_split = -8;
    p.density_max = -7;
    p.energy_min = 11;
    p.energy_max = 13;
    p.thin_rows = p.thin_columns = p.dense_rows = p.dense_columns = 4;
    return p;
  }
  /// Coefficients through the cache; notes what is told, and whether the table was made.
  std::vector<double> table(const std::string& where) {
    said.clear();
    rows_made = 0;
    return eos::cached_stellar_table(
               small(), where, threads, [&](std::string_view text) { said.emplace_back(text); },
               [&](double part) {
                 ++rows_made;
                 EXPECT_GT(part, last_part);
                 last_part = part < 1 ? part : 0;
               })
        .coefficients();
  }
  std::string only_file() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(directory)) all.push_back(entry.path().string());
    EXPECT_EQ(all.size(), 1u);
    return all.at(0);
  }

  std::string directory;
  exec::context threads{2};
  std::vector<std::string> said;
  int rows_made = 0;
  double last_part = 0;
};

TEST_F(stellar_cache, made_once) {
  const auto first = table(directory);
  EXPECT_EQ(rows_made, 18);  // two parts of one decade with four nodes, and four that overlap
  EXPECT_THAT(said, IsEmpty());
  EXPECT_EQ(only_file(), eos::cache_file(directory, small()));
  EXPECT_EQ(table(directory), first);
  EXPECT_EQ(rows_made, 0);
  EXPECT_THAT(said, IsEmpty());
}

TEST_F(stellar_cache, others_may_read_it) {
  table(directory);
  EXPECT_EQ(fs::status(only_file()).permissions() & fs::perms::all, static_cast<fs::perms>(0644));
}

/// 1 - 0.8 - 0.2 is less than zero in floating point.
TEST_F(stellar_cache, helium_may_be_nothing_by_rounding) {
  eos::stellar_parameters p = small();
  p.hydrogen_min = p.hydrogen_max = 0;
  p.carbon = 0.8;
  p.oxygen = 0.2;
  EXPECT_LT(1.0 - p.carbon - p.oxygen, 0);
  EXPECT_EQ(p.at(0).helium, 0);
  EXPECT_NO_THROW(eos::stellar_table(p, threads));
}

TEST_F(stellar_cache, each_parameter_has_its_file) {
  auto other = small();
  other.energy_max = 13.5;
  EXPECT_NE(eos::cache_file(directory, other), eos::cache_file(directory, small()));
}

TEST_F(stellar_cache, damage_is_mended) {
  const auto first = table(directory);
  const std::string file = only_file();
  const auto size = static_cast<std::streamoff>(fs::file_size(file));
  for (const std::streamoff place : {std::streamoff{0}, std::streamoff{40}, size / 2, size - 1}) {
    {
      std::fstream open(file, std::ios::in | std::ios::out | std::ios::binary);
      open.seekg(place);
      const char was = static_cast<char>(open.get());
      open.seekp(place);
      open.put(static_cast<char>(was ^ 4));
    }
    EXPECT_EQ(table(directory), first) << place;
    EXPECT_EQ(rows_made, 18) << place;
    EXPECT_THAT(said, ElementsAre(HasSubstr(file))) << place;
    EXPECT_EQ(table(directory), first) << place;
    EXPECT_EQ(rows_made, 0) << place;
  }
  fs::resize_file(file, static_cast<std::uintmax_t>(size / 3));
  EXPECT_EQ(table(directory), first);
  EXPECT_THAT(said, ElementsAre(HasSubstr("it ends early")));
  EXPECT_EQ(table(directory), first);
  EXPECT_EQ(rows_made, 0);
}

/// Where there is a file in the place of a directory not even root can write.
TEST_F(stellar_cache, directory_that_cannot_be_written) {
  const auto first = table(directory);
  const std::string no_directory = only_file() + "/cache";
  EXPECT_EQ(table(no_directory), first);
  EXPECT_EQ(rows_made, 18);
  EXPECT_THAT(said, ElementsAre(HasSubstr("cannot be kept")));
}

TEST_F(stellar_cache, no_cache) {
  EXPECT_FALSE(table("").empty());
  EXPECT_THAT(said, IsEmpty());
  EXPECT_TRUE(fs::is_empty(directory));
}

/// What each of the processes below does; alone it uses the test's directory.
TEST_F(stellar_cache, one_process) {
  const char* const shared = std::getenv("REDNOVA_TEST_CACHE");
  EXPECT_FALSE(table(shared != nullptr ? shared : directory).empty());
  EXPECT_THAT(said, IsEmpty());
}

/// Four processes at once, several times: none is told of anything, and one file is left.
TEST_F(stellar_cache, processes_at_once) {
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  const std::string one =
      "REDNOVA_TEST_CACHE='" + directory + "' '" + self + "' --gtest_filter=stellar_cache.one_process > /dev/null & ";
  for (int n = 0; n < 3; ++n) {
    const std::string all = one + "a=$!; " + one + "b=$!; " + one + "c=$!; " + one;
    EXPECT_EQ(std::system((all + "wait $! && wait $a && wait $b && wait $c").c_str()), 0);
    fs::remove(only_file());
  }
}

TEST_F(stellar_cache, default_directory) {
  const char* const home = std::getenv("HOME");
  const std::string before = home != nullptr ? home : "";
  ::setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(eos::default_cache_directory(), "/somewhere/rednova");
  ::setenv("XDG_CACHE_HOME", "not/absolute", 1);
  ::setenv("HOME", "/home/of/somebody", 1);
  EXPECT_EQ(eos::default_cache_directory(), "/home/of/somebody/.cache/rednova");
  ::unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(eos::default_cache_directory(), "/home/of/somebody/.cache/rednova");
  ::unsetenv("HOME");
  EXPECT_EQ(eos::default_cache_directory(), "");
  if (!before.empty()) ::setenv("HOME", before.c_str(), 1);
}

}  // namespace
