#include "microslip/report/svg_plot.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <regex>

#include "microslip/report/number_text.hpp"
#include "microslip/report/overlay.hpp"
#include "microslip/report/png_picture.hpp"
#include "microslip/report/svg_legend.hpp"
#include "microslip/report/svg_text.hpp"
#include "microslip/report/thin_line.hpp"

namespace microslip {
namespace svg_plot_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

Plot plot_of(std::vector<double> x, std::vector<double> y, std::string label = "") {
  Plot plot;
  plot.x.label = "time";
  plot.y.label = "force";
  PlotLine line;
  line.x = std::move(x);
  line.y = std::move(y);
  line.label = std::move(label);
  plot.lines.push_back(line);
  return plot;
}

/// Every tag closed, every `&` an entity, quotes balanced, no control characters: what an XML reader would refuse.
::testing::AssertionResult well_formed(const std::string& text) {
  std::vector<std::string> open;
  static const std::regex tag(R"(<(/?)([a-z]+)((?:\s+[a-zA-Z-]+="[^"<]*")*)\s*(/?)>)");
  std::size_t place = 0;
  while (place < text.size()) {
    const std::size_t next = text.find('<', place);
    const std::string words = text.substr(place, next - place);
    static const std::regex word(R"((?:[^&<>\x00-\x08\x0B-\x1F]|&(?:lt|gt|amp|quot|#39);)*)");
    if (words.size() < 5000 && !std::regex_match(words, word))
      return ::testing::AssertionFailure() << "words: " << words;
    if (next == std::string::npos) break;
    const std::size_t end = text.find('>', next);
    if (end == std::string::npos) return ::testing::AssertionFailure() << "open tag";
    const std::string piece = text.substr(next, end + 1 - next);
    if (piece.find(" d=\"") == std::string::npos) {  // paths may be too long for the pattern
      std::smatch match;
      if (!std::regex_match(piece, match, tag)) return ::testing::AssertionFailure() << "tag: " << piece;
      if (match[1] == "/") {
        if (open.empty() || open.back() != match[2]) return ::testing::AssertionFailure() << "close: " << piece;
        open.pop_back();
      } else if (match[4] != "/") {
        open.push_back(match[2]);
      }
    }
    place = end + 1;
  }
  if (!open.empty()) return ::testing::AssertionFailure() << "not closed: " << open.back();
  return ::testing::AssertionSuccess();
}

void expect_picture(const Plot& plot) {
  const std::string picture = svg(plot);
  EXPECT_TRUE(well_formed(picture));
  EXPECT_EQ(picture.find("nan"), std::string::npos);
  EXPECT_EQ(picture.find("inf"), std::string::npos);
  EXPECT_EQ(picture, svg(plot)) << "the same every time";
  EXPECT_EQ(png(picture).substr(1, 3), "PNG");
}

/// Coordinates of the first curve's path.
std::vector<Spot> first_curve(const std::string& picture) {
  const std::size_t at = picture.find("stroke=\"#0b4ea2\"");
  const std::size_t start = picture.rfind("d=\"", at) + 3;
  const std::string path = picture.substr(start, picture.find('"', start) - start);
  static const std::regex number(R"(-?[0-9.]+)");
  std::vector<double> values;
  for (std::sregex_iterator i(path.begin(), path.end(), number), end; i != end; ++i)
    values.push_back(std::stod(i->str()));
  std::vector<Spot> spots;
  for (std::size_t i = 0; i + 1 < values.size(); i += 2) spots.push_back({values[i], values[i + 1]});
  return spots;
}

