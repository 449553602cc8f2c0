#pragma once
// kind = "fit_ignl": friction and geometric nonlinearity of a mode from curves with friction stuck and slipping; its
// frequency and damping over amplitude, and two joints that do the same.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/amplitude_span.hpp"
#include "microslip/analyses/analysis.hpp"
#include "microslip/analyses/choice.hpp"
#include "microslip/analyses/fit_ignl/joint_curves.hpp"
#include "microslip/analyses/read_curve.hpp"
#include "microslip/identify/ignl_fit.hpp"

namespace microslip {

struct FitIgnlAnalysis final : Analysis {
  static constexpr std::string_view kind = "fit_ignl";
  static constexpr Choice<FrictionFrom> frictions[] = {
      {"best", FrictionFrom::best}, {"points", FrictionFrom::points}, {"sliders", FrictionFrom::sliders}};
  static constexpr Choice<SiceWeights> weights[] = {{"secant", SiceWeights::secant}, {"points", SiceWeights::points}};
  static constexpr Choice<bool> powers[] = {{"odd", true}, {"all", false}};  ///< options.odd
  FitIgnlAnalysis() : Analysis(kind) {}

  std::optional<JointCurves> joints;  ///< this or
  std::vector<CurveSource> data;      ///< stuck, slipping, and those of the negative side that there are
  bool stuck_negative = false, slipping_negative = false;
  IgnlFitOptions options;
  std::optional<double> from, to;  ///< amplitudes; else as far as the data go
  int points = 200;
  bool log = true;

  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] nlohmann::ordered_json settings() const override;
  [[nodiscard]] std::vector<std::string> tables() const override;
  [[nodiscard]] AnalysisSummary run(AnalysisRun& with) const override;
  [[nodiscard]] std::vector<Figure> figures(const System& system) const override;
  [[nodiscard]] std::string in_words(const AnalysisSummary& summary, const UnitLabels& units) const override;
  [[nodiscard]] std::string how(const AnalysisSummary& summary) const override;
  [[nodiscard]] std::vector<std::string> sources() const override { return analyses_of(data); }
  [[nodiscard]] std::vector<std::string> other_files() const override { return {name + "-study.toml"}; }
};

struct FitIgnlFacts final : Facts {
  /// Friction of both sides: see IgnlFit.
  struct Sides {
    double masing_difference = 0.0;
    double masing_beyond_noise = 0.0;
    bool masing = true;
  };
  struct Limit {
    bool slipping = false;  ///< of the slipping curve, else of the stuck one
    LimitLoad load;
  };
  /// At the first and the last amplitude.
  struct OverAmplitude {
    FirstAndLast q{}, omega{}, zeta{};
  };
  /// Standard errors there.
  struct Errors {
    FirstAndLast omega{}, zeta{};
    std::size_t undetermined = 0;  ///< amplitudes at which that of damping is as large as damping
  };
  int order = 0;          ///< of the polynomial
  std::vector<double> k;  ///< its coefficients
  double misfit = 0.0, validation = 0.0;
  double omega_stuck = 0.0;
  double friction_stiffness = 0.0;          ///< K_T
  bool slips = false;                       ///< there is friction
  bool sliders = false;                     ///< by sliders fitted, else through its points
  std::optional<Sides> sides;               ///< where both are given
  double lower_end = 0.0, upper_end = 0.0;  ///< of the stuck data [length]
  std::vector<Limit> limit_loads;           ///< within the data
  std::optional<OverAmplitude> over_amplitude;
  std::optional<Errors> errors;

  [[nodiscard]] nlohmann::ordered_json to_json() const override;
};

[[nodiscard]] std::unique_ptr<Analysis> read_fit_ignl_analysis(const TableReader& reader, const StudyParts& parts);

}  // namespace microslip
