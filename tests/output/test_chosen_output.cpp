// What [output] chooses: fields, precision, compression, slices and projections.
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <tuple>

#include "output/describe.hpp"
#include "output/field_list.hpp"
#include "output/hdf5.hpp"
#include "output/planes.hpp"
#include "output/run_files.hpp"
#include "output/slices.hpp"
#include "output/snapshot.hpp"
#include "output/tiles.hpp"
#include "run_directory.hpp"

namespace rednova::output {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class chosen_output : public run_directory {
 protected:
  template <class F>
  void choose(const F& f) {
    config::parameters p = s.par();
    f(p.output);
    s.set_parameters(p);
  }
  hdf5_file snapshot(const char* name) {
    write_snapshot(file(name), s, sample_provenance());
    return hdf5_file::open(file(name));
  }
};

TEST_F(chosen_output, fields_alone_are_written) {
  choose([](config::output& o) { o.fields = {"pressure", "density_donor_core", "velocity_y"}; });
  const hdf5_file in = snapshot("s.phdf");
  EXPECT_THAT(in.get_texts("/Info", "OutputDatasetNames"),
              ElementsAre("prim_velocity_2", "prim_pressure", "density_donor_core"));
  EXPECT_FALSE(in.has("/prim_density"));
  EXPECT_THAT(describe(file("s.phdf")), HasSubstr("prim_velocity_2, prim_pressure, density_donor_core"));
  EXPECT_THAT(text("s.xdmf"), ::testing::Not(HasSubstr("prim_density")));
}

TEST_F(chosen_output, compressed_fields_are_the_same_bits_in_less_room) {
  const hdf5_file plain = snapshot("plain.phdf");
  choose([](config::output& o) { o.compression = 4; });
  const hdf5_file packed = snapshot("packed.phdf");
  for (const std::string& name : plain.get_texts("/Info", "OutputDatasetNames")) {
    EXPECT_EQ(packed.read<double>("/" + name), plain.read<double>("/" + name)) << name;
    EXPECT_EQ(packed.get_text("/" + name, "units"), plain.get_text("/" + name, "units"));
  }
  EXPECT_LT(std::filesystem::file_size(file("packed.phdf")), std::filesystem::file_size(file("plain.phdf")));
  EXPECT_THAT(describe(file("packed.phdf")), HasSubstr("verified"));
}

TEST_F(chosen_output, single_precision_rounds_each_number) {
  const std::vector<double> whole = snapshot("whole.phdf").read<double>("/prim_velocity_3");
  for (const int level : {0, 1}) {
    choose([&](config::output& o) {
      o.precision = config::number_precision::single_precision;
      o.compression = level;
    });
    const std::vector<double> rounded = snapshot("rounded.phdf").read<double>("/prim_velocity_3");
    ASSERT_EQ(rounded.size(), whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) ASSERT_EQ(rounded[i], static_cast<float>(whole[i])) << i;
    EXPECT_LT(std::filesystem::file_size(file("rounded.phdf")), 0.7 * std::filesystem::file_size(file("whole.phdf")));
    EXPECT_THAT(text("rounded.xdmf"), HasSubstr("Precision=\"4\""));
    EXPECT_THAT(describe(file("rounded.phdf")), HasSubstr("verified"));
  }
}

TEST_F(chosen_output, a_bit_that_changes_in_a_compressed_field_is_told) {
  choose([](config::output& o) { o.compression = 1; });
  write_snapshot(file("s.phdf"), s, sample_provenance());
  std::fstream change(file("s.phdf"), std::ios::in | std::ios::out | std::ios::binary);
  change.seekp(static_cast<std::streamoff>(std::filesystem::file_size(file("s.phdf")) / 2));
  const char old = static_cast<char>(change.peek());
  change.put(static_cast<char>(old ^ 4));
  change.close();
  EXPECT_THAT(message_of([&] { describe(file("s.phdf")); }), HasSubstr("is damaged"));
}

TEST_F(chosen_output, a_slice_has_the_cells_that_the_plane_cuts) {
  choose([](config::output& o) {
    o.slices = {"x=-0.7", "z"};
    o.slice_fields = {"pressure", "density"};
  });
  write_slices(file("slices_000020.h5"), s, sample_provenance());
  const hdf5_file in = hdf5_file::open(file("slices_000020.h5"));
  for (const auto& [name, axis, at] : {std::tuple{"/slices/x=-0.7", 0, -0.7}, {"/slices/z", 2, 0.0}}) {
    const std::string group = name;
    const auto lower = in.read<double>(group + "/lower"), width = in.read<double>(group + "/width");
    const auto values = in.read<double>(group + "/prim_density");
    const auto [u, v] = directions_across(axis);
    double area = 0;
    for (std::size_t t = 0; t < width.size(); ++t) {
      for (int c = 0; c < tile_cells; ++c) {
        core::vec3d x{};
        x[axis] = at;
        x[u] = lower[2 * t] + (c % mesh::N + 0.5) * width[t];
        x[v] = lower[2 * t + 1] + (c / mesh::N + 0.5) * width[t];
        const int leaf = s.tree().leaf_at(x);
        ASSERT_EQ(width[t], s.tree().cell_width(leaf));
        std::array<int, 3> cell{};
        for (int d = 0; d < 3; ++d)
          cell[static_cast<std::size_t>(d)] = static_cast<int>((x[d] - s.tree().corner(leaf)[d]) / width[t]);
        ASSERT_EQ(values[t * tile_cells + static_cast<std::size_t>(c)],
                  s.density(leaf, cell[0] + mesh::N * (cell[1] + mesh::N * cell[2])));
        area += width[t] * width[t];
      }
    }
    EXPECT_NEAR(area, 16, 1e-12) << "all of the plane, once: a thousand terms";
  }
  EXPECT_THAT(describe(file("slices_000020.h5")), AllOf(HasSubstr("slices/x=-0.7, slices/z"), HasSubstr("step 20")));
}

TEST_F(chosen_output, a_projection_holds_the_mass_and_means_of_what_is_constant) {
  for (int n = 0; n < s.tree().leaves(); ++n) {
    for (int c = 0; c < mesh::cells; ++c) s.u().at(n, s.fields().momentum(1))[c] = 0.25 * s.density(n, c);
  }
  choose([](config::output& o) {
    o.projections = {"x", "y", "z"};
    o.slice_fields = {"density", "density_donor_core", "velocity_y"};
  });
  write_slices(file("p.h5"), s, sample_provenance());
  const hdf5_file in = hdf5_file::open(file("p.h5"));
  for (const std::string axis : {"x", "y", "z"}) {
    const std::string group = "/projections/" + axis;
    const auto width = in.read<double>(group + "/width");
    double mass = 0, core = 0;
    const auto all = in.read<double>(group + "/prim_density"), donor = in.read<double>(group + "/density_donor_core");
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double h = width[i / tile_cells];
      mass += h * h * all[i];
      core += h * h * donor[i];
    }
    // Thousands of terms of one sign.
    EXPECT_NEAR(mass, s.ledger().grid.mass(), 1e-12 * mass);
    EXPECT_NEAR(core, s.ledger().grid.species[2], 1e-12 * mass);
    for (const double mean : in.read<double>(group + "/prim_velocity_2")) ASSERT_NEAR(mean, 0.25, 1e-14);
    EXPECT_EQ(in.get_text(group + "/prim_density", "units"), "mass/length^2");
    EXPECT_EQ(in.get_text(group + "/prim_velocity_2", "units"), "length/time");
  }
}

