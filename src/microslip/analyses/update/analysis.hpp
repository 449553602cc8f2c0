#pragma once
// kind = "update": numbers of the study found from a test: frequencies, shapes, and curves of frequency and damping
// over amplitude.

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/amplitude_curves.hpp"
#include "microslip/analyses/analysis.hpp"
#include "microslip/analyses/choice.hpp"
#include "microslip/analyses/read_curve.hpp"
#include "microslip/analyses/update/model_of_study.hpp"
#include "microslip/inference/least_squares.hpp"
#include "microslip/inference/pareto.hpp"
#include "microslip/inference/posterior.hpp"
#include "microslip/inference/samples.hpp"
#include "microslip/measurement/measured_modes.hpp"
#include "microslip/updating/update_targets.hpp"

namespace microslip {

/// What the test says, and where it stands: in a file, or in the rows of an earlier analysis.
struct TestCurve {
  CurveTarget target;                ///< all but its rows
  std::string from;                  ///< analysis, or
  std::vector<AmplitudeCurve> data;  ///< of a file
  AmplitudeColumns columns;
  int mode = 1;  ///< of the test, from 1
  bool omega = true, zeta = true;
  double q_low = 0.0, q_high = std::numeric_limits<double>::infinity();
  std::optional<double> omega_error, zeta_error;  ///< relative, instead of those of the rows
  double weight = 1.0;
};
struct TestModes {
  ModeTarget target;
  std::string from;  ///< modal_fit, or
  std::optional<MeasuredModes> data;
  std::vector<int> modes;  ///< numbers; empty: all
  bool frequencies = true;
  std::optional<double> frequency_error;  ///< relative
  std::optional<double> shape_error;      ///< of the largest component of a shape
  double weight = 1.0;
};

struct TestLoop {
  LoopTarget target;  ///< all but its rows
  CurveSource source;
  double force_error = 0.01;  ///< of half the range of the force
};

/// A curve that takes no part, at amplitudes evenly spaced in ln q.
struct PredictedCurve {
  std::string name;
  int mode = 0;  ///< stuck mode of the study, from 0, whose shape is followed
  double q_low = 0.0, q_high = 0.0;
  std::size_t points = 40;
  bool secant = false;
};

enum class UpdateMethod { least_squares, posterior, pareto, sample };
inline constexpr Choice<UpdateMethod> update_methods[] = {{"least_squares", UpdateMethod::least_squares},
                                                          {"posterior", UpdateMethod::posterior},
                                                          {"pareto", UpdateMethod::pareto},
                                                          {"sample", UpdateMethod::sample}};
inline constexpr Choice<SampleKind> sample_kinds[] = {
    {"sobol", SampleKind::sobol}, {"latin_hypercube", SampleKind::latin_hypercube}, {"random", SampleKind::random}};

struct UpdateAnalysis final : Analysis {
  static constexpr std::string_view kind = "update";
  UpdateAnalysis() : Analysis(kind) {}

  ModelOfStudy model;
  std::vector<TestCurve> curves;
  std::vector<TestModes> modes;
  std::vector<TestLoop> loops;
  UpdateMethod method = UpdateMethod::least_squares;
  LeastSquaresOptions options;
  PosteriorOptions posterior;
  std::size_t band_draws = 400;  ///< of the posterior, for bands
  std::vector<PredictedCurve> predictions;
  ParetoOptions pareto;
  std::size_t chosen_point = 0;        ///< of a front, or number of a trial, from 1; 0: by weights, or
  std::vector<double> chosen_weights;  ///< of frequency and damping; empty: the knee, of trials the least square
  bool choose_knee = false;            ///< of trials
  SampleKind sampling = SampleKind::sobol;
  std::size_t samples = 1000;
  bool threads_given = false;
  std::string from;      ///< a sample further up, to begin from its best; empty: none
  std::string place;     ///< for messages about its trials
  std::string identity;  ///< of its trials; empty: it has none

  /// Frequencies or shapes, of a curve or of modes.
  [[nodiscard]] bool compares_frequency() const;
  [[nodiscard]] bool compares_damping() const;

  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] nlohmann::ordered_json settings() const override;
  [[nodiscard]] std::vector<std::string> tables() const override;
  [[nodiscard]] AnalysisSummary run(AnalysisRun& with) const override;
  [[nodiscard]] std::vector<Figure> figures(const System& system) const override;
  [[nodiscard]] std::string in_words(const AnalysisSummary& summary, const UnitLabels& units) const override;
  [[nodiscard]] std::string how(const AnalysisSummary& summary) const override;
  [[nodiscard]] std::vector<std::string> sources() const override;
  [[nodiscard]] std::vector<std::string> other_files() const override;
  [[nodiscard]] std::string trial_identity() const override { return identity; }
};

struct UpdateFacts final : Facts {
  struct Parameter {
    std::string name, paths;
    double value = 0.0;
    double error = 0.0;  ///< standard; infinite: nothing holds it, NaN: at an end of its range
    int at_end = 0;
    bool determined = false;
    double low = 0.0, high = 0.0;  ///< of a posterior: 95 % of the draws lie between
  };
  struct Group {
    std::string name;
    std::size_t rows = 0, unreached = 0;
    double square = 0.0, discrepancy = 0.0;
  };
  /// Half of the widest band, over the median there.
  struct Prediction {
    std::string name;
    double omega = 0.0, zeta = 0.0;
    double reached = 1.0;  ///< least share of the draws whose model reaches an amplitude
  };
  std::vector<Parameter> parameters;
  std::vector<Group> groups;
  std::vector<Prediction> predictions;
  UpdateMethod method = UpdateMethod::least_squares;
  double square = 0.0;
  double covered = 0.0;                ///< of a posterior: share of the rows within the 95 % band of a new measurement
  std::size_t points = 0, chosen = 0;  ///< of a front; or trials that nothing dominates, and the one that is written
  std::size_t from_trials = 0, dominating = 0;     ///< that a front began from, and that are better than a point of it
  std::size_t samples = 0, failed = 0, known = 0;  ///< trials, those without an answer, those of an earlier run
  std::size_t starts = 0, converged_starts = 0, evaluations = 0;

  [[nodiscard]] nlohmann::ordered_json to_json() const override;
  [[nodiscard]] std::string in_a_line() const override;
};

[[nodiscard]] std::unique_ptr<Analysis> read_update_analysis(const TableReader& reader, const StudyParts& parts);

}  // namespace microslip
