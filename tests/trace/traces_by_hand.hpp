// Traces made by hand, as ranks would have written them.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "exec/profile.hpp"
#include "output/packed_records.hpp"
#include "output/trace_file.hpp"
#include "trace/trace.hpp"

namespace rednova::trace::test {

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

}  // namespace rednova::trace::test