TEST_F(chosen_output, slices_come_at_their_own_times_and_go_with_the_branch) {
  choose([&](config::output& o) {
    o.slices = {"z"};
    o.slice_time = 2 * s.dt();
    o.checkpoint_steps = 0;
  });
  run_files files = run_files::create(file("run"), sample_provenance());
  files.start(s);
  for (int step = 21; step <= 25; ++step) {
    go_to(step);
    files.after_step(s);
  }
  files.finish(s, step::stop_reason::end_time);
  directory /= "run";
  const auto there = [&](int step) {
    return std::filesystem::exists(file("slices_0000" + std::to_string(step) + ".h5"));
  };
  for (const int step : {20, 22, 24, 25}) EXPECT_TRUE(there(step)) << step;
  for (const int step : {21, 23}) EXPECT_FALSE(there(step)) << step;
  EXPECT_FALSE(std::filesystem::exists(file("snapshot_00002.phdf"))) << "first and last";
  go_to(22);
  run_files again = run_files::resume(directory.string(), sample_provenance(), {1, 20});
  again.start(s);
  for (const int step : {20, 22}) EXPECT_TRUE(there(step)) << step;
  for (const int step : {24, 25}) EXPECT_FALSE(there(step)) << step;
  directory = directory.parent_path();
}

TEST(planes, are_axes_with_places) {
  EXPECT_EQ(plane_of("y").value().axis, 1);
  EXPECT_EQ(plane_of("z=-1.5e2").value().at, -150);
  for (const char* wrong : {"", "w", "z=", "zz", "z=0.5x", "z=nan", "z0.5", "z=1e999"})
    EXPECT_FALSE(plane_of(wrong)) << wrong;
}

TEST(field_names, are_those_that_a_snapshot_has) {
  const config::parameters p = sample_parameters();
  exec::context context(1);
  const step::simulation s(p, context);
  std::vector<std::string> of_snapshot;
  for (const snapshot_field& f : snapshot_fields(s, {})) of_snapshot.push_back(f.name);
  EXPECT_EQ(field_names(p), of_snapshot);
  for (const std::string& name : short_names()) EXPECT_THAT(of_snapshot, ::testing::Contains(dataset_of(name)));
}

}  // namespace
}  // namespace rednova::output
