#include <gmock/gmock.h>
#include <sys/resource.h>

#include <algorithm>
#include <bit>
#include <csignal>
#include <cstdio>
#include <fstream>

#include "core/hash64.hpp"
#include "output/checkpoint.hpp"
#include "output/hdf5.hpp"
#include "sample.hpp"

namespace rednova::output {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class checkpoint : public in_directory {
 protected:
  checkpoint() { fill_sample(s); }
  void write(const std::string& path) { write_checkpoint(path, s, sample_provenance(), {3, 18}); }
  step::simulation again() { return step::simulation(sample_parameters(), context); }

  exec::context context{2};
  step::simulation s{sample_parameters(), context};
};

/// No file can grow beyond this while it lives.
class size_limit {
 public:
  explicit size_limit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);  // as the program does
    getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit small{bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  size_limit(const size_limit&) = delete;
  size_limit& operator=(const size_limit&) = delete;
  ~size_limit() { setrlimit(RLIMIT_FSIZE, &old_); }

 private:
  rlimit old_{};
};

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

/// Flips a bit of the file where its largest dataset lies.
void damage(const std::string& path) {
  std::FILE* f = std::fopen(path.c_str(), "r+b");
  std::fseek(f, -4096, SEEK_END);
  const int byte = std::fgetc(f);
  std::fseek(f, -4096, SEEK_END);
  std::fputc(byte ^ 1, f);
  std::fclose(f);
}

TEST_F(checkpoint, gives_back_every_bit) {
  s.u().at(3, 2)[17] = -0.0;  // bits, not values
  write(file("checkpoint_000020.h5"));
  step::simulation r = again();
  read_checkpoint(file("checkpoint_000020.h5"), r);
  ASSERT_EQ(r.tree().leaves(), s.tree().leaves());
  for (int n = 0; n < s.tree().leaves(); ++n) {
    EXPECT_EQ(r.tree()[n].id, s.tree()[n].id);
    for (int f = 0; f < s.fields().size(); ++f) {
      for (int c = 0; c < mesh::cells; ++c)
        ASSERT_TRUE(same_bits(r.u().at(n, f)[c], s.u().at(n, f)[c])) << n << ' ' << f;
    }
  }
  EXPECT_EQ(r.time(), s.time());
  EXPECT_EQ(r.dt(), s.dt());
  EXPECT_EQ(r.step(), s.step());
  EXPECT_EQ(r.rotation(), s.rotation());
  EXPECT_EQ(r.ledger().grid.species, s.ledger().grid.species);
  EXPECT_EQ(r.ledger().magnitude.angular_momentum, s.ledger().magnitude.angular_momentum);
  EXPECT_EQ(r.ledger().floors.species, s.ledger().floors.species);
  EXPECT_EQ(r.ledger().regrid.momentum, s.ledger().regrid.momentum);
  for (std::size_t side = 0; side < 6; ++side) {
    EXPECT_EQ(r.ledger().outflow[side].energy, s.ledger().outflow[side].energy);
    EXPECT_EQ(r.ledger().outflow[side].spin, s.ledger().outflow[side].spin);
  }
  EXPECT_EQ(r.ledger().initial.flow(), s.ledger().initial.flow());
  EXPECT_EQ(r.ledger().unbound_outflow, s.ledger().unbound_outflow);
  EXPECT_EQ(r.orbit().slip, s.orbit().slip);
  EXPECT_EQ(r.orbit().angle, s.orbit().angle);
  EXPECT_EQ(r.orbit().rate, s.orbit().rate);
  EXPECT_EQ(r.orbit().last_apart, s.orbit().last_apart);
  EXPECT_EQ(digest(r), digest(s));

  const checkpoint_header h = read_checkpoint_header(file("checkpoint_000020.h5"));
  EXPECT_EQ(h.from.input, sample_provenance().input);
  EXPECT_EQ(h.from.commit, "abcdef0");
  EXPECT_EQ(h.counters.snapshots, 3);
  EXPECT_EQ(h.counters.last_snapshot_step, 18);
}

TEST_F(checkpoint, gives_back_point_masses_and_their_bookings) {
  step::epoch at = s.now();
  at.points.add({.mass = 0.3, .softening = 0.1, .position = {1, -0.1, 0.7}, .momentum = {0.01, 0.02, -0.03}});
  at.points.add({.mass = 0.2, .softening = 0.4, .position = {-1, 0.3, 0.1}, .momentum = {-0.01, 0.5, 1e-9}});
  at.ledger.points = step::totals(5);
  at.ledger.points.energy = 1e-9;
  at.ledger.points.angular_momentum = {1e-12, -2e-12, 3e-12};
  s.restore(at);
  write(file("a.h5"));
  step::simulation r = again();
  read_checkpoint(file("a.h5"), r);
  ASSERT_EQ(r.points().count, 2);
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(r.points()[k].mass, s.points()[k].mass);
    EXPECT_EQ(r.points()[k].softening, s.points()[k].softening);
    EXPECT_EQ(r.points()[k].position, s.points()[k].position);
    EXPECT_EQ(r.points()[k].momentum, s.points()[k].momentum);
  }
  EXPECT_EQ(r.ledger().points.energy, 1e-9);
  EXPECT_EQ(r.ledger().points.angular_momentum, s.ledger().points.angular_momentum);
  EXPECT_EQ(r.ledger().outflow[5].energy, s.ledger().outflow[5].energy);
}

