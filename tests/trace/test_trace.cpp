// Traces made by hand, as ranks would have written them.
#include "trace/trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/check.hpp"
#include "exec/profile.hpp"
#include "output/packed_records.hpp"
#include "output/trace_file.hpp"
#include "trace/critical_path.hpp"
#include "trace/load.hpp"
#include "trace/otf2_archive.hpp"
#include "trace/perfetto.hpp"
#include "trace/task_graph.hpp"

namespace rednova::trace {
namespace {

namespace fs = std::filesystem;
using kind = trace_record::kind;
using output::trace_part;
using testing::HasSubstr;

constexpr std::uint16_t step_name = 0, task_name = 1, hydro_name = 2, wait_name = 3, ghosts_name = 4, loop_name = 5,
                        sums_name = 6;

class by_hand : public testing::Test {
 protected:
  void SetUp() override {
    run = (fs::temp_directory_path() / fmt::format("rednova_trace_{}", ::getpid())).string();
    fs::remove_all(run);
    fs::create_directories(output::trace_folder(run));
  }
  void TearDown() override { fs::remove_all(run); }

  void part(int rank, trace_part what, const std::string& bytes) {
    std::ofstream out(output::record_file(run, rank), std::ios::binary | std::ios::app);
    output::trace_part_head head{what, static_cast<std::uint32_t>(bytes.size()), 0};
    head.sum = output::sum_of(head, std::as_bytes(std::span(bytes)));
    out.write(reinterpret_cast<const char*>(&head), sizeof head);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  template <class T>
  static std::string bytes_of(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
  }
  void begin(int rank, int ranks) {
    part(rank, trace_part::about,
         nlohmann::json{{"format", output::trace_format},
                        {"version", "1.2"},
                        {"commit", "abc"},
                        {"started_ns", started_ns},
                        {"ranks", ranks},
                        {"threads", 1},
                        {"shortest_ns", 100}}
             .dump());
    const char* const names[] = {exec::phases::step, exec::phases::task, "hydro", "wait",
                                 "ghosts",           exec::phases::loop, "sums"};
    for (std::uint32_t n = 0; n < std::size(names); ++n)
      part(rank, trace_part::name, bytes_of(output::trace_part_name{0, n}) + names[n]);
  }
  void records(int rank, const std::vector<trace_record>& all, std::int64_t slot = 0) {
    const std::vector<std::byte> bytes = output::packed(all);
    part(
        rank, trace_part::records,
        bytes_of(output::trace_part_records{static_cast<std::uint32_t>(slot), static_cast<std::uint32_t>(all.size())}) +
            std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  void end(int rank) { part(rank, trace_part::lost, bytes_of(std::int64_t{0})); }

  /// Rank 0 works at a task, which posts a message; rank 1 waits for it, works at another task, then at the one that it
  /// makes ready, and is done; rank 0 sums up.
  void two_ranks(std::int64_t clock_of_1 = 0) {
    begin(0, 2);
    const std::int64_t sent = trace_record::message_end(1, 4096);
    records(0, {{1300, 1900, 0, 0, -1, hydro_name, kind::work, 3},
                {1200, 2000, 11, 0, 4, task_name, kind::work, 2},
                {2100, sent, 12, 11, 1, ghosts_name, kind::sent, 0},
                {1150, 8200, 0, 0, -1, loop_name, kind::work, 1},
                {8300, 9000, 0, 0, -1, sums_name, kind::work, 1},
                {1000, 9000, 0, 0, -1, step_name, kind::work, 0}});
    end(0);
    begin(1, 2);
    const auto c = clock_of_1;
    records(1, {{1100 + c, 3000 + c, 0, 0, -1, wait_name, kind::wait, 2},
                {3000 + c, sent, 21, 0, 0, ghosts_name, kind::received, 0},
                {3000 + c, 3400 + c, 23, 0, 8, task_name, kind::work, 2},
                {3600 + c, 7900 + c, 0, 0, -1, hydro_name, kind::work, 3},
                {3500 + c, 8000 + c, 22, 21, 7, task_name, kind::work, 2},
                {1050 + c, 9000 + c, 0, 0, -1, loop_name, kind::work, 1},
                {1000 + c, 9000 + c, 0, 0, -1, step_name, kind::work, 0}});
  }

  /// Two kernels and a copy of rank 0's device, the first of task 11.
  void device_of_rank_0() {
    part(0, trace_part::name, bytes_of(output::trace_part_name{1, 0}) + "hydro::update");
    part(0, trace_part::name, bytes_of(output::trace_part_name{1, 1}) + "copy to the host");
    records(0,
            {{1600, 1650, 0, 11, -1, 0, kind::work, 0},
             {1650, 1700, 0, 0, -1, 0, kind::work, 0},
             {1800, 2400, 0, 11, -1, 1, kind::work, 0}},
            1);
  }

  std::string run;
  std::int64_t started_ns = 1000;
};

TEST_F(by_hand, a_device_has_a_line_of_its_own_after_the_threads) {
  two_ranks();
  end(1);
  device_of_rank_0();
  const trace t = read_trace(run);
  ASSERT_EQ(t.threads.size(), 3U);
  const thread& device = t.threads[1];
  EXPECT_TRUE(device.on_device());
  EXPECT_FALSE(t.threads[0].on_device());
  EXPECT_EQ(device.label(), "device, queue 0");
  EXPECT_EQ(t.name(device.records.at(2)), "copy to the host");
  const causes made(t);
  const auto launched = made.of({1, 0});
  ASSERT_TRUE(launched);
  EXPECT_EQ(t.at(*launched).id, 11U);
  EXPECT_FALSE(made.of({1, 1})) << "nobody knows its task";
  EXPECT_EQ(critical_path(t, made, t.steps[0]).size(), 10U) << "a path of tasks, as without a device";

  const std::string path = (fs::path(run) / "trace.json").string();
  write_trace_events(t, {}, path);
  std::ifstream in(path);
  int slices = 0, arrows = 0;
  const nlohmann::json all = nlohmann::json::parse(in);
  for (const auto& e : all["traceEvents"]) {
    if (e["ph"] == "X" && e["cat"] == "device") ++slices;
    if (e["ph"] == "f" && e["name"] == "launches") ++arrows;
  }
  EXPECT_EQ(slices, 3);
  EXPECT_EQ(arrows, 2);
}

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

TEST_F(by_hand, critical_path_goes_back_over_messages) {
  two_ranks();
  end(1);
  const trace t = read_trace(run);
  const std::vector<path_piece> path = critical_path(t, causes(t), t.steps[0]);
  ASSERT_EQ(path.size(), 10U);
  const auto expect = [&](std::size_t n, path_piece::kind what, int rank, std::int64_t start, std::int64_t end,
                          const std::string& name) {
    EXPECT_EQ(path[n].what, what) << n;
    EXPECT_EQ(path[n].rank, rank) << n;
    EXPECT_EQ(path[n].start, start) << n;
    EXPECT_EQ(path[n].end, end) << n;
    EXPECT_EQ(path[n].name, name) << n;
  };
  using piece = path_piece::kind;
  expect(0, piece::queue, 0, 0, 150, "between phases");
  expect(1, piece::queue, 0, 150, 200, exec::phases::loop);
  expect(2, piece::task, 0, 200, 1000, "hydro");
  EXPECT_EQ(path[2].number, 4);
  expect(3, piece::queue, 0, 1000, 1100, exec::phases::loop);  // from the end of the task to the sending of its message
  expect(4, piece::message, 1, 1100, 2000, "ghosts");
  expect(5, piece::queue, 1, 2000, 2500, "");  // for most of it the main thread worked at another task
  expect(6, piece::task, 1, 2500, 7000, "hydro");
  expect(7, piece::queue, 0, 7000, 7200, exec::phases::loop);
  expect(8, piece::queue, 0, 7200, 7300, "between phases");
  expect(9, piece::queue, 0, 7300, 8000, "sums");
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    sum += path[i].end - path[i].start;
    if (i > 0) {
      EXPECT_EQ(path[i].start, path[i - 1].end) << "no gap before piece " << i;
    }
  }
  EXPECT_EQ(sum, 8000) << "all of the step";
  const std::string text = describe(path, t.steps[0], 10);
  for (const char* word : {"message of ghosts", "hydro", "(task 7)", "waited for a thread", "main thread: sums"})
    EXPECT_THAT(text, HasSubstr(word));
  EXPECT_THAT(text, testing::Not(HasSubstr("left out")));
  EXPECT_THAT(describe(path, t.steps[0], 3), HasSubstr("The last 3 pieces (7 before them are left out)"));
}

TEST_F(by_hand, graph_has_tasks_and_what_made_them_ready) {
  two_ranks();
  end(1);
  const trace t = read_trace(run);
  const std::string path = (fs::path(run) / "step.dot").string();
  write_task_graph(t, causes(t), t.steps[0], path);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_THAT(text.str(), HasSubstr("hydro 4"));
  EXPECT_THAT(text.str(), HasSubstr("hydro 7"));
  EXPECT_THAT(text.str(), HasSubstr(" [style=dashed, label=\"ghosts\"]"));
  EXPECT_THAT(text.str(), HasSubstr("color=red"));
}

TEST_F(by_hand, events_are_json_with_arrows_forward) {
  two_ranks();
  end(1);
  const std::string path = (fs::path(run) / "trace.json").string();
  write_trace_events(read_trace(run), {}, path);
  std::ifstream in(path);
  const nlohmann::json all = nlohmann::json::parse(in);
  int slices = 0, arrows = 0;
  std::map<int, double> began;
  for (const auto& e : all["traceEvents"]) {
    if (e["ph"] == "X") ++slices;
    if (e["ph"] == "s") began[e["id"]] = e["ts"];
    if (e["ph"] == "f") {
      ++arrows;
      EXPECT_GE(e["ts"].get<double>(), began.at(e["id"]));
    }
  }
  EXPECT_EQ(slices, 13);
  EXPECT_EQ(arrows, 3) << "message, its cause, and the task that it makes ready";
}

TEST_F(by_hand, archive_replaces_one_that_is_there) {
  two_ranks();
  end(1);
  device_of_rank_0();
  const trace t = read_trace(run);
  const std::string folder = output::trace_folder(run);
  for (int i = 0; i < 2; ++i) {
    write_archive(t, {}, folder);
    EXPECT_TRUE(fs::exists(fs::path(folder) / "traces.otf2"));
    EXPECT_TRUE(fs::exists(fs::path(folder) / "traces" / "1.evt"));
  }
  const std::string no_folder = (fs::path(run) / "file").string();
  std::ofstream(no_folder) << "where a folder would have to be";
  EXPECT_THROW(write_archive(t, {}, no_folder), core::user_error);
}

}  // namespace
}  // namespace rednova::trace
