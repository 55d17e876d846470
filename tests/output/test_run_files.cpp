#include <gmock/gmock.h>

#include <cerrno>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "diagnose/flow_drift.hpp"
#include "gravity/result_field.hpp"
#include "output/advice.hpp"
#include "output/describe.hpp"
#include "output/durable.hpp"
#include "output/hdf5.hpp"
#include "output/ledger_file.hpp"
#include "output/run_files.hpp"
#include "output/snapshot.hpp"
#include "output/xdmf.hpp"
#include "run_directory.hpp"

namespace rednova::output {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(run_directory, snapshot_holds_the_mass_on_the_grid) {
  write_snapshot(file("s.phdf"), s, sample_provenance());
  const hdf5_file in = hdf5_file::open(file("s.phdf"));
  const auto rho = in.read<double>("/prim_density");
  const auto x = in.read<double>("/Locations/x");
  double mass = 0;
  for (int n = 0; n < s.tree().leaves(); ++n) {
    const auto at = static_cast<std::size_t>(n);
    const double h = (x[at * (mesh::N + 1) + mesh::N] - x[at * (mesh::N + 1)]) / mesh::N;
    for (std::size_t c = 0; c < mesh::cells; ++c) mass += h * h * h * rho[at * mesh::cells + c];
  }
  // 15k terms of one sign in plain summation.
  EXPECT_NEAR(mass, s.ledger().grid.mass(), 1e-13 * mass);
  EXPECT_EQ(in.get<double>("/Info", "Time"), s.time());
  EXPECT_EQ(in.read_text("/Rednova/input"), sample_provenance().input);
  EXPECT_EQ(in.shape("/density_donor_core"),
            (std::vector<std::uint64_t>{static_cast<std::uint64_t>(s.tree().leaves()), mesh::N, mesh::N, mesh::N}));
  EXPECT_FALSE(in.has("/gravitational_potential"));
  EXPECT_THAT(text("s.xdmf"), AllOf(HasSubstr("s.phdf:/prim_density"), HasSubstr("</Xdmf>")));
  EXPECT_THAT(describe(file("s.phdf")),
              AllOf(HasSubstr("step 20"), HasSubstr("on level 3"), HasSubstr("donor_envelope")));
}

TEST_F(run_directory, snapshot_holds_gravity_where_there_is_any) {
  s.gravity() = mesh::block_data(s.tree().leaves(), gravity::result_fields);
  s.gravity().at(2, gravity::acceleration + 1)[7] = 4.5;
  write_snapshot(file("s.phdf"), s, sample_provenance());
  const hdf5_file in = hdf5_file::open(file("s.phdf"));
  EXPECT_EQ(in.read<double>("/gravitational_acceleration_y")[2 * mesh::cells + 7], 4.5);
}

TEST_F(run_directory, ledger_has_every_quantity) {
  const auto all = nlohmann::json::parse(ledger_json(s, sample_provenance()));
  for (const char* name : {"mass", "mass_donor_core", "momentum", "angular_momentum", "flow", "energy"}) {
    for (const char* part : {"grid", "outflow", "floors", "regrid", "remainder", "relative"}) {
      EXPECT_TRUE(all.at(name).contains(part)) << name << ' ' << part;
    }
  }
  EXPECT_EQ(all["momentum"]["grid"].size(), 3);
  EXPECT_DOUBLE_EQ(all["energy"]["outflow"], 1.5);
  const auto drift = diagnose::flow_drift::of(s.ledger(), {});
  EXPECT_EQ(all["flow"]["drift"][2], drift.share.z);
  EXPECT_EQ(all["flow"]["relative"][2], std::abs(drift.share.z));
  EXPECT_EQ(all["flow"]["remainder"][2], -15) << "what left as spin";
  EXPECT_EQ(all["flow"]["scale"], drift.scale);
  EXPECT_EQ(all["flow"]["relative_to"], "angular momentum at the start");
  EXPECT_DOUBLE_EQ(all["mass"]["floors"], 1e-9);
  EXPECT_DOUBLE_EQ(all["mass_atmosphere"]["relative"], 1e-9 / s.ledger().magnitude.species[4]);
  EXPECT_EQ(all["run"]["commit"], "abcdef0");
}

TEST_F(run_directory, ledger_says_what_is_not_conserved) {
  const auto with = [&](const config::parameters& p) {
    step::simulation other(p, context);
    other.restore(s.now());
    return nlohmann::json::parse(ledger_json(other, sample_provenance()));
  };
  config::parameters p = s.par();
  auto angular = with(p).at("angular_momentum");
  EXPECT_TRUE(angular.at("conserved"));
  EXPECT_FALSE(angular.contains("reason"));
  EXPECT_FALSE(angular.contains("note"));
  p.hydro.spin = false;
  angular = with(p).at("angular_momentum");
  EXPECT_TRUE(angular.at("conserved"));
  EXPECT_THAT(angular.at("note"), HasSubstr("hydro.spin"));
  p.mesh.boundaries[4] = p.mesh.boundaries[5] = config::boundary::periodic;
  angular = with(p).at("angular_momentum");
  EXPECT_FALSE(angular.at("conserved"));
  EXPECT_EQ(angular.at("conserved_components"), (std::vector<bool>{false, false, true}));
  EXPECT_THAT(angular.at("reason"), HasSubstr("periodic in z"));
  for (const char* part : {"grid", "outflow", "floors", "regrid", "remainder", "relative"}) {
    EXPECT_TRUE(angular.contains(part)) << part;
  }
  EXPECT_TRUE(with(p)["momentum"]["conserved"]);
}

TEST_F(run_directory, keeps_two_checkpoints_and_numbers_snapshots) {
  write_every_two_steps();
  run_files files = run_files::create(file("run"), sample_provenance());
  directory /= "run";
  files.start(s);
  for (int step = 21; step <= 27; ++step) {
    go_to(step);
    files.after_step(s);
  }
  EXPECT_THAT(checkpoints(directory.string()), ElementsAre(file("checkpoint_000024.h5"), file("checkpoint_000026.h5")));
  files.finish(s, step::stop_reason::end_time);
  EXPECT_THAT(checkpoints(directory.string()), ElementsAre(file("checkpoint_000026.h5"), file("checkpoint_000027.h5")));
  EXPECT_TRUE(std::filesystem::exists(file("snapshot_00000.phdf")));
  EXPECT_TRUE(std::filesystem::exists(file("snapshot_00001.phdf")));
  EXPECT_EQ(read_checkpoint_header(file("checkpoint_000027.h5")).counters.snapshots, 2);
  EXPECT_THAT(message_of([&] { run_files::create(directory.string(), sample_provenance()); }),
              HasSubstr("holds a run already"));
  EXPECT_THAT(describe(file("checkpoint_000027.h5")),
              AllOf(HasSubstr("step 27"), HasSubstr("on level 3"), HasSubstr(fmt::format("{:016x}", digest(s)))));
  directory = directory.parent_path();
}

TEST_F(run_directory, keeps_as_many_checkpoints_as_are_asked_for) {
  write_every_two_steps();
  for (const auto& [kept, left] : {std::pair{1, 1U}, {3, 3U}, {0, 4U}}) {
    config::parameters p = s.par();
    p.output.checkpoints_kept = kept;
    s.set_parameters(p);
    const std::string where = file("run_" + std::to_string(kept));
    go_to(20);
    run_files files = run_files::create(where, sample_provenance());
    files.start(s);
    for (int step = 21; step <= 28; ++step) {
      go_to(step);
      files.after_step(s);
    }
    EXPECT_EQ(checkpoints(where).size(), left) << kept;
    EXPECT_EQ(checkpoints(where).back(), where + "/checkpoint_000028.h5");
    // What cannot be written takes nothing with it.
    std::filesystem::create_directories(where + "/checkpoint_000030.h5.part");
    go_to(30);
    EXPECT_THAT(message_of([&] { files.checkpoint(s); }), HasSubstr("Earlier files are untouched"));
    EXPECT_EQ(checkpoints(where).size(), left) << kept;
    EXPECT_EQ(read_checkpoint_header(checkpoints(where).back()).step, 28);
  }
}

/// A chain of jobs has the snapshots of one that is never stopped.
TEST_F(run_directory, what_goes_on_has_no_last_snapshot) {
  for (const auto why : {step::stop_reason::max_hours, step::stop_reason::terminated, step::stop_reason::interrupted}) {
    const std::string where = file(step::describe(why));
    run_files files = run_files::create(where, sample_provenance());
    files.start(s);
    go_to(s.step() + 1);
    files.finish(s, why);
    EXPECT_EQ(checkpoints(where).size(), 1U);
    EXPECT_TRUE(std::filesystem::exists(where + "/snapshot_00000.phdf"));
    EXPECT_FALSE(std::filesystem::exists(where + "/snapshot_00001.phdf")) << step::describe(why);
  }
}

TEST_F(run_directory, a_restart_from_the_older_checkpoint_leaves_the_newer_branch) {
  write_every_two_steps();
  run_files files = run_files::create(directory.string(), sample_provenance());
  files.start(s);
  for (int step = 21; step <= 24; ++step) {
    go_to(step);
    files.after_step(s);
  }
  go_to(22);
  run_files again = run_files::resume(directory.string(), sample_provenance(), {1, 20});
  again.start(s);
  EXPECT_THAT(steps(), ElementsAre(20, 21, 22));
  go_to(23);
  again.after_step(s);
  again.finish(s, step::stop_reason::interrupted);
  EXPECT_THAT(checkpoints(directory.string()), ElementsAre(file("checkpoint_000022.h5"), file("checkpoint_000023.h5")));
  EXPECT_FALSE(std::filesystem::exists(file("snapshot_00001.phdf")));  // the restarted run writes its own last one
}

// A newest checkpoint that is damaged must not push out the good one that the user named.
TEST_F(run_directory, a_restart_keeps_the_checkpoint_it_began_with_and_drops_those_beyond) {
  write_every_two_steps();
  run_files files = run_files::create(directory.string(), sample_provenance());
  files.start(s);
  for (int step = 21; step <= 28; ++step) {
    go_to(step);
    files.after_step(s);
  }
  std::filesystem::resize_file(file("checkpoint_000028.h5"), 100);
  go_to(26);
  run_files again = run_files::resume(directory.string(), sample_provenance(), {1, 20});
  again.start(s);
  EXPECT_EQ(checkpoints(directory.string()).size(), 2U) << "nothing goes before there is a new one";
  go_to(29);
  again.finish(s, step::stop_reason::interrupted);
  EXPECT_THAT(checkpoints(directory.string()), ElementsAre(file("checkpoint_000026.h5"), file("checkpoint_000029.h5")));
}

TEST_F(run_directory, the_last_checkpoint_knows_the_last_snapshot) {
  write_every_two_steps();
  run_files files = run_files::create(directory.string(), sample_provenance());
  files.start(s);
  go_to(22);
  files.after_step(s);
  EXPECT_EQ(read_checkpoint_header(file("checkpoint_000022.h5")).counters.snapshots, 1);
  files.finish(s, step::stop_reason::max_steps);
  const file_counters last = read_checkpoint_header(file("checkpoint_000022.h5")).counters;
  EXPECT_EQ(last, (file_counters{2, 22}));
  run_files again = run_files::resume(directory.string(), sample_provenance(), last);
  again.start(s);
  go_to(25);
  again.finish(s, step::stop_reason::max_steps);
  EXPECT_THAT(describe(file("snapshot_00001.phdf")), HasSubstr("step 22"));
  EXPECT_THAT(describe(file("snapshot_00002.phdf")), HasSubstr("step 25"));
}

TEST_F(run_directory, a_restart_removes_the_snapshots_of_the_branch_it_leaves) {
  for (const char* name :
       {"snapshot_00000.phdf", "snapshot_00000.xdmf", "snapshot_00001.phdf", "snapshot_00001.xdmf",
        "snapshot_00002.phdf", "snapshot_00002.xdmf", "snapshot_00002.png", "my_snapshot_00002.phdf"})
    std::ofstream(file(name)) << "of the branch";
  run_files again = run_files::resume(directory.string(), sample_provenance(), {1, 20});
  EXPECT_TRUE(std::filesystem::exists(file("snapshot_00002.phdf"))) << "not before the restart stands";
  again.start(s);
  for (const char* name :
       {"snapshot_00000.phdf", "snapshot_00000.xdmf", "snapshot_00002.png", "my_snapshot_00002.phdf"})
    EXPECT_TRUE(std::filesystem::exists(file(name))) << name;
  for (const char* name : {"snapshot_00001.phdf", "snapshot_00001.xdmf", "snapshot_00002.phdf", "snapshot_00002.xdmf"})
    EXPECT_FALSE(std::filesystem::exists(file(name))) << name;
}

TEST_F(run_directory, advice_names_the_directory_and_does_not_go_in_circles) {
  const std::string blank = (directory / "my run").string();
  std::filesystem::create_directories(blank);
  EXPECT_THAT(how_to_go_on(blank), AllOf(HasSubstr(blank + " holds no checkpoint"), HasSubstr("--out")));
  std::ofstream(blank + "/history.csv") << "# rednova\n";
  EXPECT_THAT(message_of([&] { run_files::create(blank, sample_provenance()); }),
              AllOf(HasSubstr("no checkpoint"), HasSubstr("remove it"), Not(HasSubstr("restart"))));
  std::ofstream(blank + "/checkpoint_000003.h5") << "any";
  EXPECT_EQ(how_to_go_on(blank), "go on with: rednova restart '" + blank + "'");
  EXPECT_EQ(shell_word("runs/it's"), "'runs/it'\\''s'");
  EXPECT_EQ(shell_word("runs/v1309-2"), "runs/v1309-2");
}

TEST_F(run_directory, a_full_disk_is_told_with_directory_and_remedy) {
  // A directory of the file's .part name stands for a disk that takes no file.
  std::filesystem::create_directories(file("s.phdf.part"));
  EXPECT_THAT(message_of([&] { write_snapshot(file("s.phdf"), s, sample_provenance()); }),
              AllOf(HasSubstr("s.phdf"), HasSubstr("Earlier files are untouched"),
                    HasSubstr(directory.string() + " holds no checkpoint"), HasSubstr("--out")));
  EXPECT_THAT(reason(ENOSPC), HasSubstr("make room"));
  EXPECT_THAT(reason(EACCES), HasSubstr("--out"));
  EXPECT_THAT(message_of([&] { write_file("/proc/none", "text"); }), HasSubstr("/proc/none: cannot be written: "));
}

TEST_F(run_directory, a_series_takes_in_the_snapshots_that_are_there) {
  for (const char* name : {"snapshot_00000.phdf", "snapshot_00002.phdf"})
    write_snapshot(file(name), s, sample_provenance());
  write_series(directory.string(), sample_provenance());
  const std::string series = text("snapshots.xdmf");
  EXPECT_THAT(series, AllOf(HasSubstr("href=\"snapshot_00000.xdmf\""), HasSubstr("href=\"snapshot_00002.xdmf\""),
                            Not(HasSubstr("00001")), HasSubstr("CollectionType=\"Temporal\"")));
  EXPECT_LT(series.size(), 1000) << "no blocks";
}

TEST_F(run_directory, every_file_for_people_says_where_it_comes_from) {
  run_files::create(file("run"), sample_provenance());
  directory /= "run";
  EXPECT_EQ(text("input.toml"), "# rednova 1.2.3 (abcdef0)\n" + sample_provenance().input);
  const provenance odd{"# a -- b\n[mesh]\nmax_level = 3", "1.2.3", "abcdef0"};
  write_snapshot(file("s.phdf"), s, odd);
  EXPECT_THAT(text("s.xdmf"), AllOf(HasSubstr("<!-- rednova 1.2.3 (abcdef0)"), HasSubstr("max_level = 3\n-->"),
                                    HasSubstr("# a - - b")));
  directory = directory.parent_path();
}

TEST_F(run_directory, describe_refuses_other_files) {
  hdf5_file other = hdf5_file::create(file("other.h5"));
  other.close();
  seal(file("other.h5"), {});
  EXPECT_THAT(message_of([&] { describe(file("other.h5")); }), HasSubstr("neither a snapshot nor a checkpoint"));
}

}  // namespace
}  // namespace rednova::output