// Of a grid whose rotation never changed there is none to keep, and older checkpoints have none.
TEST_F(checkpoint, has_the_angle_of_a_grid_whose_rotation_changed) {
  write(file("constant.h5"));
  EXPECT_FALSE(hdf5_file::open(file("constant.h5")).has("/grid_turn"));
  step::simulation before = again();
  read_checkpoint(file("constant.h5"), before);
  EXPECT_EQ(before.grid_angle(), s.rotation() * s.time());
  step::rotate_grid(s, -0.7);
  step::epoch at = s.now();
  at.time += 1;
  s.restore(at);
  write(file("changed.h5"));
  step::simulation r = again();
  read_checkpoint(file("changed.h5"), r);
  EXPECT_EQ(r.rotation(), -0.7);
  EXPECT_EQ(r.grid_angle(), s.grid_angle());
  EXPECT_EQ(r.orbits(), s.orbits());
}

// Checkpoints of before there was driving have no row for it, nor have those of runs without.
TEST_F(checkpoint, has_a_row_of_driving_only_where_the_orbit_is_driven) {
  const auto rows = [&](const std::string& path) { return hdf5_file::open(path).shape("/ledger")[0]; };
  write(file("not_driven.h5"));
  EXPECT_EQ(rows(file("not_driven.h5")), 11U);
  config::parameters p = sample_parameters();
  p.driving.rate = 0.01;
  step::simulation asked(p, context);
  read_checkpoint(file("not_driven.h5"), asked);
  EXPECT_EQ(asked.ledger().driven.energy, 0);
  write_checkpoint(file("asked.h5"), asked, sample_provenance(), {3, 18});
  EXPECT_EQ(rows(file("asked.h5")), 12U);
  step::epoch at = s.now();
  at.ledger.driven.angular_momentum = {1e-20, -2e-20, -0.25};
  at.ledger.driven.momentum = {1e-18, 0, -1e-18};
  at.ledger.driven.energy = -0.125;
  s.restore(at);
  write(file("driven.h5"));
  step::simulation r = again();
  read_checkpoint(file("driven.h5"), r);
  EXPECT_EQ(r.ledger().driven.angular_momentum, at.ledger.driven.angular_momentum);
  EXPECT_EQ(r.ledger().driven.momentum, at.ledger.driven.momentum);
  EXPECT_EQ(r.ledger().driven.energy, at.ledger.driven.energy);
  EXPECT_EQ(r.ledger().floors.species, s.ledger().floors.species);
}

