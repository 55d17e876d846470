// What is read of the files of a trace: whole ones, damaged ones, and those of runs that were killed.
#include "trace/trace.hpp"

#include <algorithm>
#include <sstream>

#include "core/check.hpp"
#include "trace/critical_path.hpp"
#include "trace/load.hpp"
#include "trace/otf2_archive.hpp"
#include "traces_by_hand.hpp"

namespace rednova::trace::test {
namespace {

TEST_F(by_hand, messages_have_two_ends) {
  two_ranks();
  end(1);
  const trace t = read_trace(run);
  EXPECT_EQ(t.ranks, 2);
  EXPECT_EQ(t.version, "1.2");
  EXPECT_TRUE(t.complete);
  EXPECT_EQ(t.length, 8000) << "from the first record on";
  ASSERT_EQ(t.messages.size(), 1U);
  const trace_record &from = t.at(t.messages[0].from), &to = t.at(t.messages[0].to);
  EXPECT_EQ(from.start, 1100);
  EXPECT_EQ(to.start, 2000);
  EXPECT_EQ(from.bytes(), 4096U);
  EXPECT_EQ(t.name(from), "ghosts");
  ASSERT_EQ(t.steps.size(), 1U);
  EXPECT_EQ(t.steps[0].end, 8000);
  ASSERT_EQ(t.threads.size(), 2U);
  EXPECT_EQ(t.name(t.threads[0].records[0]), exec::phases::step) << "outer scopes come first";
}

TEST_F(by_hand, of_messages_of_one_number_the_nearest_belong_together) {
  begin(0, 2);
  const std::int64_t sent = trace_record::message_end(7, 64);
  records(0, {{1000, sent, 1, 0, 1, ghosts_name, kind::sent, 0}, {5000, sent, 2, 0, 1, ghosts_name, kind::sent, 0}});
  end(0);
  begin(1, 2);
  records(1, {{1200, sent, 1, 0, 0, ghosts_name, kind::received, 0},
              {5300, sent, 2, 0, 0, ghosts_name, kind::received, 0}});
  end(1);
  const trace t = read_trace(run);
  ASSERT_EQ(t.messages.size(), 2U);
  for (const message& m : t.messages) EXPECT_EQ(t.at(m.from).id, t.at(m.to).id);
}

TEST_F(by_hand, clocks_are_set_only_where_they_must_be) {
  // Rank 1 is a second ahead at the start, and 2 µs more at the end.
  constexpr std::int64_t ahead = 1'000'000'000;
  two_ranks(ahead);
  part(1, trace_part::clock, bytes_of(output::trace_part_clock{900, ahead + 1000, 1100}));
  part(1, trace_part::clock, bytes_of(output::trace_part_clock{9900, ahead + 10000 + 2000, 10100}));
  end(1);
  const trace set = read_trace(run);
  EXPECT_EQ(set.clocks[1].first, -ahead);
  EXPECT_EQ(set.clocks[1].last, -ahead - 2000);
  EXPECT_EQ(set.clocks[1].round_trip, 200);
  const trace_record& received = set.at(set.messages.at(0).to);
  EXPECT_EQ(received.start, 2000 - 363) << "2000 of 11000 ns after the first comparison: 4/22 of the drift";

  TearDown();
  SetUp();
  two_ranks();
  part(1, trace_part::clock, bytes_of(output::trace_part_clock{900, 1090, 1100}));
  end(1);
  EXPECT_EQ(read_trace(run).clocks[1].first, 0) << "it may be right";
}

TEST_F(by_hand, what_a_killed_run_has_left_can_be_read) {
  two_ranks();
  fs::resize_file(output::record_file(run, 1), fs::file_size(output::record_file(run, 1)) - 7);
  const trace t = read_trace(run);
  EXPECT_FALSE(t.complete);
  ASSERT_EQ(t.threads.size(), 2U);
  EXPECT_TRUE(t.threads[1].records.empty()) << "the part that broke off is left out";
}

TEST_F(by_hand, a_run_may_be_killed_before_its_first_record) {
  begin(0, 1);
  part(0, trace_part::clock, bytes_of(output::trace_part_clock{900, 2000, 1100}));
  const trace t = read_trace(run);
  EXPECT_FALSE(t.complete);
  EXPECT_EQ(t.length, 0);
  EXPECT_EQ(t.origins, std::vector<std::int64_t>{1000});
}

TEST_F(by_hand, ranks_whose_files_were_left_behind_are_named) {
  two_ranks();
  end(1);
  fs::remove(output::record_file(run, 1));
  const trace t = read_trace(run);
  EXPECT_EQ(t.ranks, 2);
  EXPECT_EQ(t.missing, std::vector{1});
  ASSERT_EQ(t.threads.size(), 2U);
  EXPECT_EQ(t.threads[0].records.size(), 6U);
  EXPECT_EQ(t.threads[1].rank, 1) << "so that the archive has a place for it";
  EXPECT_TRUE(t.messages.empty());
  write_archive(t, {}, output::trace_folder(run));
  EXPECT_FALSE(critical_path(t, causes(t), t.steps[0]).empty());
}

TEST_F(by_hand, ranks_are_of_one_start) {
  begin(0, 2);
  records(0, {{1000, 9000, 0, 0, -1, step_name, kind::work, 0}});
  end(0);
  started_ns = 2000;
  begin(1, 2);
  end(1);
  try {
    read_trace(run);
    FAIL();
  } catch (const core::user_error& e) {
    EXPECT_THAT(e.what(), HasSubstr("rank_00001.records: it is of another start"));
  }
}

// Each byte of a file: a length that has grown may lead beyond the end, as that of a run that was killed does.
TEST_F(by_hand, what_is_damaged_is_not_taken_for_whole) {
  two_ranks();
  end(1);
  const std::string path = output::record_file(run, 1);
  std::string whole;
  {
    std::stringstream in;
    in << std::ifstream(path, std::ios::binary).rdbuf();
    whole = in.str();
  }
  int refused = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x40);
    std::ofstream(path, std::ios::binary) << damaged;
    try {
      EXPECT_FALSE(read_trace(run).complete) << "byte " << i;
    } catch (const core::user_error& e) {
      EXPECT_THAT(e.what(), HasSubstr("damaged")) << "byte " << i;
      ++refused;
    }
  }
  // Of the last part the four bytes of the length alone are none.
  EXPECT_GE(refused, static_cast<int>(whole.size()) - 4);
}

