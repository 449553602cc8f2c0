#pragma once
// kind = "transient": the motion in time under loads, from given initial conditions.

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/study/analysis_parts.hpp"
#include "microslip/study/history_tables.hpp"
#include "microslip/transient/events.hpp"
#include "microslip/transient/transient.hpp"

namespace microslip {

struct TransientAnalysis {
  static constexpr std::string_view kind = "transient";
  std::string name;
  std::vector<Load> loads;
  TransientOptions options;
  Record record;
  std::optional<PsdOptions> psd;
  Eigen::VectorXd q;                ///< initial, empty: zero
  Eigen::VectorXd v;                ///< initial, empty: zero
  std::optional<Load> static_load;  ///< start from the equilibrium under it instead
  bool events = false;              ///< method = "events": duration, step and modes of the options count
};

[[nodiscard]] TransientAnalysis read_transient_analysis(const TableReader& reader, const StudyParts& parts);

/// For other kinds that run a transient: the same keys but for `record`.
struct TransientKeys {
  std::string scheme;             ///< the key of the integrator, "method" in a transient
  std::vector<std::string> more;  ///< keys of that kind
};
[[nodiscard]] TransientAnalysis read_transient_keys(const TableReader& reader, const StudyParts& parts,
                                                    const TransientKeys& names);
/// Parts of it, for other kinds of motion: `initial` and `record`.
void read_initial(const TableReader& reader, const StudyParts& parts, TransientAnalysis& analysis);
[[nodiscard]] Record read_record(const TableReader& reader, const System& system);
/// The number of steps is one that a computer can take.
void check_step_count(const TableReader& reader, const char* step_key, double duration, double step);
[[nodiscard]] std::vector<std::string> names_of(const std::vector<Load>& loads);
/// From the analysis' initial state into a sink. A law that gave no number ends it with `no_convergence`. `ledger`: as
/// in simulate.
[[nodiscard]] TransientResult simulate_into(const TransientAnalysis& analysis, AnalysisRun& with, Sink& sink,
                                            Sink* ledger = nullptr);
/// Counts and energy ledger for summary.json.
void add_facts(const TransientResult& result, const System& system, AnalysisSummary& summary);

[[nodiscard]] std::vector<std::string> table_parts(const TransientAnalysis& analysis);
[[nodiscard]] std::string describe(const TransientAnalysis& analysis);
[[nodiscard]] AnalysisSummary run(const TransientAnalysis& analysis, AnalysisRun& with);
[[nodiscard]] std::vector<Figure> figures(const TransientAnalysis& analysis, const System& system);
[[nodiscard]] std::string in_words(const TransientAnalysis& analysis, const AnalysisSummary& summary,
                                   const UnitLabels& units);
[[nodiscard]] std::string how(const TransientAnalysis& analysis, const AnalysisSummary& summary);
[[nodiscard]] std::string method_of(const TransientAnalysis& analysis);

}  // namespace microslip