TEST_F(checkpoint, digest_is_of_tree_and_fields_alone) {
  write(file("a.h5"));
  const std::string before = digest(file("a.h5"));
  EXPECT_EQ(before, fmt::format("{:016x}", digest(s)));
  // Clock, ledger, counters, provenance and place of the file are not part of them.
  step::epoch at = s.now();
  at.time = 2;
  at.dt = 1;
  at.step = 77;
  at.ledger.outflow[1].energy = 9;
  s.restore(at);
  std::filesystem::create_directories(file("deep/er"));
  write_checkpoint(file("deep/er/b.h5"), s, {"[run]\n", "9.9.9", "fedcba9"}, {8, 70});
  EXPECT_EQ(digest(file("deep/er/b.h5")), before);
  std::filesystem::copy_file(file("a.h5"), file("c.h5"));
  EXPECT_EQ(digest(file("c.h5")), before);
}

TEST_F(checkpoint, digest_notices_every_bit) {
  const auto bits = [&](int leaf, int field, int cell) -> double& { return s.u().at(leaf, field)[cell]; };
  const std::uint64_t before = digest(s);
  for (const int leaf : {0, s.tree().leaves() - 1}) {
    for (int field = 0; field < s.fields().size(); ++field) {
      double& value = bits(leaf, field, 137);
      for (const int bit : {0, 31, 32, 63}) {
        const double kept = value;
        value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(kept) ^ (std::uint64_t{1} << bit));
        EXPECT_NE(digest(s), before) << leaf << ' ' << field << ' ' << bit;
        value = kept;
      }
    }
  }
  EXPECT_EQ(digest(s), before);
  std::swap(bits(0, 0, 3), bits(0, 0, 4));
  EXPECT_NE(digest(s), before) << "two cells in each other's place";
  std::swap(bits(0, 0, 3), bits(0, 0, 4));
  std::swap_ranges(s.u().at(0), s.u().at(0) + s.fields().size() * mesh::cells, s.u().at(1));
  EXPECT_NE(digest(s), before) << "two blocks in each other's place";
}

TEST_F(checkpoint, digest_is_of_the_tree_too) {
  for (int n = 0; n < s.tree().leaves(); ++n) std::fill_n(s.u().at(n), s.fields().size() * mesh::cells, 1.0);
  const std::uint64_t before = digest(s);
  // As many blocks of the same content, another one refined.
  step::simulation other(sample_parameters(), context);
  refine_leaf(other, 1);
  refine_leaf(other, 8);
  for (int n = 0; n < other.tree().leaves(); ++n) std::fill_n(other.u().at(n), s.fields().size() * mesh::cells, 1.0);
  EXPECT_NE(digest(other), before);
}

TEST_F(checkpoint, digest_of_other_files) {
  hdf5_file other = hdf5_file::create(file("other.h5"));
  other.close();
  seal(file("other.h5"), {});
  EXPECT_THAT(message_of([&] { digest(file("other.h5")); }), HasSubstr("is no checkpoint of rednova"));
  write(file("a.h5"));
  damage(file("a.h5"));
  EXPECT_THAT(message_of([&] { digest(file("a.h5")); }), HasSubstr("is damaged"));
}

TEST_F(checkpoint, damaged_names_the_older_one) {
  write(file("checkpoint_000010.h5"));
  write(file("checkpoint_000020.h5"));
  damage(file("checkpoint_000020.h5"));
  step::simulation r = again();
  EXPECT_THAT(message_of([&] { read_checkpoint(file("checkpoint_000020.h5"), r); }),
              AllOf(HasSubstr("is damaged"), HasSubstr("rednova restart " + file("checkpoint_000010.h5"))));
}

