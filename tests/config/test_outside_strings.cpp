// Characters that only strings and comments may have, which the library for TOML must not see elsewhere.
#include <gtest/gtest.h>

#include "config/outside_strings.hpp"

namespace rednova::config {
namespace {

constexpr auto none = std::string_view::npos;

TEST(outside_strings, strings_and_comments_may_have_any_character) {
  for (const char* text : {"a = \"ź\"", "# ź", "a = 'ź'", "a = [\"ź\",\"ź\"]", "a = {b=\"ź\"}", "\"ź\" = 1",
                           "a = \"\"\"\nź \" ź\"\"\"\nb = 1", "a = \"\\\"ź\"", "\xEF\xBB\xBF\"ź\" = 1", "[\"ź\"]"})
    EXPECT_EQ(find_outside_strings(text), none) << text;
}

TEST(outside_strings, elsewhere_they_are_found) {
  EXPECT_EQ(find_outside_strings("ź = 1"), 0U);
  EXPECT_EQ(find_outside_strings("a = ź"), 4U);
  EXPECT_EQ(find_outside_strings("\xEF\xBB\xBF\xEF\xBB\xBF"), 3U) << "a second mark";
}

// The library reads such a value to its end before it finds out that quotes cannot stand there.
TEST(outside_strings, quotes_within_a_value_begin_no_string) {
  EXPECT_EQ(find_outside_strings("a = 1.\"ź\""), 7U);
  EXPECT_EQ(find_outside_strings("a = 3.E\"\"\"75ź\"\"\""), 12U);
  EXPECT_EQ(find_outside_strings("a = inf'ź'"), 8U);
}

}  // namespace
}  // namespace rednova::config
