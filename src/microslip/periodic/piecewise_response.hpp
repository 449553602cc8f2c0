#pragma once
// Steady vibration with rigid friction and piecewise-linear springs: exact orbits, see piecewise_orbit.hpp, along
// curves with folds over frequency or level, or at single frequencies.

#include <Eigen/Core>
#include <optional>
#include <span>

#include "microslip/periodic/frequency_response.hpp"
#include "microslip/periodic/orbit_measures.hpp"
#include "microslip/periodic/piecewise_orbit.hpp"
#include "microslip/periodic/steady_request.hpp"
#include "microslip/periodic/sweep.hpp"

namespace microslip {

/// Of one system under loads that are sines, Fourier series or constants, the first two in multiples of the frequency
/// asked for.
class PiecewiseResponses {
 public:
  /// Throws std::invalid_argument like PiecewiseModel.
  PiecewiseResponses(const System& system, std::span<const Load> loads, ResponseRecord record,
                     const FrequencyResponseOptions& options = {});
  /// Of a model that is there already; its modes count, not those of the options.
  PiecewiseResponses(PiecewiseModel model, ResponseRecord record, const FrequencyResponseOptions& options = {});
  PiecewiseResponses(const PiecewiseResponses&) = delete;
  PiecewiseResponses& operator=(const PiecewiseResponses&) = delete;

  /// steady_vibration by exact orbits. Never throws for lack of convergence: see `ending`. Throws std::invalid_argument
  /// for numbers out of range and for ThroughFrequency.
  [[nodiscard]] FrequencyResponse answer(const SteadyRequest& request, const Observer& observer = {});
  /// The largest amplitude of record.peak_dof between two frequencies that hold one maximum; nothing: none found.
  [[nodiscard]] std::optional<ResponsePoint> peak(const OverFrequency& between);

  /// The largest amplitude near an orbit, between two parameters that hold one maximum.
  [[nodiscard]] std::optional<ResponsePoint> maximise(PiecewiseOrbit orbit, const Sweep& sweep, double low,
                                                      double high);
  /// What is told of an orbit.
  [[nodiscard]] ResponsePoint measure(const PiecewiseOrbit& orbit);
  /// The orbit at a parameter, near another one or where it settles.
  bool follow(const Sweep& sweep, double lambda, PiecewiseOrbit& orbit) {
    return orbits_.follow(sweep.omega(lambda), sweep.level(lambda), orbit);
  }
  [[nodiscard]] PiecewiseOrbits& orbits() { return orbits_; }
  [[nodiscard]] const PiecewiseModel& model() const { return model_; }
  [[nodiscard]] const ResponseRecord& record() const { return record_; }
  [[nodiscard]] const FrequencyResponseOptions& options() const { return options_; }
  /// The first orbit of the last answer; no arcs: none. A state of it, or of a neighbour's, to begin with.
  [[nodiscard]] const PiecewiseOrbit& first() const { return first_; }
  void begin_near(const OrbitSeed& seed) { near_ = seed; }

 private:
  [[nodiscard]] FrequencyResponse respond(const OverFrequency& asked, const Observer& observer);
  [[nodiscard]] FrequencyResponse respond(const ThroughFrequency& asked, const Observer& observer);
  [[nodiscard]] FrequencyResponse respond(const OverLevel& asked, const Observer& observer);
  [[nodiscard]] FrequencyResponse respond(const AtFrequencies& asked, const Observer& observer);
  /// The first orbit: from a state where there is one.
  bool begin(double omega, double level, const OrbitSeed& near, PiecewiseOrbit& orbit);
  [[nodiscard]] double peak_amplitude(const PiecewiseOrbit& orbit);

  PiecewiseModel model_;
  PiecewiseOrbits orbits_;
  ResponseRecord record_;
  FrequencyResponseOptions options_;
  OrbitMeasures measures_;  ///< of the recorded degrees of freedom, then of the one whose peaks count
  PiecewiseOrbit first_;
  OrbitSeed near_;
};

}  // namespace microslip
