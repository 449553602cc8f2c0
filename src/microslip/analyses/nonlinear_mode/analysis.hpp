#pragma once
// kind = "nonlinear_mode": frequency, damping and shape of a mode over amplitude, with every harmonic, and the response
// of the mode alone to a harmonic load.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/amplitude_span.hpp"
#include "microslip/analyses/analysis.hpp"
#include "microslip/modal/nonlinear_mode.hpp"

namespace microslip {

struct NonlinearModeAnalysis final : Analysis {
  static constexpr std::string_view kind = "nonlinear_mode";
  NonlinearModeAnalysis() : Analysis(kind) {}

  std::vector<int> modes;          ///< from 0
  std::vector<double> amplitudes;  ///< first harmonic of the modal displacement, growing
  NonlinearModeOptions options;
  std::vector<std::string> loads;  ///< of the response; empty: none
  Eigen::VectorXcd force;          ///< their complex amplitude
  std::vector<double> levels;

  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] nlohmann::ordered_json settings() const override;
  [[nodiscard]] std::vector<std::string> tables() const override;
  [[nodiscard]] AnalysisSummary run(AnalysisRun& with) const override;
  [[nodiscard]] std::vector<Figure> figures(const System& system) const override;
  [[nodiscard]] std::string in_words(const AnalysisSummary& summary, const UnitLabels& units) const override;
  [[nodiscard]] std::string how(const AnalysisSummary& summary) const override;
  [[nodiscard]] std::vector<std::string> load_names() const override { return loads; }
  [[nodiscard]] std::string method_in_words() const override;
  void add_headline(const TablesInMemory& tables, const System& system, Headline& result) const override;
  [[nodiscard]] std::vector<HeadlineNumber> drawn_headline(const System& system) const override;
};

struct NonlinearModeFacts final : Facts {
  std::vector<AmplitudeSpan> modes;  ///< those with points
  std::size_t points = 0;
  long iterations = 0;
  int harmonics = 0;              ///< the most of a point
  double truncation_error = 0.0;  ///< the largest

  [[nodiscard]] nlohmann::ordered_json to_json() const override;
};

[[nodiscard]] std::unique_ptr<Analysis> read_nonlinear_mode_analysis(const TableReader& reader,
                                                                     const StudyParts& parts);

}  // namespace microslip
