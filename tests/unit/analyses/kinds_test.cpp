// The table of kinds against what is there of each: its folder, its chapter, and a look at its figures.

#include "microslip/analyses/kinds.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "microslip/io/text_file.hpp"

namespace microslip {
namespace kinds_test {

using Names = std::set<std::string>;

const std::filesystem::path root = MICROSLIP_SOURCE_DIR;

Names table_of_kinds() {
  const std::vector<std::string_view> kinds = analysis_kinds();
  return {kinds.begin(), kinds.end()};
}

std::string text_of(const char* file) {
  return read_text_file((root / file).string());
}

/// First groups of all matches.
Names matches(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  Names names;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) names.insert((*at)[1]);
  return names;
}

TEST(Kinds, AreNamedOnce) {
  EXPECT_EQ(table_of_kinds().size(), analysis_kinds().size());
}

TEST(Kinds, HaveAFolderEach) {
  Names folders;
  for (const auto& entry : std::filesystem::directory_iterator(root / "src/microslip/analyses")) {
    if (std::filesystem::exists(entry.path() / "analysis.hpp")) folders.insert(entry.path().filename().string());
  }
  EXPECT_EQ(table_of_kinds(), folders);
}

TEST(Kinds, AreDocumented) {
  const std::string text = text_of("docs/study-file.md");
  const std::size_t begin = text.find("\n## analyses\n");
  ASSERT_NE(begin, std::string::npos);
  const std::string chapter = text.substr(begin, text.find("\n## ", begin + 1) - begin);
  EXPECT_EQ(table_of_kinds(), matches(chapter, R"re(\n### `kind = "([^"]*)"`)re"));
}

TEST(Kinds, AreLookedAtByTheTestOfFigures) {
  EXPECT_EQ(table_of_kinds(),
            matches(text_of("tests/unit/analyses/figures_test.cpp"), R"re(\banalysis\("([^"]*)",)re"));
}

}  // namespace kinds_test
}  // namespace microslip
