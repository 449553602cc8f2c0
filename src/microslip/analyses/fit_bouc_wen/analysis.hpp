#pragma once
// kind = "fit_bouc_wen": parameters of the Bouc-Wen law from hysteresis loops or histories, as a law for a joint.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/analysis.hpp"
#include "microslip/analyses/choice.hpp"
#include "microslip/analyses/read_curve.hpp"
#include "microslip/identify/bouc_wen_fit.hpp"

namespace microslip {

struct FitBoucWenAnalysis final : Analysis {
  static constexpr std::string_view kind = "fit_bouc_wen";
  static constexpr Choice<Motion> motions[] = {
      {"history", Motion::history}, {"loop", Motion::loop}, {"masing", Motion::masing}};
  static constexpr Choice<bool> methods[] = {{"polish", true}, {"least_squares", false}};  ///< options.polish
  FitBoucWenAnalysis() : Analysis(kind) {}

  std::vector<CurveSource> data;
  std::optional<Motion> motion;  ///< none: each curve as it looks
  BoucWenFitOptions options;

  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] nlohmann::ordered_json settings() const override;
  [[nodiscard]] std::vector<std::string> tables() const override;
  [[nodiscard]] AnalysisSummary run(AnalysisRun& with) const override;
  [[nodiscard]] std::vector<Figure> figures(const System& system) const override;
  [[nodiscard]] std::string in_words(const AnalysisSummary& summary, const UnitLabels& units) const override;
  [[nodiscard]] std::string how(const AnalysisSummary& summary) const override;
  [[nodiscard]] std::vector<std::string> sources() const override { return analyses_of(data); }
  [[nodiscard]] std::vector<std::string> other_files() const override { return {name + "-joint.toml"}; }
};

struct FitBoucWenFacts final : Facts {
  struct FittedLaw {
    BoucWen<double>::Parameters parameters;
    double misfit = 0.0;  ///< these two: see BoucWenCandidate
    double work_error = 0.0;
  };
  /// One curve of the data: see BoucWenRecordFit.
  struct FittedCurve {
    Motion motion = Motion::history;
    std::size_t points = 0;
    double half_range = 0.0;  ///< of u
    double misfit = 0.0;
    double work = 0.0;
    double work_fit = 0.0;
    double cycle_of_amplitude = 0.0;  ///< dissipation
    double cycle_of_force = 0.0;
  };
  FittedLaw best;
  BoucWenEstimates errors{};              ///< standard errors; infinite: undetermined, nan: not known
  std::vector<std::string> undetermined;  ///< this and the next where errors are known
  double independent = 0.0;               ///< residuals that are not alike
  BoucWenStage stage = BoucWenStage::least_squares;
  int iterations = 0;
  double sensitivity = 0.0;          ///< see BoucWenFit; nan: not known
  std::vector<std::string> weakest;  ///< where it is known
  BoucWenAdmissibility admissibility;
  std::vector<FittedCurve> curves;
  std::optional<FittedLaw> start;  ///< where one was given

  [[nodiscard]] nlohmann::ordered_json to_json() const override;
};

[[nodiscard]] std::unique_ptr<Analysis> read_fit_bouc_wen_analysis(const TableReader& reader, const StudyParts& parts);

}  // namespace microslip
