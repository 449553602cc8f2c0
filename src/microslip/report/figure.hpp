#pragma once
// What to draw, declared by an analysis in the names of its tables and columns. No data, no files, no pixels: the
// report finds the data, `resolve` makes a Plot of both. Units are written as those of columns are, "length/time^2".

#include <string>
#include <vector>

namespace microslip {

struct Axis {
  std::string label;
  std::string unit;
  bool log = false;  ///< what is not positive is left out, and a note says so
};

/// The rows of a table where a column has one value.
struct Condition {
  std::string column;
  double value = 0.0;
};

enum class CurveStyle { line, dots, line_and_dots, steps };

struct Curve {
  std::string table;               ///< part of the analysis' tables, "" for the main one
  std::string x, y;                ///< columns
  std::string z;                   ///< column of the third axis, or the colour of a map
  std::string label;               ///< in the legend, before what `split` adds
  std::vector<std::string> split;  ///< one curve for each set of values of these columns: level, mode
  std::vector<Condition> where;    ///< only these rows
  std::string stable;              ///< column; dashed where it is 0
  CurveStyle style = CurveStyle::line;
  std::vector<std::string> more;  ///< columns that a point tells under the pointer, with `split` or `where`
  double period = 0.0;            ///< y is an angle between -period/2 and period/2: lines end there; 0: it is none
};

/// Special points: a fold, a change of stability, a peak. Rows where the column `event` is not 0, or all of `where`.
struct Marks {
  Curve points;
  std::string event;
};

/// Points that a reader picks by clicking, and the line of the study file that asks for them: `key = [x, x]`. What has
/// a number in the column `same`: curves that tell it in `more`, and `known`.
struct Picking {
  std::string key;     ///< of the analysis in the study file; empty: nothing is picked
  std::string noun;    ///< what a point is: "pole"
  std::string same;    ///< column; points with one number in it, not 0, are the same thing and stand in the line once
  Curve known;         ///< what was found: x as of the points, y beside it, `same` in `more`; label: what it is, "mode"
  Axis beside;         ///< of known.y, which points may tell in `more`
  std::string advice;  ///< what the line does, in a sentence or two: for readers of static figures too
};

enum class FigureKind {
  curves,  ///< y over x; with z in space
  map,     ///< z as colour over the grid of x and y
  /// Deflected shapes on the geometry of the structure (Geometry, "geometry" of report.json), animated. One curve: a
  /// row of its table is a shape, `split` says of what (mode, amplitude). `y` is the first part of the names of the
  /// columns: "phi" for phi[label] of every degree of freedom; `z`: the same for the imaginary parts, or empty. A
  /// second curve, of the same rows, is drawn over the first as circles, at the degrees of freedom that have a column.
  shapes
};

struct Figure {
  std::string name;  ///< in the analysis; letters, digits and "-"
  std::string title;
  FigureKind kind = FigureKind::curves;
  Axis x, y, z;
  std::vector<Curve> curves;
  std::vector<Marks> marks;
  Picking picking;
  std::string caption;  ///< what is to be seen, in a sentence or two
  std::string method;   ///< that gave the curves, in a word or two: heads the legend; may be empty
};

}  // namespace microslip
