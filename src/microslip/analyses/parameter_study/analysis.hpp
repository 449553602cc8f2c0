#pragma once
// kind = "parameter_study": any analysis over a grid or a list of parameters, one row of headline numbers a
// combination.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/analysis.hpp"

namespace microslip {

class ParameterGrid;

struct ParameterStudyAnalysis final : Analysis {
  static constexpr std::string_view kind = "parameter_study";
  ParameterStudyAnalysis() : Analysis(kind) {}

  std::shared_ptr<const ParameterGrid> grid;
  int threads = 1;
  bool threads_given = false;
  std::optional<bool> wants_warm_start;  ///< nothing: where it cannot change the result
  std::string place;                     ///< for messages about its trials
  std::string identity;                  ///< of its trials

  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] nlohmann::ordered_json settings() const override;
  [[nodiscard]] std::vector<std::string> tables() const override;
  /// The table is the same, bit for bit, for any number of threads, shards, ranks and resumptions.
  [[nodiscard]] AnalysisSummary run(AnalysisRun& with) const override;
  [[nodiscard]] std::vector<Figure> figures(const System& system) const override;
  [[nodiscard]] std::string in_words(const AnalysisSummary& summary, const UnitLabels& units) const override;
  [[nodiscard]] std::string how(const AnalysisSummary& summary) const override;
  [[nodiscard]] std::vector<std::string> sources() const override;
  [[nodiscard]] std::string trial_identity() const override { return identity; }
};

struct ParameterStudyFacts final : Facts {
  /// Least and largest value of a number that is drawn, and the combinations that have them, from 1.
  struct Range {
    std::string column;
    double low = 0.0;
    std::size_t low_at = 0;
    double high = 0.0;
    std::size_t high_at = 0;
  };
  std::size_t combinations = 0;
  std::size_t completed = 0;
  std::size_t failed = 0;
  std::size_t known = 0;  ///< that an earlier run had finished
  std::string analysis;   ///< kind of the inner one
  std::vector<Range> ranges;
  std::shared_ptr<const ParameterGrid> grid;  ///< keys and values of `vary`

  [[nodiscard]] nlohmann::ordered_json to_json() const override;
  [[nodiscard]] std::string in_a_line() const override;
};

[[nodiscard]] std::unique_ptr<Analysis> read_parameter_study_analysis(const TableReader& reader,
                                                                      const StudyParts& parts);

}  // namespace microslip
