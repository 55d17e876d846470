#include "output/seal.hpp"

#include <gmock/gmock.h>

#include <cstdio>
#include <fstream>

#include "output/published_hdf5.hpp"
#include "run_directory.hpp"

namespace rednova::output {
namespace {

using ::testing::HasSubstr;

class sealed_file : public in_directory {
 protected:
  /// Two datasets of numbers with other bytes before, between and behind them.
  void SetUp() override {
    in_directory::SetUp();
    std::string bytes(300, '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(7 * i);
    bytes.replace(0, 8, "\x89HDF\r\n\x1a\n");
    std::ofstream(file("f"), std::ios::binary) << bytes;
    std::vector<sealed_rows> rows{{{200, 1, 16}, 0}, {{40, 3, 8}, 0}};
    for (sealed_rows& r : rows) {
      std::vector<std::uint64_t> hashes;
      for (std::uint64_t i = 0; i < r.place.rows; ++i)
        hashes.push_back(hash_of_row(bytes.data() + r.place.begin + i * r.place.row_bytes, r.place.row_bytes));
      r.hash = hash_of_rows(hashes);
    }
    seal(file("f"), rows);
  }
  std::string bytes() const {
    std::ostringstream all;
    all << std::ifstream(file("f"), std::ios::binary).rdbuf();
    return all.str();
  }
  void put(const std::string& all) const { std::ofstream(file("f"), std::ios::binary) << all; }
};

TEST_F(sealed_file, is_intact) {
  const auto rows = check_seal(file("f"));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows.at(0).place.begin, 40U) << "in the order in which they lie";
  check_rows(file("f"), rows);
}

TEST_F(sealed_file, notices_every_bit) {
  const std::string whole = bytes();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int bit : {0, 7}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      put(damaged);
      std::vector<sealed_rows> rows;
      std::string message = message_of([&] { rows = check_seal(file("f")); });
      const bool number = (at >= 40 && at < 64) || (at >= 200 && at < 216);
      EXPECT_EQ(message.empty(), number) << at;
      if (message.empty()) message = message_of([&] { check_rows(file("f"), rows); });
      EXPECT_THAT(message, HasSubstr(at < 8 ? "is no HDF5 file" : "is damaged")) << at;
    }
  }
}

TEST_F(sealed_file, of_any_length_does_no_harm) {
  const std::string whole = bytes();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    put(whole.substr(0, length));
    EXPECT_THAT(message_of([&] { check_seal(file("f")); }), HasSubstr("truncated")) << length;
  }
}

TEST_F(run_directory, published_rows_are_sealed_by_row) {
  constexpr auto whole = config::number_precision::double_precision;
  const auto head = [](hdf5_file& f) {
    return std::vector{f.lay_out("/a", {2, 3}, whole), f.lay_out("/b", {4, 1}, whole)};
  };
  const std::vector<double> a{1, 2, 3, 4, 5, 6}, b{7, 8, 9, 10};
  write_published(context, file("p.h5"), 80, head, [&](row_writer& rows) {
    rows.write(0, 0, std::as_bytes(std::span(a).first(3)));  // in pieces, as ranks do
    rows.write(0, 1, std::as_bytes(std::span(a).last(3)));
    rows.write(1, 0, std::as_bytes(std::span(b)));
  });
  const hdf5_file in = hdf5_file::open(file("p.h5"));
  ASSERT_EQ(in.sealed().size(), 2U);
  check_rows(file("p.h5"), in.sealed());
  EXPECT_EQ(in.read<double>("/a"), a);
  EXPECT_EQ(in.read<double>("/b"), b);
}

}  // namespace
}  // namespace rednova::output
