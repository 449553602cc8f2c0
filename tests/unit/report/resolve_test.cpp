#include "microslip/report/resolve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "microslip/report/shape_picture.hpp"

namespace microslip {
namespace resolve_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class TestColumns final : public ColumnSource {
 public:
  std::map<std::string, std::vector<double>> columns;

  const std::vector<double>& column(const std::string& table, const std::string& name) override {
    if (!table.empty()) throw MissingColumn("there is no table " + table);
    const auto at = columns.find(name);
    if (at == columns.end()) throw MissingColumn("no column " + name);
    return at->second;
  }
  [[nodiscard]] std::string unit(const std::string&, const std::string& name) const override {
    return name == "level" ? "N" : "-";
  }
};

Figure figure_of(Curve curve) {
  Figure figure;
  figure.title = "t";
  figure.x = {"frequency", "rad/time", false};
  figure.y = {"amplitude", "length", false};
  figure.curves = {std::move(curve)};
  return figure;
}

Curve curve_of(std::vector<std::string> split = {}) {
  Curve curve;
  curve.x = std::string("x");  // not = "x": g++ 12 then warns of its own copy (bug 105651)
  curve.y = std::string("y");
  curve.split = std::move(split);
  return curve;
}

std::vector<double> without_gaps(const std::vector<double>& values) {
  std::vector<double> result;
  for (const double value : values) {
    if (!std::isnan(value)) result.push_back(value);
  }
  return result;
}

TEST(Resolve, TakesTheUnitsOfTheUser) {
  TestColumns columns;
  columns.columns = {{"x", {1, 2}}, {"y", {3, 4}}};
  const Resolved result = resolve(figure_of(curve_of()), columns, {"mm", "N", "s"});
  EXPECT_EQ(result.problem, "");
  EXPECT_EQ(result.plot.x.unit, "rad/s");
  EXPECT_EQ(result.plot.y.unit, "mm");
  ASSERT_EQ(result.plot.lines.size(), 1U);
  EXPECT_EQ(result.plot.lines[0].y, (std::vector<double>{3, 4}));
}

TEST(Resolve, SplitsIntoOneCurveForEachSetOfValuesInTheirOrder) {
  TestColumns columns;
  columns.columns = {{"x", {1, 2, 3, 4, 5}}, {"y", {10, 20, 30, 40, 50}}, {"level", {7, 7, 2, 2, 7}}};
  const Resolved result = resolve(figure_of(curve_of({"level"})), columns, {});
  ASSERT_EQ(result.plot.lines.size(), 2U);
  EXPECT_EQ(result.plot.lines[0].label, "level 7 N");
  EXPECT_EQ(result.plot.lines[0].y, (std::vector<double>{10, 20, 50}));
  EXPECT_EQ(result.plot.lines[1].label, "level 2 N");
  EXPECT_EQ(result.plot.lines[1].colour, 1);
}

TEST(Resolve, KeepsOnlyTheRowsAskedFor) {
  TestColumns columns;
  columns.columns = {{"x", {1, 2, 3}}, {"y", {10, 20, 30}}, {"mode", {1, 2, 1}}};
  Curve curve = curve_of();
  curve.where = {{"mode", 1.0}};
  EXPECT_EQ(resolve(figure_of(curve), columns, {}).plot.lines.at(0).x, (std::vector<double>{1, 3}));
  curve.where = {{"mode", 5.0}};
  EXPECT_EQ(resolve(figure_of(curve), columns, {}).problem, "there are no points");
}

// Unstable parts are dashed and reach to the stable points on both sides; the solid line is broken there.
TEST(Resolve, PointsTellMoreThanTheirPlace) {
  TestColumns columns;
  columns.columns = {{"x", {1, 2, 3}}, {"y", {10, 20, 30}}, {"kind", {1, 2, 1}}, {"level", {4, 5, 6}}};
  Curve curve = curve_of();
  curve.where = {{"kind", 1.0}};
  curve.more = {"level"};
  const Resolved result = resolve(figure_of(curve), columns, {});
  ASSERT_EQ(result.plot.lines.size(), 1U);
  ASSERT_EQ(result.plot.lines[0].more.size(), 1U);
  EXPECT_EQ(result.plot.lines[0].more[0].name, "level");
  EXPECT_EQ(result.plot.lines[0].more[0].unit, "N");
  EXPECT_EQ(result.plot.lines[0].more[0].values, (std::vector<double>{4, 6}));
}

TEST(Resolve, JoinsDashedPartsToSolidOnes) {
  TestColumns columns;
  columns.columns = {{"x", {0, 1, 2, 3, 4, 5, 6}}, {"y", {0, 1, 2, 3, 4, 5, 6}}, {"stable", {1, 1, 0, 0, 1, 0, 1}}};
  Curve curve = curve_of();
  curve.stable = "stable";
  const Plot plot = resolve(figure_of(curve), columns, {}).plot;
  ASSERT_EQ(plot.lines.size(), 2U);
  EXPECT_FALSE(plot.lines[0].dashed);
  EXPECT_TRUE(plot.lines[1].dashed);
  EXPECT_FALSE(plot.lines[1].in_legend);
  EXPECT_EQ(plot.lines[0].colour, plot.lines[1].colour);
  EXPECT_EQ(without_gaps(plot.lines[0].x), (std::vector<double>{0, 1, 4, 6}));
  EXPECT_EQ(without_gaps(plot.lines[1].x), (std::vector<double>{1, 2, 3, 4, 4, 5, 6}));
  EXPECT_TRUE(std::isnan(plot.lines[0].x[2]));
  EXPECT_TRUE(std::isnan(plot.lines[1].x[4]));
}

TEST(Resolve, BreaksAngles) {
  TestColumns columns;
  columns.columns = {{"x", {1, 2, 3, 4}}, {"y", {-2.9, -3.1, 3.1, 2.9}}};
  Curve curve = curve_of();
  curve.period = 6.283185307179586;
  const Resolved result = resolve(figure_of(curve), columns, {});
  ASSERT_EQ(result.plot.lines.size(), 1U);
  ASSERT_EQ(result.plot.lines[0].y.size(), 5U);
  EXPECT_TRUE(std::isnan(result.plot.lines[0].y[2]));
  EXPECT_EQ(without_gaps(result.plot.lines[0].y), columns.columns["y"]);
}

TEST(Resolve, AnUnstableCurveHasItsNameInTheLegend) {
  TestColumns columns;
  columns.columns = {{"x", {0, 1}}, {"y", {0, 1}}, {"stable", {0, 0}}};
  Curve curve = curve_of();
  curve.stable = "stable";
  const Plot plot = resolve(figure_of(curve), columns, {}).plot;
  ASSERT_EQ(plot.lines.size(), 1U);
  EXPECT_TRUE(plot.lines[0].dashed && plot.lines[0].in_legend);
}

TEST(Resolve, MarksTheRowsOfAnEvent) {
  TestColumns columns;
  columns.columns = {{"x", {1, 2, 3, 4}}, {"y", {1, 2, 3, nan}}, {"fold", {0, 1, 0, 1}}};
  Figure figure = figure_of(curve_of());
  figure.marks = {{curve_of(), "fold"}};
  const Plot plot = resolve(figure, columns, {}).plot;
  ASSERT_EQ(plot.marks.size(), 1U);
  EXPECT_EQ(plot.marks[0].x, (std::vector<double>{2}));  // the other one has no place
}

TEST(Resolve, FindsWhatIsKnownOfPointsToPick) {
  TestColumns columns;
  columns.columns = {{"x", {1, 2, 3}}, {"y", {4, 5, 6}}, {"mode", {0, 1, 2}}, {"kind", {0, 1, 1}}};
  Figure figure = figure_of(curve_of());
  figure.picking.key = std::string("near_hz");
  figure.picking.known = curve_of();
  figure.picking.known.where = {{"kind", 1.0}};
  figure.picking.known.more = {"mode"};
  const PlotLine known = resolve(figure, columns, {}).plot.picking.known;
  EXPECT_EQ(known.x, (std::vector<double>{2, 3}));
  EXPECT_EQ(known.y, (std::vector<double>{5, 6}));
  EXPECT_EQ(known.more.at(0).values, (std::vector<double>{1, 2}));
  figure.picking.known.table = std::string("elsewhere");
  const Resolved without = resolve(figure, columns, {});
  EXPECT_EQ(without.problem, "");
  EXPECT_EQ(without.plot.picking.key, "near_hz");
  EXPECT_TRUE(without.plot.picking.known.x.empty());
  EXPECT_EQ(without.notes, (std::vector<std::string>{"there is no table elsewhere"}));
}

TEST(Resolve, MakesAGridOfAMap) {
  TestColumns columns;
  columns.columns = {
      {"x", {2, 1, 2, 1}}, {"y", {5, 5, 6, 6}}, {"z", {1, 2, 3, std::numeric_limits<double>::infinity()}}};
  Curve curve = curve_of();
  curve.z = "z";
  Figure figure = figure_of(curve);
  figure.kind = FigureKind::map;
  const PlotMap map = resolve(figure, columns, {}).plot.map;
  EXPECT_EQ(map.x, (std::vector<double>{1, 2}));
  EXPECT_EQ(map.y, (std::vector<double>{5, 6}));
  EXPECT_EQ((std::vector<double>{map.values.begin(), map.values.begin() + 2}), (std::vector<double>{2, 1}));
  EXPECT_TRUE(std::isnan(map.values[2]));
  EXPECT_EQ(map.values[3], 3.0);
}

TEST(Resolve, SaysWhatIsMissing) {
  TestColumns columns;
  columns.columns = {{"x", {1, 2}}, {"y", {3, 4}}};
  Curve other = curve_of();
  other.y = "other";
  EXPECT_EQ(resolve(figure_of(other), columns, {}).problem, "no column other");
  Figure figure = figure_of(curve_of());
  figure.curves.push_back(other);  // the first is drawn all the same
  const Resolved partly = resolve(figure, columns, {});
  EXPECT_EQ(partly.problem, "");
  EXPECT_EQ(partly.notes, (std::vector<std::string>{"no column other"}));
  Curve elsewhere = curve_of();
  elsewhere.table = "events";
  EXPECT_EQ(resolve(figure_of(elsewhere), columns, {}).problem, "there is no table events");
  EXPECT_EQ(resolve(Figure{}, columns, {}).problem, "no curve is declared");
}

TEST(Resolve, ALogarithmicAxisNeedsSomethingPositive) {
  TestColumns columns;
  columns.columns = {{"x", {-1, 0, 2}}, {"y", {-1, -2, -3}}};
  Figure figure = figure_of(curve_of());
  figure.x.log = figure.y.log = true;
  const Resolved result = resolve(figure, columns, {});
  EXPECT_TRUE(result.plot.x.log);
  EXPECT_FALSE(result.plot.y.log);
  EXPECT_EQ(result.notes.size(), 1U);
}

TEST(Resolve, LeavesOutWhatIsTooMuchForAPicture) {
  TestColumns columns;
  for (int i = 0; i < 100; ++i) {
    for (const char* name : {"x", "y", "level"}) columns.columns[name].push_back(i);
  }
  const Resolved result = resolve(figure_of(curve_of({"level"})), columns, {});
  EXPECT_EQ(result.plot.lines.size(), most_curves);
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_NE(result.notes[0].find("60 more"), std::string::npos);
}

TEST(Resolve, MovesTheGeometryByTheShapes) {
  TestColumns columns;
  columns.columns = {{"mode", {1, 2}}, {"phi[a]", {0.5, 2}}, {"phi[b]", {-1, 3}}};
  Curve curve;
  curve.y = "phi";
  curve.split = {"mode"};
  Figure figure = figure_of(curve);
  figure.kind = FigureKind::shapes;
  ShapeGeometry geometry;
  geometry.points = {{0, 0, 0}, {1, 0, 0}};
  geometry.motions = {{0, "a", {0, 1, 0}}, {1, "b", {0, 1, 0}}, {1, "a", {0, 0, 2}}};
  geometry.lines = {{0, 1}};
  const Resolved result = resolve(figure, columns, {}, geometry);
  ASSERT_EQ(result.problem, "");
  ASSERT_EQ(result.plot.shapes.shapes.size(), 2U);
  EXPECT_EQ(result.plot.shapes.shapes[1].label, "mode 2");
  EXPECT_EQ(result.plot.shapes.shapes[1].real[1], (std::array<double, 3>{0, 3, 4}));
  EXPECT_NE(resolve(figure, columns, {}).problem, "");
}

// A measured shape over that of the model: at the points where it has a number, and there as a circle. Where the two
// are the same the circle is on the line.
TEST(Resolve, LaysAShapeOverAnother) {
  TestColumns columns;
  columns.columns = {{"mode", {1, 2}},        {"phi[a]", {0.5, 2}},       {"phi[b]", {-1, 3}},
                     {"phi[c]", {0.25, 0.5}}, {"measured[b]", {-1, 2.5}}, {"measured[c]", {0.3, nan}}};
  Curve model;
  model.y = "phi";
  model.split = {"mode"};
  Figure figure = figure_of(model);
  figure.kind = FigureKind::shapes;
  model.y = "measured";
  figure.curves.push_back(model);
  ShapeGeometry geometry;
  geometry.points = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  geometry.motions = {{0, "a", {0, 1, 0}}, {1, "b", {0, 1, 0}}, {2, "c", {0, 1, 0}}};
  geometry.lines = {{0, 1, 2}};
  const Resolved result = resolve(figure, columns, {}, geometry);
  ASSERT_EQ(result.problem, "");
  ASSERT_EQ(result.plot.shapes.shapes.size(), 2U);
  const auto &first = result.plot.shapes.shapes[0].over, &second = result.plot.shapes.shapes[1].over;
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[0].point, 1);
  EXPECT_EQ(first[0].displacement, (std::array<double, 3>{0, -1, 0}));
  EXPECT_EQ(first[1].point, 2);
  EXPECT_EQ(first[1].displacement, (std::array<double, 3>{0, 0.3, 0}));
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second[0].displacement, (std::array<double, 3>{0, 2.5, 0}));
  const std::string picture = shape_picture(result.plot.shapes);
  std::vector<std::array<std::string, 2>> circles;
  const auto after = [&](std::size_t from, const std::string& what) {
    const std::size_t begin = picture.find(what, from) + what.size();
    return picture.substr(begin, picture.find('"', begin) - begin);
  };
  for (std::size_t at = 0; (at = picture.find("<circle", at)) != std::string::npos; ++at) {
    circles.push_back({after(at, "cx=\""), after(at, "cy=\"")});
  }
  ASSERT_EQ(circles.size(), 3U);
  const auto on_a_line = [&](const std::array<std::string, 2>& circle) {
    return picture.find("L" + circle[0] + " " + circle[1]) != std::string::npos;
  };
  EXPECT_TRUE(on_a_line(circles[0]));
  EXPECT_FALSE(on_a_line(circles[1]));
  EXPECT_FALSE(on_a_line(circles[2]));
}

}  // namespace resolve_test
}  // namespace microslip
