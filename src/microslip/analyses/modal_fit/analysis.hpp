#pragma once
// kind = "modal_fit": frequencies, damping ratios and shapes from measured frequency responses, with their errors.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/analysis.hpp"
#include "microslip/analyses/choice.hpp"
#include "microslip/measurement/modal_fit.hpp"

namespace microslip {

struct ModalFitAnalysis final : Analysis {
  static constexpr std::string_view kind = "modal_fit";
  static constexpr Choice<ModalMethod> methods[] = {{"lscf", ModalMethod::lscf}, {"isolation", ModalMethod::isolation}};
  static constexpr Choice<bool> shape_forms[] = {{"complex", false}, {"normal", true}};  ///< options.terms.normal
  ModalFitAnalysis() : Analysis(kind) {}

  std::string from;                       ///< analysis that leaves responses; empty: these
  std::optional<MeasuredResponses> data;  ///< of a file
  std::string data_name;                  ///< for people
  Quantity quantity = Quantity::acceleration;
  ModalFitOptions options;
  std::vector<std::string> leave_out;  ///< channels

  /// "length/time^2/force": of the responses.
  [[nodiscard]] std::string response_unit() const;

  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] nlohmann::ordered_json settings() const override;
  [[nodiscard]] std::vector<std::string> tables() const override;
  [[nodiscard]] AnalysisSummary run(AnalysisRun& with) const override;
  [[nodiscard]] std::vector<Figure> figures(const System& system) const override;
  [[nodiscard]] std::string in_words(const AnalysisSummary& summary, const UnitLabels& units) const override;
  [[nodiscard]] std::string how(const AnalysisSummary& summary) const override;
  [[nodiscard]] std::vector<std::string> sources() const override;
  [[nodiscard]] std::vector<std::string> other_files() const override;
  [[nodiscard]] std::vector<int> mode_numbers() const override;
  [[nodiscard]] std::string method_in_words() const override;
};

struct ModalFitFacts final : Facts {
  struct Mode {
    double frequency_hz = 0.0, frequency_error = 0.0;
    double zeta = 0.0, zeta_error = 0.0;
    double collinearity = 0.0;
  };
  std::vector<Mode> modes;
  long lines = 0, functions = 0, channels = 0;
  int highest_order = 0;  ///< 0: by isolation
  int iterations = 0;
  bool noise_known = false;
  double residual_over_noise = 0.0;  ///< of standard deviations
  double largest_mac = 0.0;          ///< between two of the modes
  double force_amplitude = 0.0;      ///< 0: not known
  bool unit_modal_mass = false;
  std::vector<std::string> parts;  ///< of the data that were fitted by themselves

  [[nodiscard]] nlohmann::ordered_json to_json() const override;
};

[[nodiscard]] std::unique_ptr<Analysis> read_modal_fit_analysis(const TableReader& reader, const StudyParts& parts);

}  // namespace microslip