TEST_F(by_hand, load_is_that_of_this_start_s_profile) {
  two_ranks();
  end(1);
  nlohmann::json rank = {{"rank", 0}, {"start_ns", 1000}};
  rank["samples"] = {{"time", {0, 4e-6, 8e-6}},
                     {"processor_seconds", {0, 8e-6, 1e-5}},
                     {"cycles", {0, 100, 300}},
                     {"instructions", {0, 250, 450}},
                     {"bytes_to_device", {0, 4000, 4000}},
                     {"device_own_memory_bytes", {1e6, 2e6, 3e6}},
                     {"device_memory_bytes", {5e6, 6e6, 7e6}}};
  nlohmann::json file = {{"run", {{"started_ns", started_ns}}}, {"ranks", {rank}}};
  const auto write = [&] { std::ofstream(fs::path(run) / "profile.json") << file; };
  write();
  const trace t = read_trace(run);
  const std::vector<rank_load> load = read_load(run, t);
  ASSERT_EQ(load.size(), 1U);
  EXPECT_EQ(load[0].times, (std::vector<std::int64_t>{0, 4000}));
  const auto column = [&](const std::string& name) {
    const auto at = std::ranges::find(load[0].names, name) - load[0].names.begin();
    return std::pair(load[0].values.at(0).at(static_cast<std::size_t>(at)),
                     load[0].values.at(1).at(static_cast<std::size_t>(at)));
  };
  EXPECT_THAT(column("processors in use"), testing::Pair(testing::DoubleEq(2), testing::DoubleEq(0.5)));
  EXPECT_THAT(column("instructions a cycle"), testing::Pair(2.5, 1));
  EXPECT_THAT(column("to the device [MB/s]"), testing::Pair(testing::DoubleEq(1000), 0));
  EXPECT_THAT(column("device memory of the rank [MB]"), testing::Pair(1, 2));
  EXPECT_THAT(column("device memory [MB]"), testing::Pair(5, 6));
  file["run"]["started_ns"] = started_ns + 1;
  write();
  EXPECT_TRUE(read_load(run, t).empty()) << "of another start";
  file.erase("run");
  write();
  EXPECT_TRUE(read_load(run, t).empty()) << "of another version";
}

TEST_F(by_hand, no_trace_is_said_to_be_none) {
  const auto message = [this] {
    try {
      read_trace(run);
    } catch (const core::user_error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_THAT(message(), HasSubstr("--trace"));
  std::ofstream(output::record_file(run, 0)) << "something else, and more of it";
  EXPECT_THAT(message(), HasSubstr("rank_00000.records"));
  fs::remove(output::record_file(run, 0));
  begin(0, 1);
  part(0, trace_part::records, bytes_of(output::trace_part_records{0, 3}) + "too few");
  EXPECT_THAT(message(), HasSubstr("damaged"));
}

TEST_F(by_hand, steps_can_be_chosen) {
  begin(0, 1);
  std::vector<trace_record> all;
  for (std::int64_t n = 0; n < 4; ++n) {
    const std::int64_t from = 1000 * (n + 1);
    all.push_back({from + 100, from + 400, 0, 0, -1, hydro_name, kind::work, 1});
    all.push_back({from, from + 900, 0, 0, -1, step_name, kind::work, 0});
  }
  records(0, all);
  end(0);
  const trace t = read_trace(run, {1, 2});
  EXPECT_EQ(t.steps.size(), 2U);
  EXPECT_EQ(t.threads[0].records.size(), 4U);
  EXPECT_EQ(t.threads[0].records[0].start, 0);
  EXPECT_EQ(t.length, 1900);
  EXPECT_THROW(read_trace(run, {4, 9}), core::user_error);
}

}  // namespace
}  // namespace rednova::trace::test