TEST(SvgText, HostileWordsAreHarmless) {
  EXPECT_EQ(escaped("<script>alert('x' & \"y\")</script>"),
            "&lt;script&gt;alert(&#39;x&#39; &amp; &quot;y&quot;)&lt;/script&gt;");
  EXPECT_EQ(escaped(std::string("a\0b\x1b", 4)),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD");
  EXPECT_EQ(escaped("\xC3\xA4 \xC3 \xED\xA0\x80"), "\xC3\xA4 \xEF\xBF\xBD \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD")
      << "broken UTF-8";
  EXPECT_EQ(shortened("abcdef", 4), "abc…");
  EXPECT_EQ(shortened("äöüß", 4), "äöüß");
  EXPECT_EQ(shortened("äöüßä", 4), "äöü…");
  EXPECT_LE(text_width(shortened_to_width(std::string(10'000, 'W'), 10.0)), 10.0);
}

TEST(ThinLine, KeepsEveryPeak) {
  // A million points, a spike of one point at a place that no even choice would hit.
  std::vector<Spot> line;
  for (int i = 0; i < 1'000'000; ++i) line.push_back({600.0 * i / 1e6, std::sin(0.01 * i)});
  line[777'777].y = 50.0;
  line[123'457].y = -30.0;
  const std::vector<Spot> thin = thin_line(line, 0.5);
  EXPECT_LE(thin.size(), 4U * 1200U);
  const auto [low, high] = std::minmax_element(thin.begin(), thin.end(), [](auto a, auto b) { return a.y < b.y; });
  EXPECT_EQ(high->y, 50.0);
  EXPECT_EQ(high->x, line[777'777].x);
  EXPECT_EQ(low->y, -30.0);
  // The picture is the same: every point lies in its column between kept ones.
  for (std::size_t i = 0; i < line.size(); i += 997) {
    double least = inf, most = -inf;
    for (const Spot& spot : thin) {
      if (std::floor(spot.x / 0.5) != std::floor(line[i].x / 0.5)) continue;
      least = std::min(least, spot.y);
      most = std::max(most, spot.y);
    }
    EXPECT_GE(line[i].y, least);
    EXPECT_LE(line[i].y, most);
  }
}

TEST(ThinLine, LoopsAndBreaks) {
  std::vector<Spot> loop;
  constexpr double turn = 6.283185307179586;
  for (int i = 0; i <= 100'000; ++i)
    loop.push_back({300 + 200 * std::cos(turn * i / 1e5), 200 + 100 * std::sin(turn * i / 1e5)});
  const std::vector<Spot> thin = thin_line(loop, 0.5);
  EXPECT_LT(thin.size(), 6000U);
  // The way along the thin loop is that of the ellipse (Ramanujan's formula, error far below 1e-4).
  double way = 0.0;
  for (std::size_t i = 1; i < thin.size(); ++i) way += std::hypot(thin[i].x - thin[i - 1].x, thin[i].y - thin[i - 1].y);
  const double a = 200, b = 100, h = std::pow((a - b) / (a + b), 2);
  EXPECT_NEAR(way, 0.5 * turn * (a + b) * (1 + 3 * h / (10 + std::sqrt(4 - 3 * h))), 1e-3 * way);
  const std::vector<Spot> broken = thin_line({{nan, 0}, {0, 0}, {1, 1}, {nan, nan}, {nan, nan}, {2, 2}, {nan, 1}}, 0.5);
  ASSERT_EQ(broken.size(), 4U);
  EXPECT_TRUE(std::isnan(broken[2].x));
  EXPECT_EQ(broken[3].x, 2.0);
}

TEST(ThinLine, AreasStayFinite) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal(300.0, 60.0);
  std::vector<Spot> cloud(1'000'000);
  for (Spot& spot : cloud) spot = {normal(random), normal(random)};
  for (Spot& spot : cloud) spot = {std::clamp(spot.x, 0.0, 600.0), std::clamp(spot.y, 0.0, 600.0)};
  const std::vector<Spot> thin = only_new_ink(thin_line(cloud, 0.5), 600.0, 600.0, 1.0);
  EXPECT_LE(thin.size(), 3U * 600U * 600U) << "a pixel of new ink for each stroke";
  EXPECT_LE(thin.size(), cloud.size() / 5U);
  const auto rightmost = [](const Spot& a, const Spot& b) {
    return std::isnan(a.x) || (!std::isnan(b.x) && a.x < b.x);
  };
  EXPECT_EQ(std::max_element(thin.begin(), thin.end(), rightmost)->x,
            std::max_element(cloud.begin(), cloud.end(), rightmost)->x);
  EXPECT_LE(thin_dots(cloud, 2.0).size(), 300U * 300U);
}

TEST(SvgPlot, CurveIsWhereItsNumbersAre) {
  const std::string picture = svg(plot_of({0.0, 1.0, 2.0, 4.0}, {0.0, 10.0, -10.0, 5.0}));
  const std::vector<Spot> spots = first_curve(picture);
  ASSERT_EQ(spots.size(), 4U);
  // Affine: differences of places are in the ratio of differences of numbers, to the two decimals written.
  EXPECT_NEAR((spots[3].x - spots[0].x) / (spots[1].x - spots[0].x), 4.0, 1e-3);
  EXPECT_NEAR((spots[2].y - spots[0].y) / (spots[1].y - spots[0].y), -1.0, 1e-3);
  EXPECT_LT(spots[1].y, spots[0].y) << "up is up";
}

TEST(SvgPlot, LogAxis) {
  Plot plot = plot_of({1.0, 10.0, 1000.0, 0.0, -1.0}, {1.0, 2.0, 3.0, 4.0, 5.0});
  plot.x.log = true;
  const std::vector<Spot> spots = first_curve(svg(plot));
  ASSERT_GE(spots.size(), 3U);
  EXPECT_NEAR((spots[2].x - spots[0].x) / (spots[1].x - spots[0].x), 3.0, 1e-3);
  EXPECT_NE(svg(plot).find("2 values ≤ 0 not on the log axis x"), std::string::npos);
}

TEST(SvgPlot, LongCurvesAreShort) {
  std::vector<double> x, y;
  for (int i = 0; i < 1'000'000; ++i) {
    x.push_back(i * 1e-3);
    y.push_back(std::sin(0.37 * i) * std::exp(-i * 1e-6));
  }
  EXPECT_LT(svg(plot_of(x, y)).size(), 120'000U);
}

TEST(SvgPlot, NothingToDrawIsSaid) {
  for (const Plot& plot : {Plot{}, plot_of({}, {}), plot_of({1.0, 2.0}, {nan, nan}), plot_of({nan}, {1.0})}) {
    EXPECT_NE(svg(plot).find("no values to draw"), std::string::npos);
    expect_picture(plot);
  }
}

TEST(SvgPlot, DegenerateData) {
  expect_picture(plot_of({1.0}, {2.0}));
  expect_picture(plot_of({0.0, 1.0}, {0.0, 0.0}));
  expect_picture(plot_of({1.0, 1.0, 1.0}, {3.0, 3.0, 3.0}));
  expect_picture(plot_of({1.0, 2.0, 3.0}, {-1.7e308, 1.7e308, nan}));
  expect_picture(plot_of({1.0, 2.0}, {5e-324, 1e-322}));
  expect_picture(plot_of({1.0, 2.0, 3.0}, {1.0, inf, -inf}));
  expect_picture(plot_of({1e300, 1.0000001e300}, {1.0, 1.0 + 1e-15}));
  for (Plot plot : {plot_of({1e-300, 1e300}, {5e-324, 1.7e308}), plot_of({1.0}, {-1.0}), plot_of({2.0}, {2.0})}) {
    plot.x.log = plot.y.log = true;
    expect_picture(plot);
  }
}

TEST(SvgPlot, HostileLabels) {
  const std::string hostile = "\"><script>alert(1)</script>\x01" + std::string(10'000, 'x');
  Plot plot = plot_of({1.0, 2.0}, {1.0, 2.0}, hostile);
  plot.lines.push_back(plot.lines.front());
  plot.lines.back().colour = 1;
  plot.title = plot.x.label = plot.y.label = plot.x.unit = hostile;
  plot.marks.push_back({hostile, {1.5}, {1.5}, {}});
  expect_picture(plot);
  EXPECT_EQ(svg(plot).find("<script"), std::string::npos);
  EXPECT_LT(svg(plot).size(), 20'000U);
}

TEST(SvgPlot, UnstableIsDashedAndSaid) {
  Plot plot = plot_of({1.0, 2.0}, {1.0, 2.0}, "level 1");
  plot.lines.push_back(plot.lines.front());
  plot.lines.back().dashed = true;
  plot.lines.back().in_legend = false;
  const std::string picture = svg(plot);
  EXPECT_NE(picture.find("stroke-dasharray"), std::string::npos);
  EXPECT_NE(picture.find(">unstable<"), std::string::npos);
  EXPECT_NE(picture.find(">level 1<"), std::string::npos);
  expect_picture(plot);
}

/// Boxes of the words of the legend, from the picture itself, do not lie on the curves.
TEST(SvgPlot, LegendHidesNothing) {
  Plot plot;
  for (int k = 0; k < 12; ++k) {
    PlotLine line;
    line.label = "curve number " + std::to_string(k);
    line.colour = k;
    for (int i = 0; i <= 100; ++i) {
      line.x.push_back(i);
      line.y.push_back(std::sin(0.1 * i + k) * 10);
    }
    plot.lines.push_back(line);
  }
  const std::string picture = svg(plot);
  expect_picture(plot);
  const std::regex word(R"re(<text x="([0-9.]+)" y="([0-9.]+)"[^>]*>curve number)re");
  int words = 0;
  for (std::sregex_iterator i(picture.begin(), picture.end(), word), end; i != end; ++i) {
    ++words;
    for (const Spot& spot : first_curve(picture)) {
      EXPECT_FALSE(spot.x > std::stod((*i)[1]) && spot.y > std::stod((*i)[2]) - 13.0 && spot.y < std::stod((*i)[2]));
    }
  }
  EXPECT_EQ(words, 12);
}

TEST(SvgPlot, MapsSpaceStepsAndShapes) {
  Plot map;
  map.kind = FigureKind::map;
  map.z = {"amplitude", "m", true};
  map.map = {{1, 2, 3}, {10, 20}, {1, 2, 3, 4, nan, -6}};
  expect_picture(map);
  EXPECT_NE(svg(map).find("1 value ≤ 0"), std::string::npos);
  map.map = {{1}, {10}, {1}};
  expect_picture(map);
  map.map = {{0, 1, 2}, {1, 10, 100}, {1, 2, 3}};  // too few values: the rest has none
  map.x.log = map.y.log = true;
  expect_picture(map);

  Plot space = plot_of({0, 1, 2, nan}, {0, 1, 0, 1}, "orbit");
  space.lines[0].z = {0, 1, 2, 3};
  space.z.label = "velocity";
  expect_picture(space);
  EXPECT_NE(svg(space).find(">velocity<"), std::string::npos);
  space.kind = FigureKind::shapes;
  space.lines.push_back(space.lines[0]);
  space.lines.back().colour = -1;
  expect_picture(space);

  Plot steps = plot_of({0, 1, 2}, {0, 1, 0});
  steps.lines[0].style = CurveStyle::steps;
  EXPECT_EQ(first_curve(svg(steps)).size(), 5U);
  steps.lines[0].style = CurveStyle::line_and_dots;
  expect_picture(steps);
  steps.lines[0].style = CurveStyle::dots;
  expect_picture(steps);
}

TEST(Png, HasTheSizeAskedFor) {
  SvgOptions options;
  options.width = 300;
  options.height = 200;
  const std::string bytes = png(svg(plot_of({0, 1}, {0, 1}), options), 2.0);
  const auto number = [&](std::size_t at) {
    int value = 0;
    for (std::size_t i = at; i < at + 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
  };
  ASSERT_GT(bytes.size(), 100U);
  EXPECT_EQ(number(16), 600);
  EXPECT_EQ(number(20), 400);
  EXPECT_THROW(static_cast<void>(png("not a picture")), OutputError);
}

TEST(Legend, IsHeadedByTheMethod) {
  Plot plot;
  plot.method = "harmonic balance";
  plot.lines.push_back({"", {1, 2}, {3, 4}, {}});
  ASSERT_EQ(legend_entries(plot, false).size(), 1U);
  EXPECT_EQ(legend_entries(plot, false)[0].label, "harmonic balance");
  plot.lines[0].label = "level 1";
  EXPECT_EQ(legend_entries(plot, false)[0].label, "harmonic balance, level 1");
  plot.lines.push_back({"level 2", {1, 2}, {3, 4}, {}});
  const auto entries = legend_entries(plot, false);
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].label, "harmonic balance");
  EXPECT_FALSE(entries[0].line);
  EXPECT_EQ(entries[1].label, "level 1");
}

TEST(Overlay, MethodsThatDifferAreNamedByEachCurve) {
  const auto part = [](const char* method) {
    Resolved result;
    result.plot.method = method;
    result.plot.lines.push_back({"level 1", {1, 2}, {3, 4}, {}});
    return result;
  };
  const std::vector<std::string> names = {"a", "b"};
  std::vector<Resolved> alike = {part("shooting"), part("shooting")};
  const Resolved same = overlaid(alike, names);
  EXPECT_EQ(same.plot.method, "shooting");
  EXPECT_EQ(same.plot.lines[1].label, "b: level 1");
  std::vector<Resolved> unlike = {part("shooting"), part("harmonic balance")};
  const Resolved mixed = overlaid(unlike, names);
  EXPECT_EQ(mixed.plot.method, "");
  EXPECT_EQ(mixed.plot.lines[1].label, "b: harmonic balance, level 1");
}

}  // namespace svg_plot_test
}  // namespace microslip
