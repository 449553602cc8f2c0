#pragma once
// kind = "fit_modal_iwan": modal Iwan oscillators fitted to curves of frequency and damping over amplitude, from
// earlier analyses of the study or from a file.

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/identify/modal_iwan_fit.hpp"
#include "microslip/study/analysis_parts.hpp"

namespace microslip {

/// A measured curve of one mode.
struct AmplitudeCurve {
  int mode = 0;  ///< number, from 1
  std::vector<AmplitudePoint> points;
};

/// The curve of a mode; a new one if there is none.
[[nodiscard]] AmplitudeCurve& curve_of_mode(std::vector<AmplitudeCurve>& curves, int mode);

struct FitModalIwanAnalysis {
  static constexpr std::string_view kind = "fit_modal_iwan";
  std::string name;
  std::vector<std::string> from;     ///< analyses, all of one kind; or
  std::vector<AmplitudeCurve> data;  ///< of a file
  bool from_qsma = false;            ///< else ring-downs
  bool clean_only = true;            ///< of ring-downs: rows that belong to one mode
  std::vector<int> modes;            ///< numbers, from 1; empty: all that there are
  double q_low = 0.0;                ///< amplitudes that count
  double q_high = std::numeric_limits<double>::infinity();
  ModalIwanFitOptions options;
};

[[nodiscard]] FitModalIwanAnalysis read_fit_modal_iwan_analysis(const TableReader& reader, const StudyParts& parts);
/// Names of the analyses whose tables it reads.
[[nodiscard]] inline const std::vector<std::string>& sources(const FitModalIwanAnalysis& analysis) {
  return analysis.from;
}
[[nodiscard]] std::vector<std::string> table_parts(const FitModalIwanAnalysis& analysis);
/// Files that are no tables.
[[nodiscard]] std::vector<std::string> other_files(const FitModalIwanAnalysis& analysis);
[[nodiscard]] std::string describe(const FitModalIwanAnalysis& analysis);
[[nodiscard]] AnalysisSummary run(const FitModalIwanAnalysis& analysis, AnalysisRun& with);
[[nodiscard]] std::vector<Figure> figures(const FitModalIwanAnalysis& analysis, const System& system);
[[nodiscard]] std::string in_words(const FitModalIwanAnalysis& analysis, const AnalysisSummary& summary,
                                   const UnitLabels& units);
[[nodiscard]] std::string how(const FitModalIwanAnalysis& analysis, const AnalysisSummary& summary);

}  // namespace microslip
