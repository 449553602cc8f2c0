#pragma once
// Steady vibration under harmonic loads along curves, over frequency (frf) or over the level of the load (level_sweep),
// or at single frequencies.

#include <functional>
#include <string>
#include <vector>

#include "microslip/analyses/analysis.hpp"
#include "microslip/analyses/response/motion_request.hpp"

namespace microslip {

class ResponseCurves : public Analysis {
 public:
  using Analysis::Analysis;

  MotionRequest motions;

  [[nodiscard]] std::vector<std::string> tables() const override;
  [[nodiscard]] std::vector<Figure> figures(const System& system) const override;
  [[nodiscard]] std::string in_words(const AnalysisSummary& summary, const UnitLabels& units) const override;
  [[nodiscard]] std::string how(const AnalysisSummary& summary) const override;
  [[nodiscard]] std::vector<std::string> load_names() const override { return motions.loads; }
  [[nodiscard]] std::string method_in_words() const override;
  /// The highest located peak, and the largest amplitudes of all points.
  void add_headline(const TablesInMemory& tables, const System& system, Headline& result) const override;
  [[nodiscard]] std::vector<HeadlineNumber> drawn_headline(const System& system) const override;

  /// What the curves are drawn over.
  struct Abscissa {
    bool level = false;  ///< of the load; else frequency
    Axis axis;
    bool decades = false;  ///< wide enough for logarithms
  };
  [[nodiscard]] virtual Abscissa abscissa() const = 0;
  /// Curves, not motions at single frequencies?
  [[nodiscard]] virtual bool has_curves() const = 0;
  /// One a level, or one a frequency; of single frequencies, lists of them.
  [[nodiscard]] virtual std::size_t curve_count() const = 0;
  /// "level 2", "omega 3.5".
  [[nodiscard]] virtual std::string curve_name(std::size_t curve) const = 0;
  /// From where to where, for people.
  [[nodiscard]] virtual std::string range_in_words(const UnitLabels& units) const = 0;
  [[nodiscard]] bool looks_for_isolas() const { return motions.options.isolas > 0.0; }
  /// Do the tables say what is stable?
  [[nodiscard]] bool tells_stability(const System& system) const;

 protected:
  using Respond = std::function<FrequencyResponse(std::size_t curve, const System& system, const Observer& observer)>;
  /// All curves. `respond` gives one; its system has a joint.
  [[nodiscard]] AnalysisSummary run_curves(AnalysisRun& with, const Respond& respond) const;
};

/// Do two positive numbers lie a decade or more apart?
[[nodiscard]] bool over_decade(double low, double high);

}  // namespace microslip
