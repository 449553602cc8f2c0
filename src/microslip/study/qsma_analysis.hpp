#pragma once
// kind = "qsma": quasi-static modal analysis, frequency and damping over amplitude.

#include <string>
#include <string_view>
#include <vector>

#include "microslip/modal/quasi_static_modal.hpp"
#include "microslip/study/analysis_parts.hpp"

namespace microslip {

struct QsmaAnalysis {
  static constexpr std::string_view kind = "qsma";
  std::string name;
  std::vector<int> modes;  ///< from 0
  LoadRamp ramp;
  QsmaOptions options;
};

[[nodiscard]] QsmaAnalysis read_qsma_analysis(const TableReader& reader, const StudyParts& parts);
[[nodiscard]] std::vector<std::string> table_parts(const QsmaAnalysis& analysis);
[[nodiscard]] std::string describe(const QsmaAnalysis& analysis);
[[nodiscard]] AnalysisSummary run(const QsmaAnalysis& analysis, AnalysisRun& with);
[[nodiscard]] std::vector<Figure> figures(const QsmaAnalysis& analysis, const System& system);
[[nodiscard]] std::string in_words(const QsmaAnalysis& analysis, const AnalysisSummary& summary,
                                   const UnitLabels& units);
[[nodiscard]] std::string how(const QsmaAnalysis& analysis, const AnalysisSummary& summary);
[[nodiscard]] std::string method_of(const QsmaAnalysis& analysis);

}  // namespace microslip
