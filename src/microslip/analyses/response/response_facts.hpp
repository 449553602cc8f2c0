#pragma once
// The facts of curves of periodic motions: frf, level_sweep.

#include <optional>
#include <string>
#include <vector>

#include "microslip/analyses/response/highest_response.hpp"
#include "microslip/analyses/response/motion_request.hpp"
#include "microslip/results/analysis_summary.hpp"

namespace microslip {

struct ResponseFacts final : Facts {
  struct SpecialPoints {
    long folds = 0, peaks = 0, others = 0;
  };
  SteadyMethod method = SteadyMethod::harmonic_balance;
  long points = 0;
  std::optional<SpecialPoints> special;  ///< of curves, not of single frequencies
  bool tells_stability = false;          ///< then the next three count
  long unstable_points = 0;
  long undecided_points = 0;             ///< of harmonic balance and shooting: the error of the multiplier hides it
  long unknown_multipliers = 0;          ///< of both: not found
  std::vector<HighestResponse> highest;  ///< one a curve
  /// See DetachedCurve.
  struct Detached {
    double level = 0.0;
    int piece = 0;
    double from_hz = 0.0, to_hz = 0.0;
    bool closed = false;
    long points = 0;
    std::optional<HighestResponse> highest;
    [[nodiscard]] nlohmann::ordered_json to_json() const;
  };
  std::optional<std::vector<Detached>> detached;  ///< where they were looked for
  long iterations = 0;
  int harmonics = 0;              ///< most, of harmonic balance
  int samples = 0;                ///< most, of harmonic balance; steps of shooting
  double truncation_error = 0.0;  ///< largest, of harmonic balance
  double quadrature_error = 0.0;  ///< largest, of harmonic balance; of the steps of shooting
  double phase_error = 0.0;       ///< largest, of piecewise-linear orbits

  [[nodiscard]] nlohmann::ordered_json to_json() const override;

  /// Counts one curve.
  void add(const FrequencyResponse& response);
  /// The detached ones of it.
  void add_detached(const ResponseRecord& record, const System& system, const FrequencyResponse& response);

 private:
  void count(SpecialKind kind);
};

}  // namespace microslip