TEST_F(checkpoint, truncated_at_any_length) {
  write(file("checkpoint_000020.h5"));
  const auto size = std::filesystem::file_size(file("checkpoint_000020.h5"));
  for (const double share : {0.0, 0.0005, 0.01, 0.5, 0.999}) {
    std::filesystem::copy_file(file("checkpoint_000020.h5"), file("cut.h5"),
                               std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(file("cut.h5"), static_cast<std::uintmax_t>(static_cast<double>(size) * share));
    step::simulation r = again();
    EXPECT_THAT(message_of([&] { read_checkpoint(file("cut.h5"), r); }),
                AllOf(HasSubstr("cut.h5"), HasSubstr("truncated"), HasSubstr("rednova restart")))
        << share;
  }
}

TEST_F(checkpoint, other_files_and_formats) {
  std::ofstream(file("text.h5")) << "no HDF5 at all";
  EXPECT_THAT(message_of([&] { read_checkpoint_header(file("text.h5")); }), HasSubstr("no HDF5 file"));
  EXPECT_THAT(message_of([&] { read_checkpoint_header(file("none.h5")); }), HasSubstr("there is no such file"));
  hdf5_file other = hdf5_file::create(file("other.h5"));
  other.close();
  seal(file("other.h5"), {});
  EXPECT_THAT(message_of([&] { read_checkpoint_header(file("other.h5")); }), HasSubstr("is no checkpoint of rednova"));
  hdf5_file newer = hdf5_file::create(file("newer.h5"));
  newer.set<std::int64_t>("/", "checkpoint_format", checkpoint_format + 1);
  newer.set("/", "version", std::string("9.9"));
  newer.close();
  seal(file("newer.h5"), {});
  EXPECT_THAT(message_of([&] { read_checkpoint_header(file("newer.h5")); }),
              AllOf(HasSubstr(fmt::format("format {}", checkpoint_format + 1)), HasSubstr("9.9"),
                    HasSubstr("use that version")));
}

TEST_F(checkpoint, species_must_be_the_same) {
  write(file("a.h5"));
  config::parameters p = sample_parameters();
  p.hydro.species = {"gas"};
  step::simulation r(p, context);
  EXPECT_THAT(message_of([&] { read_checkpoint(file("a.h5"), r); }), HasSubstr("species"));
}

// A limit on the size of files stands for the full disk: the same call of the system fails.
TEST_F(checkpoint, full_disk_loses_nothing) {
  write(file("checkpoint_000010.h5"));
  const std::string before = digest(file("checkpoint_000010.h5"));
  std::string message;
  {
    const size_limit small(300000);
    message = message_of([&] { write(file("checkpoint_000020.h5")); });
  }
  EXPECT_THAT(message, AllOf(HasSubstr("checkpoint_000020.h5"), HasSubstr("no room for"), HasSubstr("too large"),
                             HasSubstr("untouched")));
  EXPECT_EQ(checkpoints(directory.string()), std::vector<std::string>{file("checkpoint_000010.h5")});
  EXPECT_FALSE(std::filesystem::exists(file("checkpoint_000020.h5.part")));
  EXPECT_EQ(digest(file("checkpoint_000010.h5")), before);
  write(file("checkpoint_000020.h5"));  // and the program can go on
  EXPECT_EQ(digest(file("checkpoint_000020.h5")), before);
}

// Where nothing could be reserved, a write fails half-way. The library must not trip over that file at exit either.
TEST_F(checkpoint, disk_that_fills_while_writing) {
  const std::vector<double> numbers(1000000, 1.5);
  {
    hdf5_file f = hdf5_file::create(file("half.h5"));
    f.write<double>("/a", numbers, {1000000});
    const size_limit small(9000000);
    EXPECT_THAT(message_of([&] {
                  f.write<double>("/b", numbers, {1000, 1000});
                }),
                AllOf(HasSubstr("half.h5: cannot write dataset /b"), HasSubstr("too large")));
  }
  EXPECT_FALSE(std::filesystem::exists(file("half.h5")));
}

TEST_F(checkpoint, unwritable_directory) {
  EXPECT_THAT(message_of([&] { write(file("no/such/place.h5")); }),
              AllOf(HasSubstr("place.h5"), HasSubstr("cannot create")));
}

TEST(hash64, notices_order_length_and_sign_of_zero) {
  const auto of = [](std::vector<double> v) {
    core::hash64 h;
    h.add(v.data(), v.size());
    return h.value();
  };
  EXPECT_NE(of({1, 2}), of({2, 1}));
  EXPECT_NE(of({0.0}), of({-0.0}));
  EXPECT_NE(of({0}), of({0, 0}));
  core::hash64 a, b;
  a.add(std::string_view("ab"));
  b.add(std::string_view("ab\0", 3));
  EXPECT_NE(a.value(), b.value());
}

}  // namespace
}  // namespace rednova::output
