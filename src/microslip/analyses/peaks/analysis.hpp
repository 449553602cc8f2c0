#pragma once
// kind = "peaks": the peak of a frequency response, followed over the level of the load or a number of the study.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/analysis.hpp"
#include "microslip/analyses/peaks/varied_model.hpp"
#include "microslip/analyses/response/motion_request.hpp"

namespace microslip {

struct PeaksAnalysis final : Analysis {
  static constexpr std::string_view kind = "peaks";
  PeaksAnalysis() : Analysis(kind) {}

  MotionRequest motions;
  std::vector<double> levels;                ///< from, .., to; one with `model`
  double from = 0.0, to = 0.0;               ///< omega of the response of the first peak [rad/time]
  int mode = -1;                             ///< stuck mode that the first peak is nearest to; -1: the highest
  std::shared_ptr<const VariedModel> model;  ///< over a number of the study; null: over the level

  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] nlohmann::ordered_json settings() const override;
  [[nodiscard]] std::vector<std::string> tables() const override { return {"", "special"}; }
  [[nodiscard]] AnalysisSummary run(AnalysisRun& with) const override;
  [[nodiscard]] std::vector<Figure> figures(const System& system) const override;
  [[nodiscard]] std::string in_words(const AnalysisSummary& summary, const UnitLabels& units) const override;
  [[nodiscard]] std::string how(const AnalysisSummary& summary) const override;
  [[nodiscard]] std::vector<std::string> load_names() const override { return motions.loads; }
  [[nodiscard]] std::string method_in_words() const override { return microslip::in_words(motions.method()); }
  void add_headline(const TablesInMemory& tables, const System& system, Headline& result) const override;
  [[nodiscard]] std::vector<HeadlineNumber> drawn_headline(const System& system) const override;

  /// "level", or the path of the number.
  [[nodiscard]] std::string parameter() const { return model ? model->path() : "level"; }
  /// From, .., to.
  [[nodiscard]] const std::vector<double>& values() const { return model ? model->values() : levels; }
  [[nodiscard]] bool tells_stability(const System& system) const;
};

struct PeaksFacts final : Facts {
  /// At the ends of the curve.
  struct End {
    double value = 0.0, frequency_hz = 0.0, amplitude = 0.0, damping_ratio = 0.0;
  };
  std::string dof;  ///< that peaks
  long points = 0;
  long folds = 0, meetings = 0;  ///< meetings: of responses, among the folds
  long minima = 0;               ///< points that are no maxima
  bool tells_stability = false;
  long unstable_points = 0;
  std::optional<std::array<End, 2>> ends;
  long iterations = 0;
  int harmonics = 0;  ///< most
  double truncation_error = 0.0, quadrature_error = 0.0;

  [[nodiscard]] nlohmann::ordered_json to_json() const override;
};

[[nodiscard]] std::unique_ptr<Analysis> read_peaks_analysis(const TableReader& reader, const StudyParts& parts);

}  // namespace microslip
