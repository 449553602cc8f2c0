#include "microslip/numerics/nearest_name.hpp"

#include <gtest/gtest.h>

namespace microslip {
namespace nearest_name_test {

// Textbook distances (Wagner and Fischer 1974; the swap of neighbours counts one).
TEST(NearestName, CountsEdits) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("same", "same"), 0);
  EXPECT_EQ(edit_distance("bteween", "between"), 1);
}

TEST(NearestName, SuggestsWhatIsNear) {
  const std::vector<std::string> names = {"duration", "step", "method", "modes", "FS", "fs"};
  EXPECT_EQ(nearest_name("durtion", names), "duration");
  EXPECT_EQ(nearest_name("Steps", names), "step");
  EXPECT_EQ(nearest_name("mode", names), "modes");
  EXPECT_EQ(nearest_name("fS", names), "FS");
  EXPECT_EQ(nearest_name("fs", names), "fs");
  EXPECT_EQ(nearest_name("frequency", names), "");
  EXPECT_EQ(nearest_name("x", std::vector<std::string>{}), "");
}

}  // namespace nearest_name_test
}  // namespace microslip
