#pragma once
// kind = "orbit": one periodic motion in full.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microslip/analyses/analysis.hpp"
#include "microslip/analyses/response/highest_response.hpp"
#include "microslip/analyses/response/motion_request.hpp"
#include "microslip/periodic/orbit_history.hpp"
#include "microslip/transient/events.hpp"

namespace microslip {

struct OrbitAnalysis final : Analysis {
  static constexpr std::string_view kind = "orbit";
  OrbitAnalysis() : Analysis(kind) {}

  MotionRequest motion;
  double level = 1.0;  ///< of the load
  double omega = 0.0;  ///< [rad/time]
  int points = 512;    ///< parts of the period
  int sliders = 8;     ///< of each joint that has them

  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] nlohmann::ordered_json settings() const override;
  [[nodiscard]] std::vector<std::string> tables() const override;
  [[nodiscard]] AnalysisSummary run(AnalysisRun& with) const override;
  [[nodiscard]] std::vector<Figure> figures(const System& system) const override;
  [[nodiscard]] std::string in_words(const AnalysisSummary& summary, const UnitLabels& units) const override;
  [[nodiscard]] std::string how(const AnalysisSummary& summary) const override;
  [[nodiscard]] std::vector<std::string> load_names() const override { return motion.loads; }
  [[nodiscard]] std::string method_in_words() const override;
  [[nodiscard]] std::vector<HeadlineNumber> drawn_headline(const System& system) const override;

 private:
  void write_tables(const PeriodicOrbit& orbit, const OrbitHistory& history, AnalysisRun& with) const;
  // method = "piecewise_linear".
  [[nodiscard]] AnalysisSummary run_exact(AnalysisRun& with) const;
  [[nodiscard]] EventsResult run_period(PiecewiseResponses& responses, AnalysisRun& with) const;
};

struct OrbitFacts final : Facts {
  using NamedNumber = std::pair<std::string, double>;
  std::vector<NamedNumber> amplitude;    ///< of degrees of freedom, by label [length]
  std::vector<NamedNumber> dissipation;  ///< of joints, in a period [energy]
  std::optional<Stability> stability;
  int iterations = 0;
  std::vector<NamedNumber> largest_slipped;  ///< of joints whose law tells: share of the stuck stiffness that slips
  double error = 0.0;                        ///< estimate, relative; of exact orbits, of the event phases [rad]
  std::optional<int> events;                 ///< in a period; of exact orbits
  std::vector<NamedNumber> stick_fraction;   ///< of friction joints: stuck time over period

  [[nodiscard]] nlohmann::ordered_json to_json() const override;
};

/// What every method tells.
[[nodiscard]] OrbitFacts common_facts(const ResponsePoint& point, const std::vector<int>& dofs, const System& system);

[[nodiscard]] std::unique_ptr<Analysis> read_orbit_analysis(const TableReader& reader, const StudyParts& parts);

}  // namespace microslip
