// What is made of a trace: paths, graphs, events for viewers, archives.
#include <map>
#include <sstream>

#include "core/check.hpp"
#include "trace/critical_path.hpp"
#include "trace/otf2_archive.hpp"
#include "trace/perfetto.hpp"
#include "trace/task_graph.hpp"
#include "traces_by_hand.hpp"

namespace rednova::trace::test {
namespace {

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

TEST_F(by_hand, critical_path_ends_at_a_rank_whose_file_was_left_behind) {
  begin(0, 2);
  const std::int64_t number_and_bytes = trace_record::message_end(1, 4096);
  records(0, {{3000, number_and_bytes, 21, 0, 1, ghosts_name, kind::received, 0},
              {3500, 8000, 22, 21, 7, task_name, kind::work, 2},
              {1050, 8500, 0, 0, -1, loop_name, kind::work, 1},
              {1000, 9000, 0, 0, -1, step_name, kind::work, 0}});
  end(0);
  const trace t = read_trace(run);
  ASSERT_EQ(t.missing, std::vector{1});
  const std::vector<path_piece> path = critical_path(t, causes(t), t.steps[0]);
  ASSERT_FALSE(path.empty());
  EXPECT_EQ(path[0].what, path_piece::kind::not_traced) << "rank 0 waited for the message, it did not work until then";
  EXPECT_EQ(path[0].start, 0);
  EXPECT_EQ(path[0].end, 2000);
  EXPECT_THAT(describe(path, t.steps[0], 10), HasSubstr("not in the trace: rank 1"));
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
}  // namespace rednova::trace::test
