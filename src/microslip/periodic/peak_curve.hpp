#pragma once
// The peak of a frequency response itself, followed over the level of the load or another number of the model: R = 0
// and the condition of peak_condition.hpp for (y, omega), by pseudo-arclength through folds. By harmonic balance.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "microslip/periodic/frequency_response.hpp"
#include "microslip/system/observer.hpp"

namespace microslip {

/// A system under a load: what another number of the model makes of it.
struct LoadedSystem {
  std::shared_ptr<const System> system;
  HarmonicLoad load;
};

struct PeakRequest {
  std::vector<double> values;  ///< of the level or of the number: from the first to the last, in order; the curve has a
                               ///< point at each
  double from = 0.0, to = 0.0;  ///< omega of the response that the first peak is looked for on
  double near = 0.0;            ///< the first peak is the one nearest to this omega; 0: the highest
  // Over a number other than the level:
  std::string name = "level";
  double level = 1.0;
  std::function<LoadedSystem(double value)> model =
      {};  ///< throws where the number makes no system; empty: over the level
};

struct PeakPoint {
  double value = 0.0;      ///< of the level or the number
  double amplitude = 0.0;  ///< of record.peak_dof, half of the range [length]
  ResponsePoint point;
  bool maximum = true;         ///< of the amplitude along the response; else it is a minimum
  double damping_ratio = 0.0;  ///< see cycle_energy.hpp
};

/// Where the curve of peaks turns back.
struct PeakFold {
  PeakPoint at;
  /// Two responses meet here, or one is born or vanishes, as a detached curve does; else a maximum and a minimum of one
  /// response vanish together.
  bool responses_meet = false;
};

struct PeakCurve {
  Ending ending = Ending::completed;
  std::string message;  ///< why it ended, and what is in doubt
  std::vector<PeakPoint> points;
  std::vector<PeakFold> folds;
};

/// The peak of record.peak_dof, with record.dofs told. Never throws for lack of convergence: see `ending`. Throws
/// std::invalid_argument like steady_vibration.
[[nodiscard]] PeakCurve peak_curve(const System& system, const HarmonicLoad& load, const PeakRequest& request,
                                   const ResponseRecord& record, const FrequencyResponseOptions& options = {},
                                   const Observer& observer = {});

}  // namespace microslip
