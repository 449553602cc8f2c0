// papers.toml: reading, mistakes, the page; and that of our examples, whose runs and tests are there.

#include "microslip/gallery/paper_items.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "microslip/gallery/gallery.hpp"
#include "microslip/io/text_file.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace paper_items_test {

class PaperItems : public test::StudyFolder {
 protected:
  [[nodiscard]] std::string reading(const std::string& marked) {
    place_ = write_marked("papers.toml", marked);
    try {
      static_cast<void>(read_paper_items(path("")));
    } catch (const StudyError& error) {
      return without_folder(error.what());
    }
    return "";
  }

  std::string place_;
};

std::string paper(const std::string& items) {
  return "[[paper]]\nname = \"Somebody\"\nitems = [\n" + items + "\n]\n";
}

TEST_F(PaperItems, AreRead) {
  EXPECT_TRUE(read_paper_items(path("")).empty());
  write("papers.toml", paper(R"({ item = "Fig. 1", nothing = "a drawing" },
{ item = "Figs. 2-3", count = 2, runs = ["a:b", "c-d:e"] }, { item = "Fig. 4", tests = ["A.B"], note = "but its b" },
{ item = "Fig. 5", cannot = "not printed" }, { item = "Fig. 6" })"));
  const std::vector<PaperItem> items = read_paper_items(path(""));
  ASSERT_EQ(items.size(), 5U);
  EXPECT_EQ(items[0].paper, "Somebody");
  EXPECT_EQ(items[0].nothing, "a drawing");
  EXPECT_EQ(items[1].count, 2);
  EXPECT_EQ(items[1].runs[1].study, "c-d");
  EXPECT_EQ(items[1].runs[1].analysis, "e");
  EXPECT_EQ(items[2].tests, std::vector<std::string>{"A.B"});
  EXPECT_EQ(items[2].note, "but its b");
  EXPECT_EQ(items[3].cannot, "not printed");
  EXPECT_TRUE(items[4].runs.empty() && items[4].tests.empty() && items[4].nothing.empty() && items[4].cannot.empty());

  // No run has left anything: what needs one is incomplete.
  const GalleryPage page = gallery_page({}, items, path("site"), "1");
  using State = GalleryItem::State;
  EXPECT_EQ(count_of(page, State::nothing), 1);
  EXPECT_EQ(count_of(page, State::incomplete), 2);
  EXPECT_EQ(count_of(page, State::tested), 1);
  EXPECT_EQ(count_of(page, State::cannot), 1);
  EXPECT_EQ(count_of(page, State::missing), 1);
  EXPECT_EQ(count_of(page, State::reproduced), 0);
  EXPECT_NE(html(page).find("6 in all:"), std::string::npos);
  EXPECT_NE(html(page).find("A.B<small>but its b</small>"), std::string::npos);
}

TEST_F(PaperItems, Mistakes) {
  const auto expect = [&](const std::string& marked, const std::string& message) {
    const std::string said = reading(marked);
    EXPECT_EQ(said, place_ + message) << marked;
  };
  expect(paper("{ item = \"Fig. 1\", »run = [] }"), "paper 1: unknown key \"run\"; did you mean \"runs\"?");
  expect(paper("{ item = \"Fig. 1\", runs = [»\"a\"] }"),
         "paper 1: runs: an analysis is \"FOLDER:ANALYSIS\", got \"a\"");
  expect(paper("{ item = \"Fig. 1\", runs = »[] }"), "paper 1: runs: the list is empty");
  expect(paper("»7"), "paper 1: items must be tables, got 7");
  EXPECT_NE(reading(paper("{ item = \"Fig. 1\", tests = [\"A.B\"], nothing = \"x\" }")), "");

  const std::vector<GalleryStudy> studies = {{"lap", "", "", {}, {"ring", "modes"}}};
  const auto checking = [&](const std::string& run) {
    write("papers.toml", paper("{ item = \"Fig. 1\", runs = [\"" + run + "\"] }"));
    try {
      check_paper_items(read_paper_items(path("")), studies);
    } catch (const StudyError& error) {
      return without_folder(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(checking("lap:ring"), "");
  EXPECT_EQ(checking("lab:ring"), "papers.toml:4:1: runs: there is no study \"lab\"; did you mean \"lap\"?");
  EXPECT_EQ(checking("lap:rink"),
            "papers.toml:4:1: runs: study \"lap\" has no analysis \"rink\"; did you mean \"ring\"?");
}

TEST(PapersOfTheExamples, NameTestsAndRunsThatAreThere) {
  const std::filesystem::path root = MICROSLIP_SOURCE_DIR;
  const std::string examples = (root / "examples").string();
  const std::vector<PaperItem> items = read_paper_items(examples);
  ASSERT_GT(items.size(), 100U);
  EXPECT_NO_THROW(check_paper_items(items, find_gallery_studies(examples)));
  // As many tables and figures as the papers have captions; Lacayo's Fig. 2.15 has lost its own, but the text names it.
  std::map<std::string, int> counts;
  for (const PaperItem& item : items) counts[item.paper.substr(0, item.paper.find_first_of(", "))] += item.count;
  EXPECT_EQ(counts, (std::map<std::string, int>{
                        {"Altamirano", 10}, {"Lacayo", 79}, {"Shetty", 69}, {"Wang", 8}, {"Zare", 19}}));

  std::set<std::string> tests;
  const std::regex test(R"re(\bTEST(?:_F|_P)?\((\w+), (\w+)\))re");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "tests")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string text = read_text_file(entry.path().string());
    for (std::sregex_iterator at(text.begin(), text.end(), test), end; at != end; ++at) {
      tests.insert((*at)[1].str() + "." + (*at)[2].str());
    }
  }
  for (const PaperItem& item : items) {
    for (const std::string& name : item.tests) EXPECT_EQ(tests.count(name), 1U) << item.item << ": " << name;
  }
}

}  // namespace paper_items_test
}  // namespace microslip
