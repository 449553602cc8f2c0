#pragma once
// A figure with its data: ready to be drawn as a vector picture or by a browser.

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "microslip/report/figure.hpp"

namespace microslip {

/// What a point tells besides its place.
struct PlotNumbers {
  std::string name, unit;
  std::vector<double> values;
};

struct PlotLine {
  std::string label;
  std::vector<double> x, y, z;  ///< z empty in the plane; a NaN breaks the line
  CurveStyle style = CurveStyle::line;
  bool dashed = false;                 ///< unstable
  bool in_legend = true;               ///< the dashed part of a curve shares the entry of the solid one
  int colour = 0;                      ///< number in the palette; parts of one curve share it
  std::size_t of = 0;                  ///< points that it had before it was thinned; 0: all are here
  std::vector<PlotNumbers> more = {};  ///< of every point; none of a curve that was thinned
};

struct PlotMarks {
  std::string label;
  std::vector<double> x, y, z;
};

/// See Picking.
struct PlotPicking {
  std::string key, noun, same, beside, advice;  ///< `beside`: name of the numbers that points tell
  Axis beside_axis;
  PlotLine known;
};

/// z over a rectangular grid: values[i + x.size() * j] at x[i], y[j]; NaN where there is none.
struct PlotMap {
  std::vector<double> x, y, values;
};

/// Shapes of a structure in space.
struct PlotShapes {
  struct Shape {
    std::string label;
    std::vector<std::array<double, 3>> real, imaginary;  ///< displacement of each point; imaginary may be empty
    /// The same of another shape at some of the points, drawn over it.
    struct Over {
      int point = 0;
      std::array<double, 3> displacement{};
    };
    std::vector<Over> over;
  };
  std::vector<std::array<double, 3>> points;  ///< at rest
  std::vector<std::vector<int>> lines;        ///< points joined in this order
  std::vector<Shape> shapes;
  bool assumed = false;  ///< nobody gave the geometry: a chain
};

/// Axis units are the user's labels by now.
struct Plot {
  std::string title;
  FigureKind kind = FigureKind::curves;
  Axis x, y, z;
  std::vector<PlotLine> lines;
  std::vector<PlotMarks> marks;
  PlotPicking picking;
  PlotMap map;
  PlotShapes shapes;
  std::string method;  ///< heads the legend; may be empty
};

}  // namespace microslip
