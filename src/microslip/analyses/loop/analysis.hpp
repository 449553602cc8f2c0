#pragma once
// kind = "loop": joints under a prescribed deflection, each by itself.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/analysis.hpp"
#include "microslip/joints/turning_path.hpp"

namespace microslip {

struct LoopAnalysis final : Analysis {
  static constexpr std::string_view kind = "loop";
  LoopAnalysis() : Analysis(kind) {}

  std::vector<int> joints;         ///< of the system
  std::vector<std::string> names;  ///< of these joints
  TurningPath path;
  int sliders = 8;                ///< of each joint that has them
  std::vector<double> strengths;  ///< of the sliders instead, alike for all joints [length]

  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] nlohmann::ordered_json settings() const override;
  [[nodiscard]] std::vector<std::string> tables() const override { return {"", "branches", "cycles"}; }
  [[nodiscard]] AnalysisSummary run(AnalysisRun& with) const override;
  [[nodiscard]] std::vector<Figure> figures(const System& system) const override;
  [[nodiscard]] std::string in_words(const AnalysisSummary& summary, const UnitLabels& units) const override;
  [[nodiscard]] std::string how(const AnalysisSummary& summary) const override;

  /// Strengths of the sliders of a joint whose positions are told, ascending.
  [[nodiscard]] std::vector<double> slider_strengths_of(const Law& law) const;
};

struct LoopFacts final : Facts {
  struct OfJoint {
    std::string name;
    double largest_force = 0.0;
    double dissipation = 0.0;  ///< of the whole motion; NaN: its law does not tell
    /// Of the last two branches; NaN where there are none.
    double secant = 0.0, work = 0.0, gap = 0.0;
    double energy_error = 0.0;  ///< work against what the law stores and dissipates, relative; NaN as above
  };
  std::vector<OfJoint> joints;

  [[nodiscard]] nlohmann::ordered_json to_json() const override;
};

[[nodiscard]] std::unique_ptr<Analysis> read_loop_analysis(const TableReader& reader, const StudyParts& parts);

}  // namespace microslip
