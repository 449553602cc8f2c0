#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "microslip/report/base64.hpp"
#include "microslip/report/figure_json.hpp"
#include "microslip/report/overlay.hpp"
#include "microslip/report/page_figure.hpp"
#include "microslip/report/report_page.hpp"
#include "microslip/report/run_directory.hpp"
#include "microslip/report/thin_curve.hpp"
#include "microslip/results/results.hpp"
#include "support/folder_test.hpp"

namespace microslip {
namespace page_test {

namespace fs = std::filesystem;

class PageTest : public test::FolderTest {
 protected:
  static std::string read(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write(const std::string& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

  /// Results of one analysis "a" with a table (t, y) and a figure of it.
  std::string results(const std::string& name, const std::string& title = "Title", long rows = 10) {
    const std::string directory = path(name);
    Results out(directory, {"m", "N", "s"}, {});
    out.settings("a", {{"kind", "test"}});
    TableSink sink = out.table("a");
    const Column columns[] = {{"t", "time", "time"}, {"y", "length", "height"}};
    sink.begin(columns);
    for (long i = 0; i < rows; ++i) {
      const double values[] = {0.5 * static_cast<double>(i), i == 3 ? std::nan("") : static_cast<double>(i * i)};
      sink.row(values);
    }
    sink.close();
    out.close();
    Figure figure;
    figure.name = "f";
    figure.title = "Heights";
    figure.x = {"time", "time", false};
    figure.y = {"height", "length", false};
    Curve curve;
    curve.x = "t";
    curve.y = "y";
    figure.curves = {curve};
    nlohmann::ordered_json json = {
        {"format", 1}, {"title", title}, {"study", "x = 1"}, {"units", {{"length", "m"}, {"time", "s"}}}};
    json["analyses"].push_back({{"kind", "test"},
                                {"name", "a"},
                                {"ending", "completed"},
                                {"words", "It rose."},
                                {"tables",
                                 {{{"part", ""},
                                   {"file", "a.csv"},
                                   {"rows", rows},
                                   {"columns",
                                    {{{"name", "t"}, {"unit", "s"}, {"description", "time"}},
                                     {{"name", "y"}, {"unit", "m"}, {"description", "height"}}}}}}},
                                {"figures", {to_json(figure)}}});
    out.text("report.json", text_of(json));
    return directory;
  }
};

TEST(FigureJson, ComesBackAsItWas) {
  Figure figure;
  figure.name = "f";
  figure.title = "T";
  figure.kind = FigureKind::map;
  figure.x = {"x", "length", true};
  figure.z = {"z", "-", false};
  Curve curve;
  curve.table = "special";
  curve.x = "a";
  curve.y = "b";
  curve.z = "c";
  curve.label = "l";
  curve.split = {"mode", "level"};
  curve.where = {{"kind", 2.5}};
  curve.stable = "stable";
  curve.style = CurveStyle::steps;
  figure.curves = {curve, Curve{}};
  figure.marks = {{curve, "fold"}};
  figure.picking = {"near_hz", "pole", "mode", curve, {"damping ratio", "-", false}, "A."};
  figure.caption = "C";
  const nlohmann::ordered_json json = to_json(figure);
  const Figure back = figure_from_json(json);
  EXPECT_EQ(to_json(back), json);
  EXPECT_EQ(back.kind, FigureKind::map);
  EXPECT_TRUE(back.x.log);
  EXPECT_EQ(back.curves.at(0).where.at(0).value, 2.5);
  EXPECT_EQ(back.curves.at(0).style, CurveStyle::steps);
  EXPECT_EQ(back.marks.at(0).event, "fold");
  EXPECT_EQ(back.picking.known.table, "special");
}

TEST(FigureJson, RefusesWhatIsNotAFigure) {
  for (const char* text : {"[]", "3", R"({"kind":"pie"})", R"({"name":3})", R"({"curves":[{"style":"wavy"}]})",
                           R"({"curves":[{"split":[1]}]})", R"({"x":[]})", R"({"curves":[3]})"}) {
    EXPECT_THROW(static_cast<void>(figure_from_json(nlohmann::ordered_json::parse(text))), std::invalid_argument)
        << text;
  }
}

// RFC 4648, section 10.
TEST(Base64, TestVectors) {
  const auto coded = [](std::string_view text) {
    std::string result;
    append_base64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, result);
    return result;
  };
  EXPECT_EQ(coded(""), "");
  EXPECT_EQ(coded("f"), "Zg==");
  EXPECT_EQ(coded("fo"), "Zm8=");
  EXPECT_EQ(coded("foo"), "Zm9v");
  EXPECT_EQ(coded("foob"), "Zm9vYg==");
  EXPECT_EQ(coded("foobar"), "Zm9vYmFy");
}

TEST(ThinCurve, LosesNoPeakAndMovesNoPoint) {
  constexpr std::size_t size = 100'000, columns = 250;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  std::vector<double> x(size), y(size);
  for (std::size_t i = 0; i < size; ++i) {
    x[i] = 1e-3 * static_cast<double>(i);
    y[i] = any(random);
  }
  y[31'415] = 9.0;
  y[92'653] = -9.0;
  const std::vector<std::size_t> kept = thin_curve(x, y, false, columns);
  EXPECT_LE(kept.size(), 4 * (columns + 1));
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
  EXPECT_TRUE(std::binary_search(kept.begin(), kept.end(), 31'415U));
  EXPECT_TRUE(std::binary_search(kept.begin(), kept.end(), 92'653U));
  EXPECT_EQ(kept.front(), 0U);
  EXPECT_EQ(kept.back(), size - 1);
}

TEST(ThinCurve, OnALogarithmicAxisThePointsOfTheFirstDecadeRemain) {
  std::vector<double> x, y;
  for (int i = 0; i < 100'000; ++i) {
    x.push_back(i);
    y.push_back(i % 2);
  }
  const std::vector<std::size_t> kept = thin_curve(x, y, true, 1000);
  for (std::size_t i = 1; i < 10; ++i) EXPECT_EQ(kept.at(i - 1), i);  // 0 has no place there
}

// A loop of many points goes to both of its tips on every pass.
TEST(ThinCurve, KeepsLoopsWhole) {
  std::vector<double> x, y;
  for (int i = 0; i <= 40'000; ++i) {
    const double angle = 2.0 * M_PI * i / 20'000.0;
    x.push_back(std::cos(angle));
    y.push_back(std::sin(angle));
  }
  const auto kept = thin_curve(x, y, false, 100);
  int tips = 0;
  for (const std::size_t i : kept) tips += std::abs(x[i]) == 1.0 ? 1 : 0;
  EXPECT_GE(tips, 5);  // right, left, right, left, right
  EXPECT_LE(kept.size(), 4U * 4U * 101U);
}

// A cloud of 40 000 dots in a square: at most one in each of 500 x 250 cells of 2 px stays, and in 125 000 cells so
// many dots leave 125 000 (1 - e^-0.32) = 34 230 occupied, with a standard deviation below 100. What a dot tells goes
// with it.
TEST(PageFigure, DotsThatLieOverOthersGoWithWhatTheyTell) {
  Plot plot;
  PlotLine line;
  line.style = CurveStyle::dots;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(0.0, 1.0);
  for (int i = 0; i < 40'000; ++i) {
    line.x.push_back(place(random));
    line.y.push_back(place(random));
  }
  line.more = {{"x again", "", line.x}};
  plot.lines = {line};
  const PageFigure figure = page_figure(plot, 1, 1.0);
  const auto shown = nlohmann::json::parse(figure.data)["lines"][0];
  EXPECT_EQ(shown["more"][0]["values"], shown["x"]);
  const double dots = static_cast<double>(shown["x"].get<std::string>().size()) * 0.75 / 8.0;
  EXPECT_NEAR(dots, 34'230.0, 500.0);
  EXPECT_FALSE(shown.contains("detail"));
  ASSERT_EQ(figure.notes.size(), 1U);
  EXPECT_NE(figure.notes[0].find("Of 40000 dots"), std::string::npos);
}

TEST_F(PageTest, ReadsTablesFromHdf5OrElseFromCsv) {
  const std::string directory = results("r");
  for (const bool with_hdf5 : {true, false}) {
    if (!with_hdf5) fs::remove(directory + "/results.h5");
    const RunDirectory run(directory);
    const ReportedAnalysis& analysis = run.analyses.at(0);
    const auto columns = run.columns(analysis, analysis.tables.at(0), {"y", "t", "none"});
    ASSERT_EQ(columns.size(), 2U);
    ASSERT_EQ(columns.at("y").size(), 10U);
    EXPECT_EQ(columns.at("t")[5], 2.5);
    EXPECT_EQ(columns.at("y")[5], 25.0);
    EXPECT_TRUE(std::isnan(columns.at("y")[3]));
    EXPECT_EQ(run.first_rows(analysis, analysis.tables.at(0), 3).size(), 3U);
  }
}

TEST_F(PageTest, AnyBytesInsteadOfTheTablesAreSurvived) {
  const std::string directory = results("r", "Title", 3000);
  const std::string whole = read(directory + "/results.h5");
  std::mt19937 random(3);
  for (int i = 0; i < 60; ++i) {
    std::string bytes = whole;
    if (i % 3 == 0) bytes.resize(random() % whole.size());
    for (int k = 0; k < 20 && !bytes.empty(); ++k)
      bytes[random() % std::min<std::size_t>(bytes.size(), 4096)] = static_cast<char>(random());
    write(directory + "/results.h5", bytes);
    EXPECT_NE(report_page({&directory, 1}).find("Heights"), std::string::npos);
  }
  write(directory + "/results.h5", "nothing");
  write(directory + "/a.csv", "t,y\n1,2,3\n");
  const std::string page = report_page({&directory, 1});
  EXPECT_NE(page.find("cannot be drawn"), std::string::npos);
  EXPECT_NE(page.find("a row should have 2 numbers, got 3"), std::string::npos);
}

TEST_F(PageTest, AnyBytesInsteadOfReportJsonAreRefusedOrShown) {
  const std::string directory = results("r");
  const std::string whole = read(directory + "/report.json");
  std::mt19937 random(5);
  for (int i = 0; i < 300; ++i) {
    std::string bytes = whole;
    for (int k = 0; k < 3; ++k) bytes[random() % bytes.size()] = "{}[]\",:0x\xff"[random() % 10];
    write(directory + "/report.json", bytes);
    try {
      EXPECT_NE(report_page({&directory, 1}).find("</html>"), std::string::npos);
    } catch (const InputError&) {
    }
  }
  for (const char* text :
       {R"({"format":1,"analyses":[3,{}]})", R"({"format":1,"analyses":[{"tables":[{"rows":-1}]}]})",
        R"({"format":1,"analyses":[{"name":"a","tables":[{"file":"../../etc/passwd","columns":[{}]}]}]})",
        R"({"format":1,"analyses":[],"geometry":{"points":[[0,0,0]],"lines":[[7]]}})"}) {
    write(directory + "/report.json", text);
    EXPECT_NE(report_page({&directory, 1}).find("</html>"), std::string::npos) << text;
  }
  for (const char* text : {"{}", "[]", R"({"format":1})", R"({"format":1,"analyses":3})", R"({"analyses":[]})"}) {
    write(directory + "/report.json", text);
    EXPECT_THROW(static_cast<void>(report_page({&directory, 1})), InputError) << text;
  }
}

TEST_F(PageTest, SaysWhatIsNotADirectoryOfResults) {
  const auto complaint = [](const std::string& directory) -> std::string {
    try {
      static_cast<void>(report_page({&directory, 1}));
    } catch (const InputError& error) {
      return error.message();
    }
    return "";
  };
  EXPECT_EQ(complaint(path("nowhere")), "there is no such directory");
  write(path("file"), "x");
  EXPECT_NE(complaint(path("file")).find("is not a directory"), std::string::npos);
  fs::create_directories(path("empty"));
  EXPECT_NE(complaint(path("empty")).find("no report.json"), std::string::npos);
  write(path("empty") + "/summary.json", "{}");
  EXPECT_NE(complaint(path("empty")).find("run it again"), std::string::npos);
}

TEST_F(PageTest, RefusesAnotherFormat) {
  const std::string directory = results("r");
  const std::string file = directory + "/report.json";
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(read(file));
  const auto complaint = [&](const nlohmann::ordered_json& format) -> std::string {
    json["format"] = format;
    write(file, json.dump());
    try {
      static_cast<void>(report_page({&directory, 1}));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint(1), "");
  const std::string advice = ": of another version of microslip; run the study again with this one";
  EXPECT_EQ(complaint(2), file + ": format must be 1, got 2" + advice);
  EXPECT_EQ(complaint(0.5), file + ": format must be 1, got 0.5" + advice);
  EXPECT_EQ(complaint("1"), file + ": is not a report.json of microslip");
}

TEST_F(PageTest, OverlaysRunsByTheirDirectories) {
  const std::string directories[] = {results("before-results"), results("after-results")};
  const std::string page = report_page(directories);
  EXPECT_NE(page.find("before · after"), std::string::npos);
  EXPECT_NE(page.find("2 runs on the same axes"), std::string::npos);
  EXPECT_NE(page.find("\"label\":\"before\""), std::string::npos);
  EXPECT_NE(page.find("\"label\":\"after\""), std::string::npos);
}

TEST_F(PageTest, NamesRunsOfEqualDirectoriesByTheirTitles) {
  fs::create_directories(path("a"));
  fs::create_directories(path("b"));
  std::vector<RunDirectory> runs;
  runs.emplace_back(results("a/r", "First"));
  runs.emplace_back(results("b/r", "Second"));
  EXPECT_EQ(run_labels(runs), (std::vector<std::string>{"First", "Second"}));
}

TEST_F(PageTest, HoldsNothingThatAsksForTheNetwork) {
  const std::string directory = results("r");
  const std::string page = report_page({&directory, 1});
  for (const char* word : {"src=\"http", "href=\"http", "@import", "url("})
    EXPECT_EQ(page.find(word), std::string::npos) << word;
}

}  // namespace page_test
}  // namespace microslip
