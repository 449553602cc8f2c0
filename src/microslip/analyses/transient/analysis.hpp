#pragma once
// kind = "transient": the motion in time under loads, from given initial conditions.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/motion/history_analysis.hpp"
#include "microslip/analyses/motion/motion_facts.hpp"
#include "microslip/analyses/motion/read_motion.hpp"
#include "microslip/transient/piecewise_model.hpp"
#include "microslip/transient/transient.hpp"

namespace microslip {

struct TransientAnalysis final : HistoryAnalysis {
  static constexpr std::string_view kind = "transient";
  TransientAnalysis() : HistoryAnalysis(kind) {}

  TransientOptions options;
  InitialState initial;
  /// method = "events": the model under its loads; of the options duration, step and modes count.
  std::shared_ptr<const PiecewiseModel> events;

  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] nlohmann::ordered_json settings() const override;
  [[nodiscard]] std::vector<std::string> tables() const override;
  [[nodiscard]] AnalysisSummary run(AnalysisRun& with) const override;
  [[nodiscard]] std::vector<Figure> figures(const System& system) const override;
  [[nodiscard]] std::string in_words(const AnalysisSummary& summary, const UnitLabels& units) const override;
  [[nodiscard]] std::string how(const AnalysisSummary& summary) const override;
  [[nodiscard]] std::string method_in_words() const override;
};

struct TransientFacts final : Facts {
  /// Of a motion from event to event.
  struct ByEvents {
    long rows = 0;
    long events = 0;
    long event_evaluations = 0;
    double time = 0.0;  ///< reached
    EnergyFacts energy;
  };
  std::optional<MotionFacts> motion;  ///< step by step
  std::optional<ByEvents> by_events;  ///< or so; neither: it did not start
  HistoryFacts history;

  [[nodiscard]] double time() const;                ///< reached
  [[nodiscard]] const EnergyFacts* energy() const;  ///< null: it did not start
  [[nodiscard]] nlohmann::ordered_json to_json() const override;
  [[nodiscard]] std::string in_a_line() const override;
};

[[nodiscard]] std::unique_ptr<Analysis> read_transient_analysis(const TableReader& reader, const StudyParts& parts);

/// For other kinds that run a transient: the same keys but for `record`.
struct TransientKeys {
  std::string scheme;             ///< the key of the integrator, "method" in a transient
  std::vector<std::string> more;  ///< keys of that kind
};
[[nodiscard]] TransientAnalysis read_transient_keys(const TableReader& reader, const StudyParts& parts,
                                                    const TransientKeys& names);
/// From the analysis' initial state into a sink. A law that gave no number ends it with `no_convergence`. `ledger`: as
/// in simulate.
[[nodiscard]] TransientResult simulate_into(const TransientAnalysis& analysis, AnalysisRun& with, Sink& sink,
                                            Sink* ledger = nullptr);
/// What `how` tells of a motion step by step; null: it did not start.
[[nodiscard]] std::string integration_in_words(const TransientAnalysis& analysis, const MotionFacts* motion);

}  // namespace microslip
