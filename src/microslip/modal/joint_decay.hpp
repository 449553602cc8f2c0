#pragma once
// One joint along a decay, with its memory: the work it takes out of a cycle.
//
// The decay passes through the periodic motions of a family, u(tau; ln a) with du/d ln a known at one amplitude a:
//
//   u = e^s [U(tau) + s (dU/d ln a - U)(tau)],   s = ln of the amplitude over a,   ds/d tau = -d e^(p s)
//
// s = 0 at tau = 3 pi/2; p, how d rises with amplitude, is known about (DecayLaw).
//
// Two cycles are looked at, from tau = 0 to 2 pi and from pi to 3 pi, with the amplitude a in their middle: in a law
// whose memory fades slowly (Bouc-Wen) the two sides still differ by where the decay began, which drops out of their
// mean. They are reached from a constant amplitude, 8 times this one, along the same decay, or a faster one if that
// would take more than `most_cycles`: the joint is then in the state that a decay leaves, not in that of a motion that
// has grown. For iwan5 they differ below 2/(1 + theta) times the amplitude.
//
// Laws that feel no rate see extrema only, between which they are followed exactly. Custom laws see equal steps.

#include <limits>
#include <vector>

#include "microslip/joints/joint_memory.hpp"
#include "microslip/numerics/fourier_series.hpp"

namespace microslip {

/// A decay from a constant amplitude: ds/d tau = -d e^(p s), s = 0 at 3 pi/2.
struct DecayLaw {
  static constexpr double start_ratio = 8.0;  ///< of the constant amplitude to a

  double d = 0.0;
  double p = 0.0;

  /// s; minus infinity once the motion has died, which it does in a finite time if p < 0.
  [[nodiscard]] double at(double tau) const;
  /// When it begins to fall; it may be later than tau = 0.
  [[nodiscard]] double begin() const;
  /// Integral of e^(2 s) d tau: e^((2 - p) s)/((2 - p) d) between the ends, s/d if p = 2.
  [[nodiscard]] double squares(double from, double to) const;
};

class JointDecay {
 public:
  static constexpr int most_cycles = 150;

  /// The law must outlive it. `steps`: of a period, for custom laws.
  JointDecay(const Law& law, double normal, int harmonics, int steps);

  /// A motion and its derivative by ln a, both series.
  void follow(const double* series, const double* by_log_amplitude, double omega);
  /// The joint, new, comes down along that motion at about this decay, d > 0.
  void approach(const DecayLaw& decay);

  struct Cycle {
    double work = 0.0;    ///< integral of F du
    double stored = 0.0;  ///< energy held at the ends; 0 for custom laws that do not say
  };
  /// Mean of the two cycles at this decay, and of their ends; the cycle before them has the same decay.
  Cycle cycle(const DecayLaw& decay);

 private:
  struct Instant {
    double tau;
    double u, slope;            ///< U and its derivative by tau
    double shape, shape_slope;  ///< dU/d ln a - U, likewise
  };
  void add_instant(double tau, const double* series, const double* by_log_amplitude);
  /// Half a period from `begin`, a multiple of pi. Returns the work.
  template <class Ratio>
  double half_period(JointMemory& memory, int begin, Ratio&& ratio_at);
  /// s: ln of the amplitude over a.
  double step(JointMemory& memory, const Instant& instant, double s);

  JointMemory fresh_, approached_;
  bool custom_, tells_energy_;
  int harmonics_, steps_;
  double omega_ = 1.0;
  SeriesScanner scanner_;
  std::vector<Instant> instants_;  ///< of a period: growing, the last is 2 pi
  std::size_t middle_ = 0;         ///< of them, up to pi
  JointResponse response_, before_;
  double u_ = 0.0;  ///< where the joint is
};

/// What the structure without its joints has, over one cycle at constant amplitude a.
struct DecayingStructure {
  double rise = 0.0;     ///< dE/d ln a of its energy, quadratic in a
  double viscous = 0.0;  ///< lost to its linear damping
};

struct Decay {
  double rate =
      std::numeric_limits<double>::quiet_NaN();  ///< d >= 0; NaN: none is below 0.5, and lasts, for both cycles
  double stored = 0.0;                           ///< in the joints, at the turning point
};

/// The d at which what the structure loses is what joints and linear damping take, mean of both cycles. Joints that
/// feed the motion have none. The joints follow their motions; `about`: a guess of d, and p.
[[nodiscard]] Decay find_decay(std::vector<JointDecay>& joints, const DecayingStructure& structure,
                               const DecayLaw& about);

}  // namespace microslip
