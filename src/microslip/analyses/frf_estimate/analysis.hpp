#pragma once
// kind = "frf_estimate": frequency responses from measured records, of hammer hits or random excitation.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/analysis.hpp"
#include "microslip/analyses/channel_units.hpp"
#include "microslip/analyses/choice.hpp"
#include "microslip/measurement/hit_responses.hpp"
#include "microslip/measurement/measured_record.hpp"
#include "microslip/measurement/random_responses.hpp"

namespace microslip {

inline constexpr Choice<FrfEstimator> frf_estimators[] = {
    {"H1", FrfEstimator::H1}, {"H2", FrfEstimator::H2}, {"Hv", FrfEstimator::Hv}};
/// Is it random?
inline constexpr Choice<bool> excitations[] = {{"hammer", false}, {"random", true}};
/// Are they left out?
inline constexpr Choice<bool> faulty_hits[] = {{"keep", false}, {"leave_out", true}};

struct FrfEstimateAnalysis final : Analysis {
  static constexpr std::string_view kind = "frf_estimate";
  FrfEstimateAnalysis() : Analysis(kind) {}

  MeasuredTest test;
  Quantity quantity = Quantity::acceleration;
  std::vector<ChannelUnit> units;
  std::vector<std::string> notes;  ///< of the reader
  bool random = false;
  HitOptions hits;
  RandomOptions segments;

  [[nodiscard]] FrfEstimator estimator() const { return random ? segments.estimator : hits.estimator; }
  /// "a1.y/s.y" of every reference and channel of the study, as far as they can be used.
  [[nodiscard]] std::vector<std::string> pairs() const;
  /// Of a response over the force.
  [[nodiscard]] std::string response_unit() const;
  [[nodiscard]] std::string file_of_responses() const { return name + ".unv"; }

  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] nlohmann::ordered_json settings() const override;
  [[nodiscard]] std::vector<std::string> tables() const override;
  [[nodiscard]] AnalysisSummary run(AnalysisRun& with) const override;
  [[nodiscard]] std::vector<Figure> figures(const System& system) const override;
  [[nodiscard]] std::string in_words(const AnalysisSummary& summary, const UnitLabels& units) const override;
  [[nodiscard]] std::string how(const AnalysisSummary& summary) const override;
  [[nodiscard]] std::vector<std::string> other_files() const override { return {file_of_responses()}; }
  [[nodiscard]] std::string method_in_words() const override;
  [[nodiscard]] std::optional<Quantity> response_quantity() const override { return quantity; }
};

struct FrfEstimateFacts final : Facts {
  std::vector<std::string> records, references, channels;
  long hits = 0;                    ///< found; 0 of random excitation
  long averages = 0;                ///< hits or segments that were used, of the channel with the fewest
  double effective_averages = 0.0;  ///< of segments that overlap
  long lines = 0;
  double resolution_hz = 0.0;
  double band_low = 0.0, band_high = 0.0;  ///< [1/time] first and last line
  double window_decay = 0.0;               ///< [1/time]
  double force_amplitude = 0.0;
  double force_bias = 0.0, biased_from = 0.0;  ///< see HitEstimate
  double tail = 0.0;
  double relative_error = 0.0;  ///< median of error over size

  [[nodiscard]] nlohmann::ordered_json to_json() const override;
};

[[nodiscard]] std::unique_ptr<Analysis> read_frf_estimate_analysis(const TableReader& reader, const StudyParts& parts);

}  // namespace microslip
