#include "microslip/report/table_plot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace microslip {
namespace table_plot_test {

const CsvTable curves =
    parse_csv_table("level,omega,amplitude,stable\n1,1,0.1,1\n1,2,0.2,0\n1,3,0.3,1\n2,1,1.1,1\n2,2,nan,1\n2,3,1.3,1\n",
                    "a/frf.csv", CsvGaps::allowed);

PlotRequest request_for(std::string x, std::vector<std::string> y) {
  PlotRequest request;
  request.x = std::move(x);
  request.y = std::move(y);
  return request;
}

TEST(TablePlot, SplitsAndDashes) {
  PlotRequest request = request_for("omega", {"amplitude"});
  request.split = {"level"};
  const Plot plot = table_plot(std::span(&curves, 1), request);
  ASSERT_EQ(plot.lines.size(), 3U);
  EXPECT_EQ(plot.lines[0].label, "level = 1");
  EXPECT_FALSE(plot.lines[0].dashed);
  EXPECT_TRUE(plot.lines[1].dashed);
  EXPECT_FALSE(plot.lines[1].in_legend);
  EXPECT_EQ(plot.lines[1].colour, plot.lines[0].colour);
  EXPECT_EQ(plot.lines[2].label, "level = 2");
  EXPECT_EQ(plot.lines[2].y.size(), 3U);
  EXPECT_TRUE(std::isnan(plot.lines[2].y[1]));
  EXPECT_EQ(plot.x.label, "omega");
}

TEST(TablePlot, FilesAreToldApart) {
  CsvTable other = curves;
  other.file = "b/frf.csv";
  const std::vector<CsvTable> tables = {curves, other};
  PlotRequest request = request_for("omega", {"amplitude", "level"});
  request.where = {{"level", 2.0}};
  const Plot plot = table_plot(tables, request);
  ASSERT_EQ(plot.lines.size(), 4U);
  EXPECT_EQ(plot.lines[0].label, "a/frf, amplitude");
  EXPECT_EQ(plot.lines[3].label, "b/frf, level");
}

/// amplitude and omega are best seen in decades.
struct Declared final : DeclaredColumns {
  [[nodiscard]] const Column* find(std::size_t, const std::string& name) const override {
    static const Column amplitude{"amplitude", "m", "", Scale::logarithmic},
        omega{"omega", "rad/s", "", Scale::logarithmic}, level{"level", "N", "", Scale::linear};
    return name == "amplitude" ? &amplitude : name == "omega" ? &omega : name == "level" ? &level : nullptr;
  }
};

TEST(TablePlot, ColumnsDeclareUnitsAndScales) {
  const Declared declared;
  PlotRequest request = request_for("omega", {"amplitude"});
  Plot plot = table_plot(std::span(&curves, 1), request, &declared);
  EXPECT_FALSE(plot.x.log) << "nobody asked for the declared scales";
  EXPECT_EQ(plot.y.unit, "m");
  request.declared_scales = true;
  plot = table_plot(std::span(&curves, 1), request, &declared);
  EXPECT_TRUE(plot.x.log);
  EXPECT_TRUE(plot.y.log);
  // Two units on one axis: each curve tells its own; and one scale for both is the plain one.
  request.y = {"amplitude", "level"};
  plot = table_plot(std::span(&curves, 1), request, &declared);
  EXPECT_EQ(plot.y.unit, "");
  EXPECT_FALSE(plot.y.log);
  EXPECT_EQ(plot.lines.front().label, "amplitude (m)");
  EXPECT_EQ(plot.lines.back().label, "level (N)");
  // No logarithm of zero.
  const CsvTable zero = parse_csv_table("omega,amplitude\n1,0\n2,1\n", "z.csv");
  request.y = {"amplitude"};
  EXPECT_FALSE(table_plot(std::span(&zero, 1), request, &declared).y.log);
}

TEST(TablePlot, Map) {
  PlotRequest request = request_for("omega", {"level"});
  request.map = "amplitude";
  const Plot plot = table_plot(std::span(&curves, 1), request);
  EXPECT_EQ(plot.map.x, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(plot.map.y, (std::vector<double>{1, 2}));
  EXPECT_EQ(plot.map.values[1], 0.2);
  EXPECT_EQ(plot.map.values[5], 1.3);
}

TEST(TablePlot, Mistakes) {
  const auto message = [](const PlotRequest& request) {
    try {
      static_cast<void>(table_plot(std::span(&curves, 1), request));
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_EQ(message(request_for("omga", {"amplitude"})),
            "a/frf.csv:1: there is no column \"omga\"; did you mean \"omega\"?");
  EXPECT_EQ(message(request_for("omega", {"force"})),
            "a/frf.csv:1: there is no column \"force\"; the header has \"level, omega, amplitude, stable\"");
  PlotRequest request = request_for("omega", {"amplitude"});
  request.where = {{"level", 7.0}};
  EXPECT_EQ(message(request), "no row has the values asked for by --where");
  request.where = {{"levle", 7.0}};
  EXPECT_NE(message(request).find("did you mean \"level\"?"), std::string::npos);
}

}  // namespace table_plot_test
}  // namespace microslip
