#pragma once
// Curves of force over deflection that a fit works on:
//
//   data = "curve.csv"                                                   columns u and f
//   data = { file = "curve.csv", u = "x_mm", f = "load", scale_u = 1e-3, scale_f = 1.0, weight = "w" }
//   data = { joint = "lap", to = 1e-3, points = 200, spacing = "log" }   a joint of the study, pulled from rest
//   data = { joint = "lap", to = [1e-3, -1e-3, 1e-3], points = 200 }     the same with turning points: a loop
//   data = { from = "ramp", u = "q", f = "alpha", mode = 1 }             the main table of an analysis further up
//   data = [{ ... }, { ... }]                                            several
//
// Files and joints are read with the study; the rows of an analysis are there when it has run.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/analysis.hpp"
#include "microslip/identify/force_curve.hpp"

namespace microslip {

struct CurveSource {
  std::string origin;  ///< for people: `curve.csv`, `joint "lap"`, `analysis "ramp"`
  ForceCurve curve;    ///< of a file or a joint, scaled; empty when `from` is not

  std::string file;          ///< the curve's rows stand in it, if not empty
  std::vector<int> lines;    ///< at these lines
  int line = 0, column = 0;  ///< of `data` in the study

  std::string from;  ///< an earlier analysis, or empty; with its columns
  std::string u = "u", f = "f", weight;
  double scale_u = 1.0, scale_f = 1.0;
  int mode = 0;  ///< rows of this mode (column `mode`); 0: all rows
};

/// The curves under a key. Throws StudyError.
[[nodiscard]] std::vector<CurveSource> read_curves(const TableReader& reader, std::string_view key,
                                                   const StudyParts& parts);

/// Throws StudyError, at the row of the file or at the source in the study, where a curve that is known already is no
/// first loading.
void require_first_loading(const TableReader& reader, const CurveSource& source, std::size_t fewest);

/// A fault of a curve that is known already, at the row of the file or at the source in the study.
[[nodiscard]] StudyError fault_error(const TableReader& reader, const CurveSource& source, const CurveFault& fault);

/// The same for a curve of an earlier analysis, when the study runs.
[[nodiscard]] std::invalid_argument row_error(const CurveSource& source, const CurveFault& fault);

/// For people, of each.
[[nodiscard]] std::vector<std::string> origins_of(const std::vector<CurveSource>& sources);

/// The earlier analyses among the sources, each once: for `sources` of an analysis.
[[nodiscard]] std::vector<std::string> analyses_of(const std::vector<CurveSource>& sources);

/// The curve when the study runs. Throws std::invalid_argument where the earlier table lacks a column or has no rows.
[[nodiscard]] ForceCurve curve_of(const CurveSource& source, const Results& results);

}  // namespace microslip
