#pragma once
// kind = "fit_modal_iwan": modal Iwan oscillators fitted to curves of frequency and damping over amplitude, from
// earlier analyses of the study or from a file.

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/amplitude_curves.hpp"
#include "microslip/analyses/analysis.hpp"
#include "microslip/analyses/choice.hpp"
#include "microslip/identify/modal_iwan_fit.hpp"

namespace microslip {

struct FitModalIwanAnalysis final : Analysis {
  static constexpr std::string_view kind = "fit_modal_iwan";
  FitModalIwanAnalysis() : Analysis(kind) {}

  std::vector<std::string> from;     ///< analyses, all of one kind; or
  std::vector<AmplitudeCurve> data;  ///< of a file
  std::vector<std::string> compare;  ///< ring-downs that the fit is held against
  bool from_qsma = false;            ///< else ring-downs
  bool clean_only = true;            ///< of ring-downs: rows that belong to one mode
  std::vector<int> modes;            ///< numbers, from 1; empty: all that there are
  double q_low = 0.0;                ///< amplitudes that count
  double q_high = std::numeric_limits<double>::infinity();
  ModalIwanFitOptions options;

  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] nlohmann::ordered_json settings() const override;
  [[nodiscard]] std::vector<std::string> tables() const override;
  [[nodiscard]] AnalysisSummary run(AnalysisRun& with) const override;
  [[nodiscard]] std::vector<Figure> figures(const System& system) const override;
  [[nodiscard]] std::string in_words(const AnalysisSummary& summary, const UnitLabels& units) const override;
  [[nodiscard]] std::string how(const AnalysisSummary& summary) const override;
  [[nodiscard]] std::vector<std::string> sources() const override;
  [[nodiscard]] std::vector<std::string> other_files() const override;
};

/// What the keys omega_form, zeta_form and weights may say.
inline constexpr Choice<OmegaForm> omega_form_choices[] = {{"first_harmonic", OmegaForm::first_harmonic},
                                                           {"secant", OmegaForm::secant}};
inline constexpr Choice<ZetaForm> zeta_form_choices[] = {
    {"decrement", ZetaForm::decrement}, {"tangent", ZetaForm::tangent}, {"secant", ZetaForm::secant}};
inline constexpr Choice<bool> weigh_by_log_q_choices[] = {{"log_q", true}, {"points", false}};

struct FitModalIwanFacts final : Facts {
  struct Mode {
    int mode = 0;  ///< number, from 1
    ModalIwanFit fit;

    /// Parameters are there, whether or not the minimum was reached.
    [[nodiscard]] bool has_parameters() const { return fit.parameters.k_t > 0.0; }
  };
  std::vector<Mode> modes;

  [[nodiscard]] nlohmann::ordered_json to_json() const override;
};

[[nodiscard]] std::unique_ptr<Analysis> read_fit_modal_iwan_analysis(const TableReader& reader,
                                                                     const StudyParts& parts);

}  // namespace microslip
